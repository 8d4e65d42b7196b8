/** Tests in which form an error comes before a route is known. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { loadAllRoutes } from "../../support/routes.ts"
import { fixture } from "../../support/fixture.ts"
import { sendRaw } from "./raw.ts"

const { testServer } = await fixture({})
const forms = { page: /^text\/html/, oauth: /^application\/json/, api: /^application\/json/ }

for (const { path, family } of await loadAllRoutes()) {
  // A picture is no page, but its URL is that of one once it is malformed.
  if (path.startsWith("/appearance/")) continue
  test(`ERR-10 a malformed address of ${path} is answered in the form of its family, ${family}`, async () => {
    const line = `GET ${path.replaceAll(/:\w+/g, "x")}#?a=b HTTP/1.1`
    const { status, headers } = await sendRaw(testServer.url, [line, "Host: x", "Connection: close"])
    assert.ok(status === 400 || status === 404, String(status))
    assert.match(headers.get("content-type") ?? "", forms[family])
  })
}
