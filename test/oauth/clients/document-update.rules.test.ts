import { test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId } from "../../../src/kernel/ids.ts"
import {
  decideFailure,
  decideUpdate,
  newDocumentClient,
} from "../../../src/oauth/clients/document-update.rules.ts"
import { NOW, permissions } from "../../support/core-sample.ts"

const URL_OF_APP = "https://app.example/client.json" as ClientId
const content = {
  type: "public",
  keys: null,
  name: "App",
  redirectUris: ["https://app.example/a", "https://app.example/b"],
} as const
const stored = newDocumentClient(URL_OF_APP, { content, cacheSeconds: 600 }, permissions("account:read"), NOW)
const LATER = NOW + 600

function update(
  change: Partial<typeof content> | { name: string } | { redirectUris: string[] },
  now = LATER,
  isForced = false,
) {
  const { answer, changes } = decideUpdate(
    stored,
    { content: { ...content, ...change }, cacheSeconds: null },
    now,
    isForced,
  )
  return { answer, kinds: changes.map((one) => one.change) }
}

test("CD-6 a new client is public, enabled, and neither verified nor a resource server", () => {
  const { type, enabled, verified, stepUp, resourceServer, registeredBy, ownerId } = stored.client
  assert.deepEqual(
    { type, enabled, verified, stepUp, resourceServer, registeredBy, ownerId },
    {
      type: "public",
      enabled: true,
      verified: false,
      stepUp: false,
      resourceServer: false,
      registeredBy: "document",
      ownerId: null,
    },
  )
})

test("CD-9 the same content renews the copy alone", () => {
  const { answer, kinds } = update({})
  assert.deepEqual(kinds, ["documentSet"])
  assert.equal(answer.document.freshUntil, LATER + 3600)
  assert.equal(answer.document.changed, null)
})

test("CD-9 a new name is written and recorded; new redirect URIs are also noted", () => {
  const named = update({ name: "Other" })
  assert.deepEqual(named.kinds, ["clientChanged", "eventRecorded", "documentSet"])
  assert.equal(named.answer.document.changed, null)
  const moved = update({ redirectUris: ["https://app.example/a"] })
  assert.deepEqual(moved.answer.document.changed, { at: LATER, parts: ["redirect_uris"] })
  const sorted = update({ redirectUris: content.redirectUris.toReversed() })
  assert.equal(sorted.answer.document.changed, null)
})

test("CD-12 a key is noted when it comes, and is not given up in silence", () => {
  const keys = { jwks: null, jwksUri: "https://app.example/keys", algorithm: null, workload: null }
  const signing = { ...content, type: "confidential", keys } as const
  const came = decideUpdate(stored, { content: signing, cacheSeconds: null }, LATER).answer
  assert.deepEqual(came.document.changed, { at: LATER, parts: ["keys"] })
  assert.equal(came.client.type, "confidential")
  const dropped = decideUpdate(came, { content, cacheSeconds: null }, LATER + 7200)
  assert.equal(dropped.answer.client.type, "confidential")
  const [noted] = dropped.changes
  assert.match(
    noted?.change === "documentSet" ? (noted.document.failure?.problem ?? "") : "",
    /gave up its key/,
  )
  const allowed = { ...came, document: { ...came.document, mayDropKey: true } }
  const followed = decideUpdate(allowed, { content, cacheSeconds: null }, LATER + 7200)
  assert.equal(followed.answer.client.type, "public")
  assert.equal(followed.answer.document.mayDropKey, false)
})

test("CD-7 of requests that waited for one fetch the first writes; an operator's fetch always does", () => {
  assert.deepEqual(update({ name: "Other" }, NOW).kinds, [])
  assert.deepEqual(update({}, NOW, true).kinds, ["documentSet"])
})

test("CD-13 an update that was under way does not undo a deny or a pin", () => {
  const fetched = { content: { ...content, name: "Late" }, cacheSeconds: null }
  const denied = { ...stored, document: { ...stored.document, isDenied: true } }
  for (const isForced of [false, true]) {
    const { answer, changes } = decideUpdate(denied, fetched, LATER, isForced)
    assert.deepEqual([answer, changes], [denied, []])
  }
  const pinned = { ...stored, document: { ...stored.document, isPinned: true } }
  assert.deepEqual(decideUpdate(pinned, fetched, LATER).changes, [])
})

test("CD-7 a failure is written when it is new, differs, or was written five minutes ago", () => {
  const failing = { ...stored.document, failure: { at: NOW, problem: "No." } }
  const kinds = (problem: string, now: number) =>
    decideFailure(failing, problem, now).changes.map((one) => one.change)
  assert.deepEqual(kinds("No.", NOW + 299), [])
  assert.deepEqual(kinds("No.", NOW + 300), ["documentSet"])
  assert.deepEqual(kinds("Other.", NOW + 1), ["documentSet"])
  assert.deepEqual(decideFailure(null, "No.", NOW).changes, [])
})

test("CD-9 a change stays listed when another follows", () => {
  const moved = { ...content, redirectUris: ["https://app.example/c"] }
  const first = decideUpdate(stored, { content: moved, cacheSeconds: 600 }, LATER).answer
  const keys = { jwks: '{"keys":[]}', jwksUri: null } as never
  const second = decideUpdate(first, { content: { ...moved, keys }, cacheSeconds: 600 }, LATER + 600).answer
  assert.deepEqual(second.document.changed, { at: LATER + 600, parts: ["redirect_uris", "keys"] })
})
