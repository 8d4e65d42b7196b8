import { test } from "node:test"
import assert from "node:assert/strict"
import { MINUTE } from "../../../src/kernel/time.ts"
import { authorizePath, newVerifier, signedInBrowser } from "../../support/connect.ts"
import { openDocumentSite, publish } from "./document-app.ts"

test("OUT-6 one account that names many URLs leaves requests for the others", async (t) => {
  const { server, documents } = await openDocumentSite({ accounts: ["ada", "mallory"], span: t })
  const [ada, mallory] = [await signedInBrowser(server, "ada"), await signedInBrowser(server, "mallory")]
  const { challenge } = newVerifier()
  const statusOf = async (browser: typeof ada, path: string) =>
    (await browser.get(authorizePath(publish(documents, path), challenge))).status
  for (let at = 0; at < 40; at += 1) assert.equal(await statusOf(mallory, `/${at}`), at < 10 ? 200 : 400)
  assert.equal(await statusOf(mallory, "/0"), 200)
  assert.equal(await statusOf(ada, "/new"), 200)
  server.clock.advance(MINUTE)
  assert.equal(await statusOf(mallory, "/40"), 200)
})
