import { test } from "node:test"
import assert from "node:assert/strict"
import { defaultOpenid } from "../../../src/model/clients/openid-members.rules.ts"
import {
  type RegistrationInput,
  parseCeiling,
  parseClientName,
  parseRegistration,
} from "../../../src/model/clients/registration.rules.ts"
import { defaultSwitches } from "../../../src/model/clients/app-switches.rules.ts"
import { sampleCatalog } from "../../support/core-sample.ts"

const RULES = { schemes: "any", registered: [] } as const

const asked: RegistrationInput = {
  type: "public",
  name: "Notes",
  redirectUris: ["http://127.0.0.1/callback"],
  permissions: ["account:read"],
}

const problemOf = (facts: Partial<RegistrationInput>): string => {
  const parsed = parseRegistration(sampleCatalog, { ...asked, ...facts }, RULES)
  return parsed.ok ? "" : parsed.error
}

test("CLIENT-2, CLIENT-4, CLIENT-6…CLIENT-8: a registration becomes a ceiling and a list of addresses", () => {
  const { permissions, ...rest } = asked
  const given = {
    verified: false,
    stepUp: false,
    resourceServer: false,
    endsWithSession: false,
    deviceFlow: true,
  }
  assert.deepEqual(permissions, ["account:read"])
  assert.deepEqual(parseRegistration(sampleCatalog, asked, RULES), {
    ok: true,
    value: {
      ...rest,
      keys: null,
      ceiling: ["account:read"],
      groups: [],
      ...defaultSwitches,
      ...defaultOpenid,
      ...given,
    },
  })
})

test("CLIENT-4: a name is trimmed, composed, at most 100 characters long, and seen", () => {
  assert.deepEqual(parseClientName("  Cafe\u0301 "), { ok: true, value: "Caf\u00e9" })
  assert.ok(parseClientName("\u{1F5DD}".repeat(100)).ok)
  for (const name of ["", " ", "a".repeat(101), "a\u0007", "a\u202eb", "a\u200bb", "a\nb", "\ud800"])
    assert.equal(parseClientName(name).ok, false, JSON.stringify(name))
})

test("CLIENT-6: the one bad address is named, each address is kept once, and there are at most 20", () => {
  assert.match(
    problemOf({ redirectUris: ["https://a.example/", "http://a.example/"] }),
    /"http:\/\/a\.example\/" cannot be registered: /,
  )
  const twice = parseRegistration(
    sampleCatalog,
    { ...asked, redirectUris: ["app:/b", "https://a.example/", "app:/b"] },
    RULES,
  )
  assert.deepEqual(twice.ok && twice.value.redirectUris, ["app:/b", "https://a.example/"])
  const many = Array.from({ length: 21 }, (_, i) => `https://a.example/${i}`)
  assert.equal(problemOf({ redirectUris: many.slice(1) }), "")
  assert.match(problemOf({ redirectUris: many }), /at most 20/)
})

test("CLIENT-7: the ceiling is as it was named, once each, in the catalog's order", () => {
  assert.deepEqual(parseCeiling(sampleCatalog, ["files:read", "account:read", "files:read"]), {
    ok: true,
    value: ["account:read", "files:read"],
  })
  assert.match(
    problemOf({ permissions: ["files:raed"] }),
    /no permission "files:raed"\. Did you mean files:read\?/,
  )
  assert.match(problemOf({ permissions: ["__proto__"] }), /no permission/)
})

test("CLIENT-2: only a confidential app can be a resource server", () => {
  assert.match(problemOf({ resourceServer: true }), /only a confidential app/)
  assert.equal(
    problemOf({ resourceServer: true, type: "confidential", redirectUris: ["https://a.example/"] }),
    "",
  )
})
