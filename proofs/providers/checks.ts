/** `provider check` against a real Keycloak: nothing to say, and each usual mistake by its name. */
import assert from "node:assert/strict"
import { checkProvider } from "../../src/admin/providers/check.ts"
import type { OpenIdProvider } from "../../src/model/sign-in/provider.rules.ts"
import type { World } from "./world.ts"

/** Returns the number of mistakes that were named. */
export async function checks(world: World): Promise<number> {
  const { latchkey, issuer: baseUrl } = world.server
  const found = async (more: Partial<OpenIdProvider> = {}, at = baseUrl) =>
    (await checkProvider(latchkey, world.offer(more), at)).map(
      ({ check, state, seen }) => `${check} ${state}: ${seen}`,
    )
  const fine = await found({ createAccounts: { domains: ["example.org"], claim: null } })
  assert.ok(
    fine.every((line) => / fine: /.test(line)),
    fine.join("\n"),
  )
  const { issuer } = world.offer()
  const mistakes: readonly (readonly [readonly string[], RegExp])[] = [
    [await found({ issuer: `${issuer}/` }), /metadata problem: .*ends with a slash here, but not there/],
    [await found({ secret: { kind: "secret", secret: "wrong" } }), /client problem: .*Compare client_id/],
    [await found({}, "https://other.example"), /redirect URI problem: .*Register exactly https:\/\/other/],
    [
      await found({ scopes: ["openid"], authoritativeDomains: ["example.org"] }),
      /claims warning: .*the scope email/,
    ],
  ]
  for (const [lines, named] of mistakes) assert.match(lines.join("\n"), named)
  world.offer()
  return mistakes.length
}
