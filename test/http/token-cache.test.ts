import { after, before, test } from "node:test"
import assert from "node:assert/strict"
import { exchange, own, send, signedInBrowser } from "../support/connect.ts"
import { TestServer, type TestApp } from "../support/house.ts"
import { issueCode } from "./grant.ts"

const TOKEN = "/oauth/token"

let house: TestServer
let app: TestApp

before(async () => {
  house = await TestServer.open()
  await house.addAccount("bob")
  app = await house.addApp()
})
after(() => house.close())

test("MISC-1, TOKEN-6: every answer of the token endpoint says Pragma: no-cache beside no-store", async () => {
  const { code, verifier } = await issueCode(await signedInBrowser(house, "bob"), app)
  const answers = {
    200: await exchange(house, app, code, verifier),
    400: await send(house, TOKEN, own(app)),
    401: await send(house, TOKEN, { client_id: "0".repeat(26), grant_type: "refresh_token" }),
    405: await fetch(house.url + TOKEN),
    429: await spent(),
    503: await unavailable(),
  }
  for (const [status, answer] of Object.entries(answers)) {
    assert.equal(String(answer.status), status)
    assert.equal(answer.headers.get("cache-control"), "no-store", status)
    assert.equal(answer.headers.get("pragma"), "no-cache", status)
  }
})

async function spent() {
  await house.set("rate_limit.oauth_anonymous", "1/60")
  await send(house, TOKEN, own(app))
  const answer = await send(house, TOKEN, own(app))
  await house.set("rate_limit.oauth_anonymous", "off")
  return answer
}

async function unavailable() {
  const away = await TestServer.open()
  try {
    await away.store.close()
    return await send(away, TOKEN, { client_id: "0".repeat(26), grant_type: "x" })
  } finally {
    await away.close()
  }
}
