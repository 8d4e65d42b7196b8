import { test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId, UserId } from "../../../src/kernel/ids.ts"
import type { Decided } from "../../../src/model/change.rules.ts"
import type { Actor } from "../../../src/model/event.rules.ts"
import {
  type DocumentClient,
  type FetchedContent,
  newDocumentClient,
} from "../../../src/oauth/clients/document-update.rules.ts"
import {
  decideAllow,
  decideDeny,
  decidePin,
  decidePinStored,
  decideUnpin,
} from "../../../src/oauth/documents/document-change.rules.ts"
import type { Problem, Result } from "../../../src/kernel/result.ts"
import { keyClient, NOW, permissions } from "../../support/core-sample.ts"

const clientId = "https://app.example/client.json" as ClientId
const fetched: FetchedContent = {
  content: { type: "public", keys: null, name: "App", redirectUris: ["https://app.example/a"] },
  cacheSeconds: 600,
}
const withKey: FetchedContent = {
  ...fetched,
  content: { ...fetched.content, type: "confidential", keys: keyClient.keys },
}
const made = newDocumentClient(clientId, fetched, permissions("account:read"), NOW)
const keyed = newDocumentClient(clientId, withKey, permissions("account:read"), NOW)
const by: Actor = { actorId: "administrator" as UserId, address: "192.0.2.1" }
const LATER = NOW + 100

function stored(facts: Partial<DocumentClient["document"]> = {}, of = made): DocumentClient {
  return { client: { ...of.client, deleteAfter: NOW + 1000 }, document: { ...of.document, ...facts } }
}

type Answer = Decided<Result<DocumentClient, Problem>>

function done({ answer, changes }: Answer) {
  assert.ok(answer.ok, answer.ok ? "" : answer.error)
  const set = changes.findLast((one) => one.change === "documentSet")
  if (set !== undefined) assert.deepEqual(set.document, answer.value.document)
  const events = changes.flatMap((one) =>
    one.change === "eventRecorded" ? [`${one.event.kind} ${one.event.detail} ${one.event.actorId}`] : [],
  )
  return { ...answer.value, kinds: changes.map((one) => one.change), events }
}

function refused({ answer, changes }: Answer): string {
  assert.deepEqual(changes, [])
  return answer.ok ? "" : answer.error
}

test("CD-13 a document that was not known before is pinned from a file, and its client does not expire", () => {
  const { client, document, kinds, events } = done(decidePin(null, made, fetched, NOW, by))
  assert.deepEqual(kinds, ["clientAdded", "documentSet", "eventRecorded"])
  assert.deepEqual([document.isPinned, document.failure, client.deleteAfter], [true, null, null])
  assert.deepEqual(events, ["app-registered document pinned administrator"])
})

test("CD-13 a known document is replaced by the file, also a fresh one", () => {
  const failing = stored({ failure: { at: NOW, problem: "The answer is too long." } })
  const renamed = { ...fetched, content: { ...fetched.content, name: "Renamed" } }
  const { client, document, kinds, events } = done(decidePin(failing, made, renamed, LATER, by))
  assert.equal(client.name, "Renamed")
  assert.deepEqual([document.isPinned, document.failure, document.fetchedAt], [true, null, LATER])
  assert.equal(client.deleteAfter, null)
  assert.deepEqual(kinds.slice(-3), ["clientChanged", "documentSet", "eventRecorded"])
  assert.equal(events.at(-1), "app-changed document pinned administrator")
})

test("CD-12, CD-13 a denied document is not pinned, nor one that gave up its key", () => {
  assert.match(refused(decidePin(stored({ isDenied: true }), made, fetched, NOW, by)), /denied/)
  assert.match(refused(decidePin(stored({}, keyed), made, fetched, LATER, by)), /no longer has a key/)
  const allowed = stored({ mayDropKey: true }, keyed)
  assert.equal(done(decidePin(allowed, made, fetched, LATER, by)).client.keys, null)
})

test("CD-11 the console pins the stored copy, once", () => {
  const failing = stored({ failure: { at: NOW, problem: "The answer is too long." } })
  const { client, document, kinds, events } = done(decidePinStored(failing, LATER, by))
  assert.deepEqual(kinds, ["clientChanged", "documentSet", "eventRecorded"])
  assert.deepEqual([document.isPinned, document.failure, client.deleteAfter], [true, null, null])
  assert.equal(document.fetchedAt, NOW, "the copy is the same")
  assert.deepEqual(events, ["app-changed document pinned administrator"])
  assert.match(refused(decidePinStored(null, NOW, by)), /no app with that document/)
  assert.match(refused(decidePinStored(stored({ isDenied: true }), NOW, by)), /denied/)
  assert.match(refused(decidePinStored(stored({ isPinned: true }), NOW, by)), /pinned already/)
})

test("CD-13 an unpinned document is fetched by the next authorization", () => {
  const { document, kinds, events } = done(decideUnpin(stored({ isPinned: true }), LATER, by))
  assert.deepEqual(kinds, ["documentSet", "eventRecorded"])
  assert.deepEqual([document.isPinned, document.freshUntil], [false, LATER])
  assert.deepEqual(events, ["app-changed document unpinned administrator"])
  assert.match(refused(decideUnpin(null, NOW, by)), /no app with that document/)
  assert.match(refused(decideUnpin(stored(), NOW, by)), /not pinned/)
})

test("CD-13 a denied document disables its client, which then only an administrator enables", () => {
  const ofOwner = stored()
  const disabledByOwner = { ...ofOwner, client: { ...ofOwner.client, disabledByOwner: true } }
  const { client, document, kinds, events } = done(decideDeny(disabledByOwner, made, LATER, by))
  assert.deepEqual(kinds, ["clientChanged", "documentSet", "eventRecorded"])
  assert.deepEqual([client.enabled, client.disabledByOwner, client.deleteAfter], [false, false, null])
  assert.deepEqual([document.isDenied, document.fetchedAt], [true, NOW])
  assert.deepEqual(events, ["app-disabled document denied administrator"])
})

test("CD-13 a document is denied before its first fetch, and forgotten when it is allowed again", () => {
  const denied = done(decideDeny(null, made, NOW, by))
  assert.deepEqual(denied.kinds, ["clientAdded", "documentSet", "eventRecorded"])
  assert.deepEqual([denied.document.fetchedAt, denied.document.freshUntil], [null, NOW])
  const allowed = done(decideAllow(denied, LATER, by))
  assert.deepEqual(allowed.kinds, ["clientRemoved", "eventRecorded"])
  assert.deepEqual(allowed.events, ["app-removed document allowed administrator"])
})

test("CD-13 an allowed document is enabled and fetched again, but not one that is pinned", () => {
  const denied = done(decideDeny(stored({ mayDropKey: true }), made, NOW, by))
  const { client, document, kinds, events } = done(decideAllow(denied, LATER, by))
  assert.deepEqual(kinds, ["clientChanged", "documentSet", "eventRecorded"])
  assert.deepEqual([client.enabled, client.disabledByOwner], [true, false])
  assert.deepEqual([document.isDenied, document.mayDropKey, document.freshUntil], [false, false, LATER])
  assert.deepEqual(events, ["app-enabled document allowed administrator"])
  const pinned = { ...denied, document: { ...denied.document, isPinned: true } }
  assert.equal(done(decideAllow(pinned, LATER, by)).document.freshUntil, denied.document.freshUntil)
})

test("CD-12 what is not denied is allowed to have no key, if it has one", () => {
  const { client, document, kinds, events } = done(decideAllow(stored({}, keyed), LATER, by))
  assert.deepEqual(kinds, ["documentSet", "eventRecorded"])
  assert.deepEqual([document.mayDropKey, document.freshUntil], [true, LATER])
  assert.deepEqual(client.keys, keyClient.keys)
  assert.deepEqual(events, ["app-changed document allowed to have no key administrator"])
  assert.match(refused(decideAllow(stored(), NOW, by)), /nothing to allow/)
  assert.match(refused(decideAllow(null, NOW, by)), /no app with that document/)
})
