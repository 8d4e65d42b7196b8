import { test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId } from "../../../src/kernel/ids.ts"
import { DOCUMENT_STALE_SECONDS } from "../../../src/kernel/limits.ts"
import {
  type ClientDocument,
  documentState,
  fetchedDocument,
  freshSeconds,
  isServable,
} from "../../../src/model/clients/document.rules.ts"

const NOW = 1_800_000_000
const document = fetchedDocument("https://app.example/c" as ClientId, NOW, 600)

test("CD-7 a copy is fresh for what its headers say, within bounds, and an hour where they say nothing", () => {
  const cases: readonly (readonly [number | null, number])[] = [
    [null, 3600],
    [0, 300],
    [300, 300],
    [301, 301],
    [86_400, 86_400],
    [86_401, 86_400],
  ]
  for (const [said, seconds] of cases) assert.equal(freshSeconds(said), seconds)
})

test("CD-7 the state of a document", () => {
  const failure = { at: NOW, problem: "The host did not answer in time." }
  const stateOf = (change: Partial<ClientDocument>, now = NOW) =>
    documentState({ ...document, ...change }, now)
  assert.equal(stateOf({}), "fresh")
  assert.equal(stateOf({}, NOW + 599), "fresh")
  assert.equal(stateOf({}, NOW + 600), "stale")
  assert.equal(stateOf({ failure }), "failing")
  assert.equal(stateOf({ failure, isPinned: true }), "pinned")
  assert.equal(stateOf({ failure, isPinned: true, isDenied: true }), "denied")
})

test("CD-7 a copy serves for seven days after it was fresh; without a copy nothing does", () => {
  assert.ok(isServable(document, NOW + 600 + DOCUMENT_STALE_SECONDS - 1))
  assert.ok(!isServable(document, NOW + 600 + DOCUMENT_STALE_SECONDS))
  assert.ok(!isServable({ ...document, fetchedAt: null }, NOW))
})
