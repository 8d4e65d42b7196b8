import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { parseForm } from "../../../../src/kernel/form.ts"
import type { Permission, TokenId } from "../../../../src/kernel/ids.ts"
import { ACCESS_TOKENS_KEPT, IDLE_SECONDS } from "../../../../src/kernel/limits.ts"
import { NEVER } from "../../../../src/kernel/time.ts"
import type { Change } from "../../../../src/model/change.rules.ts"
import type { Credential } from "../../../../src/model/credential.rules.ts"
import { loadCatalog } from "../../../../src/model/permissions/permission-catalog.rules.ts"
import {
  type AssertionInput,
  type AssertionRows,
  decideJwtBearer,
  parseJwtBearerRequest,
} from "../../../../src/oauth/token/grants/jwt-bearer.rules.ts"
import { account, client, hash, id, identity, NOW } from "../../../store/samples.ts"
import { providerAt } from "../../../support/oidc.ts"
import { EXTENSION } from "../../../support/test-server.ts"

const loaded = loadCatalog({ ...EXTENSION, "crew:rota": { title: "Rota", for_groups: ["crew"] } })
assert.ok(loaded.ok)
const catalog = loaded.value
const names = (...list: readonly string[]) => list as readonly Permission[]
const NOTES = "https://notes.example/mcp"

const app = client(0, { ceiling: names("files:write", "account:read", "crew:rota") })
const person = account()
const provider = (...permissions: readonly string[]) =>
  providerAt("https://id.example", {
    name: "work",
    assertions: { clients: [app.clientId], permissions: names(...permissions) },
  })
const rows: AssertionRows = {
  identity: identity(0, { userId: person.userId }),
  account: person,
  organizationCredentials: [],
  organizationBlocks: [],
}
const input: AssertionInput = {
  provider: provider("files:read", "account:read"),
  providers: new Map(["work", "other"].map((name) => [name, provider()])),
  now: NOW,
  address: "192.0.2.1",
  accessSeconds: 3600,
  jwtOf: () => null,
  tokenId: id<TokenId>("t"),
  familyKey: "family",
  noRefreshHash: hash("none"),
  accessToken: (tokenId, key) => ({ text: `${tokenId} ${key}`, hash: hash(`${tokenId} ${key}`) }),
}
const asked = { assertion: "x", scope: null, resources: [] }
const word = { subject: "ada", resource: NOTES, scope: null as readonly string[] | null }

type Given = Partial<{
  rows: Partial<AssertionRows>
  word: Partial<typeof word>
  asked: { scope?: readonly string[] | null; resources?: readonly string[] }
  input: Partial<AssertionInput>
  app: typeof app
}>

function decide(given: Given = {}) {
  return decideJwtBearer(
    catalog,
    given.app ?? app,
    { ...rows, ...given.rows },
    { ...word, ...given.word },
    { ...asked, ...given.asked },
    { ...input, ...given.input },
  )
}
const scopeOf = (given: Given) => {
  const { answer } = decide(given)
  return answer.ok ? answer.value.scope : answer.error
}
const kinds = (changes: readonly Change[]) =>
  changes.map((one) => (one.change === "eventRecorded" ? one.event.kind : one.change))
function credentialIn(changes: readonly Change[]): Credential {
  const [last] = changes.slice(-1)
  assert.ok(last?.change === "credentialAdded" || last?.change === "credentialChanged")
  return last.credential
}

test("ORG-2 the request has an assertion, and may have scope and resource", () => {
  const parsed = (text: string) => {
    const form = parseForm(text)
    assert.ok(form)
    return parseJwtBearerRequest(form)
  }
  assert.deepEqual(parsed("assertion=x.y.z"), {
    ok: true,
    value: { assertion: "x.y.z", scope: null, resources: [] },
  })
  assert.deepEqual(parsed("assertion=x&scope=a+b&resource=https%3A%2F%2Fa.example%2F"), {
    ok: true,
    value: { assertion: "x", scope: ["a", "b"], resources: ["https://a.example/"] },
  })
  for (const [text, reason] of [
    ["scope=a", "parameterMissing"],
    ["assertion=x&scope=%22", "scopeMalformed"],
    ["assertion=x&resource=a", "resourceMalformed"],
  ] as const) {
    const answer = parsed(text)
    assert.equal(answer.ok ? null : answer.error.reason, reason)
  }
})

describe("the credential", () => {
  test("ORG-7 the first assertion makes it, without a refresh token and without an end of its own", () => {
    const { answer, changes } = decide()
    assert.deepEqual(kinds(changes), ["organization-connected", "credentialAdded"])
    const { consent, life, code } = credentialIn(changes)
    assert.deepEqual(
      [consent.organization, consent.scope, consent.endsAt, consent.resources, code],
      ["work", ["account:read", "workers:read", "files:read"], NEVER, [], null],
    )
    assert.ok(life.state === "active")
    assert.deepEqual(life.family.accessTokens, [
      {
        hash: hash(`${input.tokenId} family`),
        issuedAt: NOW,
        expiresAt: NOW + 3600,
        narrowedTo: consent.scope,
        resources: [NOTES],
      },
    ])
    assert.ok(answer.ok)
    assert.equal("refresh_token" in answer.value, false)
    assert.equal(answer.value.expires_in, 3600)
  })

  test("ORG-7 the next ones use it, up to 32 live tokens, and drop what has expired", () => {
    let stored = credentialIn(decide().changes)
    for (let count = 0; count < ACCESS_TOKENS_KEPT + 3; count += 1) {
      const { changes } = decide({
        rows: { organizationCredentials: [stored] },
        input: { tokenId: id<TokenId>("t", 9) },
      })
      assert.deepEqual(kinds(changes), ["credentialChanged"])
      stored = credentialIn(changes)
    }
    assert.equal(stored.consent.tokenId, input.tokenId)
    assert.ok(stored.life.state === "active")
    assert.equal(stored.life.family.accessTokens.length, ACCESS_TOKENS_KEPT)
    const later = decide({ rows: { organizationCredentials: [stored] }, input: { now: NOW + 4000 } })
    const { life } = credentialIn(later.changes)
    assert.ok(life.state === "active")
    assert.equal(life.family.accessTokens.length, 1)
    assert.deepEqual([life.family.rotatedAt, life.family.rotatedFrom], [NOW + 4000, "192.0.2.1"])
  })

  test("ORG-7 another one takes its place after 90 days without an assertion, and when the entry gives more", () => {
    const stored = credentialIn(decide().changes)
    const tokenId = id<TokenId>("t", 9)
    const idle = decide({
      rows: { organizationCredentials: [stored] },
      input: { tokenId, now: NOW + IDLE_SECONDS + 1 },
    })
    assert.deepEqual(kinds(idle.changes), ["credentialChanged", "organization-connected", "credentialAdded"])
    const wider = { tokenId, provider: provider("files:write", "account:read") }
    const more = decide({ rows: { organizationCredentials: [stored] }, input: wider })
    assert.deepEqual(kinds(more.changes), [
      "credentialChanged",
      "credential-revoked",
      "organization-connected",
      "credentialAdded",
    ])
    const same = decide({
      rows: { organizationCredentials: [stored] },
      input: wider,
      asked: { scope: ["files:read"] },
    })
    assert.deepEqual(kinds(same.changes), ["credentialChanged"])
  })

  test("ORG-7 the credential of another app or organization is another one", () => {
    const stored = credentialIn(decide().changes)
    for (const other of [{ organization: "other" }, { clientId: client(1).clientId }]) {
      const row = { ...stored, consent: { ...stored.consent, ...other } }
      assert.deepEqual(kinds(decide({ rows: { organizationCredentials: [row] } }).changes), [
        "organization-connected",
        "credentialAdded",
      ])
    }
  })

  test("ORG-7 it is replaced where the entry has another name now, and only if none has the new one", () => {
    const stored = credentialIn(decide().changes)
    const renamed = { ...stored, consent: { ...stored.consent, organization: "former" } }
    const alone = decide({ rows: { organizationCredentials: [renamed] } })
    assert.deepEqual(kinds(alone.changes), [
      "credentialChanged",
      "credential-revoked",
      "organization-connected",
      "credentialAdded",
    ])
    const beside = decide({ rows: { organizationCredentials: [renamed, stored] } })
    assert.deepEqual(kinds(beside.changes), ["credentialChanged"])
    assert.equal(credentialIn(beside.changes).consent.organization, "work")
  })

  test("ORG-6 a JWT is not stored, and the use is", () => {
    const jwt = { algorithm: "ES256", seconds: 300, resource: NOTES } as const
    const { answer, changes } = decide({ input: { jwtOf: () => jwt } })
    const { life } = credentialIn(changes)
    assert.ok(answer.ok && life.state === "active")
    assert.deepEqual([life.family.accessTokens, life.family.rotatedAt], [[], NOW])
    assert.equal(answer.value.expires_in, 300)
    assert.equal(answer.value.unsigned?.claims.aud, NOTES)
  })
})

test("ORG-8, ORG-9 every fault of link, account, groups and block, with one answer and no change", () => {
  const block = { userId: person.userId, clientId: app.clientId, provider: "work", blockedAt: NOW }
  const faults: readonly (readonly [string, Given])[] = [
    ["notLinked", { rows: { identity: null } }],
    ["notLinked", { rows: { account: null } }],
    ["notLinked", { rows: { identity: identity(0, { userId: account(1).userId }) } }],
    ["accountUnavailable", { rows: { account: { ...person, enabled: false } } }],
    ["accountUnavailable", { rows: { account: { ...person, type: "service" } } }],
    ["appNotForAccount", { app: { ...app, groups: ["crew"] } }],
    ["ended", { rows: { organizationBlocks: [block] } }],
    ["ended", { rows: { organizationBlocks: [{ ...block, provider: "a name before" }] } }],
  ]
  for (const [fault, given] of faults)
    assert.deepEqual(decide(given), {
      answer: { ok: false, error: { reason: "identityAssertionRefused", fault } },
      changes: [],
    })
  const others = [
    { ...block, provider: "other" },
    { ...block, clientId: client(1).clientId },
  ]
  assert.ok(decide({ rows: { organizationBlocks: others } }).answer.ok)
  assert.ok(
    decide({ rows: { account: { ...person, groups: ["crew"] } }, app: { ...app, groups: ["crew"] } }).answer
      .ok,
  )
})

test("ORG-5 the scope is what request, assertion, entry, ceiling and account all have", () => {
  const all = "account:read workers:read files:read"
  const empty = { reason: "scopeOverReach" }
  assert.equal(scopeOf({}), all)
  assert.equal(scopeOf({ word: { scope: ["files:write"] } }), "workers:read files:read")
  assert.equal(scopeOf({ word: { scope: ["files:read", "nonsense"] } }), "workers:read files:read")
  assert.equal(scopeOf({ asked: { scope: ["account:read", "openid"] } }), "account:read")
  assert.equal(scopeOf({ asked: { scope: ["offline_access"] } }), all)
  assert.equal(
    scopeOf({ word: { scope: ["files:read"] }, asked: { scope: ["workers:read"] } }),
    "workers:read",
  )
  assert.deepEqual(scopeOf({ word: { scope: ["openid"] } }), empty)
  assert.deepEqual(scopeOf({ word: { scope: ["files:read"] }, asked: { scope: ["account:read"] } }), empty)
  assert.deepEqual(
    scopeOf({ asked: { scope: ["files:write", "nonsense"] }, app: { ...app, ceiling: [] } }),
    empty,
  )
  const crew = { provider: provider("crew:rota") }
  assert.deepEqual(scopeOf({ input: crew }), empty)
  assert.equal(scopeOf({ input: crew, rows: { account: { ...person, groups: ["crew"] } } }), "crew:rota")
  const chief = {
    rows: { account: { ...person, admin: true } },
    app: { ...app, ceiling: names("admin:accounts") },
  }
  assert.deepEqual(scopeOf({ ...chief, input: { provider: provider("admin:accounts") } }), empty)
})

test("ORG-6 the resource of the request is that of the assertion, in any spelling of it", () => {
  const unknown = { reason: "resourceUnknown" }
  assert.ok(decide({ asked: { resources: ["HTTPS://notes.example:443/mcp"] } }).answer.ok)
  for (const resources of [["https://other.example/"], [NOTES, "https://other.example/"]])
    assert.deepEqual(scopeOf({ asked: { resources } }), unknown)
})
