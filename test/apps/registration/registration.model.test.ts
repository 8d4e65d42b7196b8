/**
 * Tests registrations of every shape. Each is refused with a sentence, or keeps every promise about self-registered
 * apps.
 */
import { test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import { wireError } from "../../../src/model/refusals/reasons.rules.ts"
import { parseJson } from "../../../src/kernel/json.ts"
import { isAdmin } from "../../../src/model/permissions/permission.rules.ts"
import { registerableRedirectUri } from "../../../src/model/clients/redirect-registration.rules.ts"
import { parseClientName } from "../../../src/model/clients/registration.rules.ts"
import { grantTypeNames } from "../../../src/oauth/token/grant-types.ts"
import { parseRegistrationRequest } from "../../../src/apps/registration/registration-request.rules.ts"
import { sampleCatalog } from "../../support/core-sample.ts"
import { DESCRIPTION } from "../../support/answers.ts"

const uri = fc.oneof(
  fc.constantFrom(
    "http://127.0.0.1/callback",
    "https://a.example/cb?x=1",
    "app.example:/cb",
    "cursor://x/y",
    "app:/cb",
    "javascript:alert(1)",
    "http://[::1]/",
    "https://a.example/#",
  ),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.string({ unit: "binary", maxLength: 30 }),
)
const openSchemes = ["cursor"]
const anything = fc.jsonValue({ maxDepth: 3 })
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom("none", "code", "authorization_code", "refresh_token", "client_secret_basic", "__proto__"),
)
const names = [...sampleCatalog.keys(), "openid", "no:such", "toString"]
const scope = fc.array(fc.constantFrom(...names), { maxLength: 4 }).map((some) => some.join(" "))
const mostly = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: anything })

const request = fc.record(
  {
    redirect_uris: mostly(fc.array(uri, { maxLength: 3 })),
    token_endpoint_auth_method: mostly(fc.constantFrom("none", "client_secret_basic", "client_secret_post")),
    grant_types: mostly(fc.array(text, { maxLength: 3 })),
    response_types: mostly(fc.array(text, { maxLength: 2 })),
    client_name: mostly(text),
    scope: mostly(scope),
    logo_uri: mostly(fc.oneof(fc.webUrl(), fc.constant("data:image/png;base64,AAAA"))),
    verified: anything,
    client_id: anything,
  },
  { requiredKeys: [] },
)

test("REG-2: every registration is refused in a sentence or is one that may stand", () => {
  let registered = 0
  fc.assert(
    fc.property(request, fc.option(fc.array(fc.constantFrom(...names))), (members, open) => {
      const body = parseJson(JSON.stringify(members))
      if (body === undefined) return
      const result = parseRegistrationRequest(body, sampleCatalog, {
        grantTypes: grantTypeNames,
        openPermissions: open,
        openSchemes,
      })
      if (!result.ok) {
        const { status, error } = wireError(result.error.reason)
        assert.equal(status, 400)
        assert.match(error, /^invalid_(redirect_uri|client_metadata)$/)
        assert.match("description" in result.error ? result.error.description : "", DESCRIPTION)
        return
      }
      registered += 1
      const { type, name, redirectUris, ceiling, verified, stepUp, resourceServer } =
        result.value.registration
      assert.deepEqual([verified, stepUp, resourceServer], [false, false, false])
      assert.deepEqual(parseClientName(name), { ok: true, value: name })
      for (const address of redirectUris)
        assert.ok(registerableRedirectUri(address, type, openSchemes).ok, address)
      assert.ok(ceiling.length > 0 && ceiling.every((of) => sampleCatalog.has(of) && !isAdmin(of)))
      assert.ok(result.value.logo?.startsWith("data:") ?? true)
    }),
    { numRuns: 3000 },
  )
  assert.ok(registered > 5, `only ${registered} were registered`)
})
