/** The flags that give an app keys in place of a secret. */
import { parseJson } from "../../kernel/json.ts"
import { readText } from "../../platform/cli/read-text.ts"
import { type Problem, type Result, err } from "../../kernel/result.ts"
import type { ClientKeys } from "../../model/clients/client.rules.ts"
import { parseClientKeys } from "../../model/clients/key-set.rules.ts"

export const keyFlags = {
  jwks: { value: "FILE", summary: "the app's public keys, as a JWK set" },
  "jwks-uri": { value: "URL", summary: "where the app publishes its public keys" },
} as const

/** Reads the keys from the flags. Returns null if no flag is set. */
export function keysIn(flags: {
  readonly jwks: string | null
  readonly "jwks-uri": string | null
}): Result<ClientKeys | null, Problem> {
  const read = flags.jwks === null ? null : readText(flags.jwks)
  if (read?.ok === false) return err(`The keys ${flags.jwks} cannot be used: ${read.error}.`)
  return parseClientKeys({
    jwks: read === null ? undefined : (parseJson(read.value) ?? null),
    jwksUri: flags["jwks-uri"] ?? undefined,
  })
}
