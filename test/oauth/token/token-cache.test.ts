import { test } from "node:test"
import assert from "node:assert/strict"
import { exchange, own, send, signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { issueCode } from "../../support/grant.ts"
import type { Span } from "../../support/spawn.ts"

const TOKEN = "/oauth/token"

const { testServer, app, other } = await fixture({
  accounts: ["bob"],
  apps: { app: {}, other: { type: "confidential", resourceServer: true } },
})

test("MISC-1, TOKEN-6: every answer of the token endpoint says Pragma: no-cache beside no-store", async (t) => {
  const { code, verifier } = await issueCode(await signedInBrowser(testServer, "bob"), app)
  const answers = {
    200: await exchange(testServer, app, code, verifier),
    400: await send(testServer, TOKEN, own(app)),
    401: await send(testServer, TOKEN, { client_id: "0".repeat(26), grant_type: "refresh_token" }),
    405: await fetch(testServer.url + TOKEN),
    429: await spent(),
    503: await unavailable(t),
  }
  for (const [status, answer] of Object.entries(answers)) {
    assert.equal(String(answer.status), status)
    assert.equal(answer.headers.get("cache-control"), "no-store", status)
    assert.equal(answer.headers.get("pragma"), "no-cache", status)
  }
})

test("MISC-1: every answer of the endpoints that authenticate apps says so too", async () => {
  for (const path of ["/oauth/device-authorization", "/oauth/revoke", "/oauth/introspect", "/oauth/step-up"])
    for (const answer of [
      await send(testServer, path, own(other)),
      await send(testServer, path, { ...own(other), token: "x" }),
      await send(testServer, path, {}),
      await fetch(testServer.url + path),
    ]) {
      assert.equal(answer.headers.get("cache-control"), "no-store", `${path} ${answer.status}`)
      assert.equal(answer.headers.get("pragma"), "no-cache", `${path} ${answer.status}`)
    }
})

async function spent() {
  await testServer.set("rate_limit.oauth_anonymous", "1/60")
  await send(testServer, TOKEN, own(app))
  const answer = await send(testServer, TOKEN, own(app))
  await testServer.set("rate_limit.oauth_anonymous", "off")
  return answer
}

async function unavailable(t: Span) {
  const { testServer: away } = await fixture({ span: t })
  await away.store.close()
  return await send(away, TOKEN, { client_id: "0".repeat(26), grant_type: "x" })
}
