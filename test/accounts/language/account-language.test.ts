import { test } from "node:test"
import assert from "node:assert/strict"
import { Browser } from "../../support/browser.ts"
import { fixture } from "../../support/fixture.ts"
import { grant } from "../../support/grant.ts"
import { PASSWORD } from "../../support/test-server.ts"

const { testServer, ada, app } = await fixture({
  rateLimit: "off",
  accounts: ["ada"],
  browsers: ["ada"],
  apps: { app: { permissions: ["account:read", "account:write"] } },
  languages: new Map([
    ["de", {}],
    ["fr", {}],
  ]),
})

const languageOf = ({ text }: { text: string }) => /<html lang="([^"]*)"/.exec(text)?.[1]

test("LANG-8 the language of a signed-in account wins over the browser's, by form and by API", async () => {
  const chosen = await ada.submit(await ada.get("/language"), "/language", { language: "de" })
  assert.equal(chosen.status, 303)
  const other = new Browser(testServer.url, { "accept-language": "fr" })
  assert.equal(languageOf(await other.get("/sign-in")), "fr")
  await other.signIn("ada", PASSWORD)
  assert.equal(languageOf(await other.get("/account")), "de")

  const { access_token } = await grant(testServer, ada, app, { scope: "account:read account:write" })
  const ask = async (method: string, body?: object) => {
    const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${testServer.url}/api/account`, { method, headers, ...sent })
    return [answer.status, ((await answer.json()) as { language: string | null }).language]
  }
  assert.deepEqual(await ask("GET"), [200, "de"])
  assert.deepEqual(await ask("PATCH", { language: "fr" }), [200, "fr"])
  assert.equal(languageOf(await ada.get("/account")), "fr")
  assert.deepEqual(await ask("PATCH", { language: "xx" }), [400, undefined])
  assert.deepEqual(await ask("PATCH", { username: "ada" }), [200, "fr"])
  assert.deepEqual(await ask("PATCH", { language: "" }), [400, undefined])
  assert.deepEqual(await ask("PATCH", { language: null }), [200, null])
  assert.deepEqual(await ask("GET"), [200, null])
  assert.equal(languageOf(await ada.get("/account")), "de", "the cookie of this browser remains")
  const events = await testServer.store.events({ kinds: ["language-changed"] }, { limit: 9 })
  assert.equal(events.length, 3, "chosen, changed and withdrawn")
})
