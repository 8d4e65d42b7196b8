import { test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId } from "../../../src/kernel/ids.ts"
import { type ClientDocument, fetchedDocument } from "../../../src/model/clients/document.rules.ts"
import {
  type DocumentPolicy,
  judgeDocument,
  openPageProblem,
} from "../../../src/oauth/clients/document-policy.rules.ts"
import { NOW } from "../../support/core-sample.ts"

const clientId = "https://app.example/client.json" as ClientId
const plain = fetchedDocument(clientId, NOW, null)
const policy: DocumentPolicy = { documents: true, documentDomains: null, deniedDocumentDomains: [] }

const judge = (facts: Partial<DocumentPolicy>, stored: Partial<ClientDocument> | null = null) => {
  const judged = judgeDocument(clientId, { ...policy, ...facts }, stored && { ...plain, ...stored })
  return judged.ok ? (judged.value.isHostNamed ? "named" : "allowed") : judged.error.reason
}

test("CD-1 while documents are off, such a client is unknown, whatever is stored", () => {
  for (const stored of [null, {}, { isPinned: true }, { isDenied: true }])
    assert.equal(judge({ documents: false, documentDomains: ["app.example"] }, stored), "clientUnknown")
})

test("CD-8 a host that the operator listed is named; one that only * admits is not", () => {
  assert.equal(judge({}), "allowed")
  assert.equal(judge({ documentDomains: ["app.example"] }), "named")
  assert.equal(judge({ documentDomains: ["*.example"] }), "named")
})

test("CD-8, CD-13 an unlisted host is refused, unless its document is pinned", () => {
  for (const stored of [null, {}])
    assert.equal(judge({ documentDomains: ["other.example"] }, stored), "documentNotAllowed")
  assert.equal(judge({ documentDomains: ["other.example"] }, { isPinned: true }), "allowed")
})

test("CD-8, CD-13 a denied host and a denied document are refused, listed and pinned as they may be", () => {
  const listed = { documentDomains: ["app.example"] }
  const denied = { ...listed, deniedDocumentDomains: ["app.example"] }
  for (const stored of [null, {}, { isPinned: true }])
    assert.equal(judge(denied, stored), "documentNotAllowed")
  for (const stored of [{ isDenied: true }, { isDenied: true, isPinned: true }])
    assert.equal(judge(listed, stored), "documentNotAllowed")
})

test("CD-9 an open page grants nothing after a change that it did not show", () => {
  const changed = { ...plain, changed: { at: NOW + 5, parts: ["keys"] as const } }
  const problem = (stored: ClientDocument | null, shown: number | null) =>
    openPageProblem(clientId, policy, stored, shown)
  assert.equal(problem(null, null), null)
  assert.equal(problem(plain, null), null)
  assert.equal(problem(changed, NOW + 5), null)
  assert.equal(problem(changed, null), "document-changed")
  assert.equal(problem(changed, NOW), "document-changed")
  assert.equal(problem(null, NOW), "document-changed")
})

test("CD-1, CD-8 an open page grants nothing once documents are off, or this one is not allowed", () => {
  const off = { ...policy, documents: false }
  assert.equal(openPageProblem(clientId, off, plain, null), "app-gone")
  const denied = { ...plain, isDenied: true }
  assert.equal(openPageProblem(clientId, policy, denied, null), "document-not-allowed")
})
