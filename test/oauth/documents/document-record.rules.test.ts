import { test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId } from "../../../src/kernel/ids.ts"
import { type ClientDocument, fetchedDocument } from "../../../src/model/clients/document.rules.ts"
import { documentRecord } from "../../../src/oauth/documents/document-record.rules.ts"
import { NOW, publicClient } from "../../support/core-sample.ts"

const clientId = "https://app.example:8443/oauth/client.json" as ClientId
const document = fetchedDocument(clientId, NOW, 600)
const record = (facts: Partial<ClientDocument> = {}, now = NOW) =>
  documentRecord({ ...publicClient, clientId }, { ...document, ...facts }, 3, now)

test("CD-11 the record has the URL, its host, the state and the times of the copy", () => {
  assert.deepEqual(record(), {
    client_id: clientId,
    client_name: "Sample",
    host: "app.example:8443",
    state: "fresh",
    fetched_at: NOW,
    next_fetch_at: NOW + 600,
    last_error: null,
    left_out: [],
    credentials: 3,
  })
  assert.equal(record({}, NOW + 600).state, "stale")
})

test("CD-11, OUT-6 after a failure the next fetch is not before the copy is stale, nor within 30 seconds", () => {
  const failed = (at: number) => record({ failure: { at, problem: "The answer is too long." } })
  assert.equal(failed(NOW + 10).next_fetch_at, NOW + 600)
  assert.equal(failed(NOW + 590).next_fetch_at, NOW + 620)
  assert.deepEqual([failed(NOW).state, failed(NOW).last_error], ["failing", "The answer is too long."])
})

test("CD-13 a pinned document and a denied one are not fetched", () => {
  for (const [facts, state] of [
    [{ isPinned: true }, "pinned"],
    [{ isDenied: true }, "denied"],
    [{ isPinned: true, isDenied: true, fetchedAt: null }, "denied"],
  ] as const) {
    const { state: shown, next_fetch_at: next } = record(facts)
    assert.deepEqual([shown, next], [state, null])
  }
})
