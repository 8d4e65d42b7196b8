import { describe, test } from "node:test"
import assert from "node:assert/strict"
import type { Account } from "../../../../src/model/account.rules.ts"
import type { Client } from "../../../../src/model/clients/client.rules.ts"
import { type BindingInput, decideBinding } from "../../../../src/oauth/credential/binding.rules.ts"
import {
  type BoundApp,
  type ClientCredentialsRequest,
  decideClientCredentials,
  parseClientCredentialsRequest,
} from "../../../../src/oauth/token/grants/client-credentials.rules.ts"
import { reach } from "../../../../src/model/permissions/reach.rules.ts"
import {
  account as person,
  confidentialClient,
  credential as ofPerson,
  form,
  hash,
  lives,
  NOW,
  permissions,
  sampleCatalog,
  TOKEN_ID,
  USER_ID,
  bounds,
  standing,
} from "../../../support/core-sample.ts"

const service: Account = { ...person, username: "ci", usernameKey: "ci", type: "service", passwordHash: null }
const input: BindingInput = {
  now: NOW,
  address: null,
  actorId: null,
  tokenId: TOKEN_ID,
  familyKey: "family key",
  noRefreshHash: hash("none"),
}
const unbound: Client = {
  ...confidentialClient,
  ceiling: permissions("files:read account:read admin:events"),
}

const { binding, changes: written } = decideBinding(unbound, null, service, input)
const added = written.find((change) => change.change === "credentialAdded")
const bound = {
  client: { ...unbound, binding },
  account: service,
  credential: added?.credential ?? null,
}

function decide(app: Partial<BoundApp> = {}, request: Partial<ClientCredentialsRequest> = {}) {
  return decideClientCredentials(
    sampleCatalog,
    { ...bound, ...app },
    { scope: null, resources: [], ...request },
    {
      now: NOW + 5,
      accessSeconds: 600,
      accessToken: (id, key) => ({ text: `${id} ${key}`, hash: hash("t") }),
    },
  )
}

function refusedFor(app: Partial<BoundApp>, request: Partial<ClientCredentialsRequest> = {}) {
  const { answer, changes } = decide(app, request)
  assert.deepEqual(changes, [], "a refusal writes nothing")
  return answer.ok ? "" : answer.error.reason
}

const scopeOf = (requested: string | null, ceiling: string, admin = false) => {
  const { answer } = decide(
    { client: { ...bound.client, ceiling: permissions(ceiling) }, account: { ...service, admin } },
    { scope: requested?.split(" ") ?? null },
  )
  return answer.ok ? answer.value.scope : answer.error.reason
}

describe("the request", () => {
  const parse = (text: string) => parseClientCredentialsRequest(form(text))

  test("SERVICE-3 scope and resource are optional", () => {
    assert.deepEqual(parse("a=b"), { ok: true, value: { scope: null, resources: [] } })
    const more = "scope=files:read+x&resource=https://api.example/"
    assert.deepEqual(parse(more), {
      ok: true,
      value: { scope: ["files:read", "x"], resources: ["https://api.example/"] },
    })
  })

  test("SERVICE-3 what is malformed is refused", () => {
    const reason = (text: string) => {
      const parsed = parse(text)
      return parsed.ok ? "" : parsed.error.reason
    }
    assert.equal(reason("scope=+a"), "scopeMalformed")
    assert.equal(reason("resource=nowhere"), "resourceMalformed")
  })
})

describe("issuing", () => {
  test("SERVICE-3 an access token, and nothing of a refresh", () => {
    const { answer, changes } = decide({}, { resources: ["https://api.example/"] })
    assert.deepEqual(answer, {
      ok: true,
      value: {
        access_token: `${TOKEN_ID} family key`,
        token_type: "Bearer",
        expires_in: 600,
        scope: "account:read workers:read files:read".split(" ").toSorted(byPlace).join(" "),
        token_id: TOKEN_ID,
        user_id: USER_ID,
        username: "ci",
      },
    })
    const [stored] = changes
    assert.equal(changes.length, 1)
    assert.ok(stored?.change === "serviceTokenAdded")
    assert.deepEqual(stored.token, {
      hash: hash("t"),
      tokenId: TOKEN_ID,
      issuedAt: NOW + 5,
      expiresAt: NOW + 605,
      scope: permissions("account:read workers:read files:read").toSorted(byPlace),
      resources: ["https://api.example/"],
    })
  })

  test("SERVICE-4 without scope: the ceiling that the account reaches, without administration", () => {
    assert.equal(scopeOf(null, "account:read"), "account:read")
    assert.equal(scopeOf(null, "account:read admin:events"), "account:read")
    assert.equal(scopeOf(null, "account:read admin:events", true), "account:read")
    assert.equal(scopeOf(null, "admin:events", true), "scopeEmpty")
    assert.equal(scopeOf(null, ""), "scopeEmpty")
  })

  test("SERVICE-4 a named scope is granted as a whole, closed under implication, or refused", () => {
    assert.equal(scopeOf("files:read", "account:read files:write"), "files:read workers:read")
    assert.equal(scopeOf("openid account:read", "account:read"), "account:read")
    assert.equal(scopeOf("account:write", "account:read"), "scopeOverCeiling")
    assert.equal(scopeOf("account:read files:read", "account:read"), "scopeOverCeiling")
    assert.equal(scopeOf("nothing", "account:read"), "scopeUnknown")
  })

  test("SERVICE-4 administration only by name, within the ceiling, and for an administrator", () => {
    assert.equal(scopeOf("admin:events", "admin:events", true), "admin:events")
    assert.equal(scopeOf("admin:events", "admin:events"), "scopeOverReach")
    assert.equal(scopeOf("account:read admin:events", "account:read admin:events"), "scopeOverReach")
    assert.equal(scopeOf("admin:events", "account:read", true), "scopeOverCeiling")
    assert.equal(scopeOf("admin:hub", "admin:hub"), "scopeOverReach")
    assert.match(scopeOf("admin:hub", "admin:hub", true), /admin:accounts/)
  })

  test("SERVICE-5 not bound, or public: unauthorized_client", () => {
    assert.equal(refusedFor({ client: unbound, credential: null, account: null }), "clientNotBound")
    assert.equal(refusedFor({ client: unbound }), "clientNotBound")
    assert.equal(refusedFor({ client: { ...bound.client, type: "public" } }), "clientNotBound")
  })

  test("SERVICE-6 an ended or lost credential issues nothing, whatever else is right", () => {
    const { credential } = bound
    for (const life of [lives.issued, lives.revoked, lives.ended])
      assert.equal(refusedFor({ credential: credential && { ...credential, life } }), "credentialRevoked")
    assert.equal(refusedFor({ credential: null }), "credentialRevoked")
    assert.equal(refusedFor({ credential: ofPerson(lives.active) }), "credentialRevoked", "a person's")
  })

  test("SERVICE-7 a disabled or removed account issues nothing, and a person never does", () => {
    for (const account of [{ ...service, enabled: false }, null, person])
      assert.equal(refusedFor({ account }), "accountUnavailable")
  })
})

test("PERM-5, SERVICE-4 the credential of a binding reaches the ceiling of this moment", () => {
  const scope = bound.credential?.consent.scope ?? []
  const reached = (ceiling: string, admin: boolean) =>
    reach(sampleCatalog, scope, bounds(ceiling), standing(admin)).join(" ")
  assert.equal(reached("account:read admin:events", false), "account:read")
  assert.equal(reached("account:read admin:events", true), "account:read admin:events")
  assert.equal(
    reached("files:read", false),
    permissions("files:read workers:read").toSorted(byPlace).join(" "),
  )
  assert.equal(reached("", true), "")
})

function byPlace(a: string, b: string): number {
  const names = [...sampleCatalog.keys()] as string[]
  return names.indexOf(a) - names.indexOf(b)
}
