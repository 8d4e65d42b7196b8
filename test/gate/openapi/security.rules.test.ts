/** What an operation needs by its `security`, and which of them the gate cannot check. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import type {
  OpenApiVersion,
  Security,
  SecurityRequirement,
  SecurityScheme,
} from "../../../src/gate/openapi/document.rules.ts"
import { neededBy } from "../../../src/gate/openapi/security.rules.ts"

const SCHEMES: Readonly<Record<string, SecurityScheme>> = {
  oauth: { type: "oauth2", scheme: null },
  oidc: { type: "openIdConnect", scheme: null },
  bearer: { type: "http", scheme: "bearer" },
  basic: { type: "http", scheme: "basic" },
  key: { type: "apiKey", scheme: null },
  tls: { type: "mutualTLS", scheme: null },
  elsewhere: { type: null, scheme: null },
  odd: { type: "http", scheme: null },
}

const one = (scheme: string, ...scopes: readonly string[]): SecurityRequirement => [{ scheme, scopes }]

function needed(security: Security, document: Security = null, version: OpenApiVersion = "3.1"): string {
  const read = neededBy(
    { security },
    { version, security: document, schemes: new Map(Object.entries(SCHEMES)) },
  )
  if ("reason" in read) return read.reason
  return read.isPublic ? "public" : read.permissions.join(" ")
}

describe("GATE-15 the scopes of one requirement are permissions, and all of them are needed", () => {
  for (const scheme of ["oauth", "oidc", "bearer"])
    test(scheme, () => assert.equal(needed([one(scheme, "a", "b", "a")]), "a b"))
})

test("GATE-15 an empty list or an empty requirement is public", () => {
  assert.equal(needed([]), "public")
  assert.equal(needed([[]]), "public")
})

test("GATE-15 the operation comes first, then the document", () => {
  assert.equal(needed(null, [one("oauth", "a")]), "a")
  assert.equal(needed([one("oauth", "b")], [one("oauth", "a")]), "b")
  assert.equal(needed([], [one("oauth", "a")]), "public")
  assert.equal(needed([one("key")], []), "the security scheme key is apiKey")
})

describe("GATE-15 what the gate cannot check is not covered", () => {
  const cases: readonly (readonly [Security, string])[] = [
    [null, "neither it nor the document has security"],
    [[one("oauth")], "its security has no scopes"],
    [[one("bearer")], "its security has no scopes"],
    [[[], one("oauth", "a")], "its security is optional"],
    [[one("oauth", "a"), []], "its security is optional"],
    [[[], []], "its security is optional"],
    [[one("oauth", "a"), one("oauth", "b")], "its security has several alternatives"],
    [[one("oauth", "a"), one("key")], "its security has several alternatives"],
    [[[...one("oauth", "a"), ...one("key")]], "it needs oauth and key together"],
    [[[...one("oauth", "a"), ...one("oidc", "b")]], "it needs oauth and oidc together"],
    [[one("key")], "the security scheme key is apiKey"],
    [[one("key", "a")], "the security scheme key is apiKey"],
    [[one("tls", "a")], "the security scheme tls is mutualTLS"],
    [[one("basic", "a")], "the security scheme basic is http basic"],
    [[one("odd", "a")], "the security scheme odd is http"],
    [[one("elsewhere", "a")], "the security scheme elsewhere is a $ref"],
    [[one("unknown", "a")], "the security scheme unknown is a $ref"],
  ]
  for (const [security, reason] of cases)
    test(JSON.stringify(security), () => assert.equal(needed(security), reason))
})

test("GATE-15 http bearer has scopes in OpenAPI 3.1 alone", () => {
  assert.equal(needed([one("bearer", "a")], null, "3.1"), "a")
  assert.match(needed([one("bearer", "a")], null, "3.0"), /in OpenAPI 3\.0, http bearer such as bearer/)
  assert.equal(needed([one("oauth", "a")], null, "3.0"), "a")
})
