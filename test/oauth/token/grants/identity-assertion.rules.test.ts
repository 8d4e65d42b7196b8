import assert from "node:assert/strict"
import { test } from "node:test"
import type { ClientId } from "../../../../src/kernel/ids.ts"
import type { Json } from "../../../../src/kernel/json.ts"
import type { SignInProvider } from "../../../../src/model/sign-in/provider.rules.ts"
import {
  assertingProvider,
  faulty,
  hasAssertions,
  judgeIdentity,
  listing,
  mayAssert,
} from "../../../../src/oauth/token/grants/identity-assertion.rules.ts"
import { confidentialClient, publicClient } from "../../../support/core-sample.ts"
import { providerAt } from "../../../support/oidc.ts"

const clientId = "c" as ClientId
const NOTES = "https://notes.example/mcp"
const whole = { client_id: "c", sub: "ada", resource: NOTES, scope: "a:b c:d" }

function judged(claims: Readonly<Record<string, Json | undefined>>) {
  const left = Object.entries({ ...whole, ...claims }).filter(([, value]) => value !== undefined)
  const known = (resource: string) => (resource.toLowerCase() === NOTES ? NOTES : null)
  return judgeIdentity(new Map(left) as ReadonlyMap<string, Json>, clientId, known)
}

test("ORG-3 the claims of an ID-JAG are read, the resource in the operator's spelling", () => {
  const value = { subject: "ada", resource: NOTES, scope: ["a:b", "c:d"] }
  assert.deepEqual(judged({}), { ok: true, value })
  assert.deepEqual(judged({ resource: ["HTTPS://notes.example/mcp"] }), { ok: true, value })
  assert.deepEqual(judged({ scope: undefined }), { ok: true, value: { ...value, scope: null } })
  assert.deepEqual(judged({ act: new Map(), tenant: "x" }), { ok: true, value })
})

test("ORG-3 each claim has its own fault, and what needs a proof or a limit of its own fails closed", () => {
  const faults: readonly (readonly [string, readonly Readonly<Record<string, Json | undefined>>[]])[] = [
    ["clientWrong", [{ client_id: "d" }, { client_id: undefined }, { client_id: ["c"] }]],
    ["unsupported", [{ cnf: new Map() }, { cnf: null }, { authorization_details: [] }]],
    [
      "subjectMalformed",
      [{ sub: undefined }, { sub: "" }, { sub: 1 }, { sub: "x".repeat(256) }, { sub: "a\nb" }],
    ],
    [
      "resourceUnknown",
      [
        { resource: undefined },
        { resource: [] },
        { resource: [NOTES, NOTES] },
        { resource: "notes" },
        { resource: "https://other.example/" },
      ],
    ],
    [
      "scopeMalformed",
      [{ scope: "" }, { scope: 'a"b' }, { scope: "a  b" }, { scope: ["a:b"] }, { scope: null }],
    ],
  ]
  for (const [error, all] of faults)
    for (const claims of all) assert.deepEqual(judged(claims), { ok: false, error }, JSON.stringify(claims))
  assert.deepEqual(faulty("ended"), { reason: "identityAssertionRefused", fault: "ended" })
})

test("ORG-2 only a provider whose entry lists the client asserts for it, by exactly its issuer", () => {
  const assertions = { clients: [clientId], permissions: [] }
  const work = providerAt("https://id.example", { name: "work", assertions })
  const providers = new Map<string, SignInProvider>([
    ["work", work],
    ["plain", providerAt("https://plain.example", { name: "plain" })],
  ])
  assert.deepEqual(listing(providers, clientId), [work])
  assert.deepEqual(listing(providers, "d" as ClientId), [])
  assert.equal(assertingProvider(providers, "https://id.example", clientId), work)
  for (const issuer of [
    "https://id.example/",
    "https://ID.example",
    "https://plain.example",
    undefined,
    ["https://id.example"],
  ])
    assert.equal(assertingProvider(providers, issuer, clientId), null)
  assert.equal(assertingProvider(providers, "https://id.example", "d" as ClientId), null)
})

test("ORG-2, ORG-10 without an entry the grant type does not exist; with one it is for confidential clients that it lists", () => {
  const listed = (...clients: readonly ClientId[]) =>
    new Map([["work", providerAt("https://id.example", { assertions: { clients, permissions: [] } })]])
  const known = { ok: true, value: confidentialClient } as const
  const refused = (reason: string) => ({ ok: false, error: { reason } })
  const unknown = { ok: false, error: { reason: "clientUnknown" } } as const
  const plain = new Map([["plain", providerAt("https://id.example")]])
  for (const providers of [new Map(), plain]) {
    assert.equal(hasAssertions(providers), false)
    assert.deepEqual(mayAssert(providers, known), refused("grantTypeUnsupported"))
    assert.equal(mayAssert(providers, unknown), unknown)
  }
  assert.equal(hasAssertions(listed(confidentialClient.clientId)), true)
  assert.equal(mayAssert(listed(confidentialClient.clientId), known), known)
  assert.equal(mayAssert(listed(confidentialClient.clientId), unknown), unknown)
  assert.deepEqual(mayAssert(listed("d" as ClientId), known), refused("clientNotListed"))
  const open = { ok: true, value: publicClient } as const
  assert.deepEqual(mayAssert(listed(publicClient.clientId), open), refused("clientNotListed"))
})
