import { test } from "node:test"
import assert from "node:assert/strict"
import { findDocument } from "../../../src/oauth/documents/document.ts"
import { openDocumentSite, publish } from "../../oauth/documents/document-app.ts"
import { REDIRECT_URI, signedInBrowser } from "../../support/connect.ts"
import { grant } from "../../support/grant.ts"
import { recordLog } from "../../support/record-log.ts"

test("CD-5, CD-11 the log and the record of a document name each redirect URI that was left out, and why", async (t) => {
  const { log, lines } = recordLog()
  const { server, documents } = await openDocumentSite({ accounts: ["ada"], log, span: t })
  const ada = await signedInBrowser(server, "ada")
  const app = publish(documents, "/left-out", {
    redirect_uris: [REDIRECT_URI, "http://[::1]/callback", "http://[::1]:80/other"],
  })
  await grant(server, ada, app)
  const leftOut = ["http://[::1]/callback", "http://[::1]:80/other"].map(
    (uri) => `${uri}: an IPv6 address cannot be registered; use 127.0.0.1`,
  )
  const services = { ...server.latchkey, current: () => server.latchkey.settings.current() }
  const found = await findDocument(services, app.clientId)
  assert.ok(found.ok)
  assert.deepEqual(found.value.left_out, leftOut)
  const logged = lines.find((line) => line["left_out"] !== undefined)
  assert.deepEqual([logged?.["client_id"], logged?.["left_out"]], [app.clientId, leftOut])
})
