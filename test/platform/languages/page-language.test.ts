import { test } from "node:test"
import assert from "node:assert/strict"
import { Browser, hiddenFields } from "../../support/browser.ts"
import { authorizePath, newVerifier } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD } from "../../support/test-server.ts"

const none = {}
const { testServer, app } = await fixture({
  rateLimit: "off",
  admins: ["grace"],
  accounts: ["ada"],
  apps: { app: {} },
  languages: new Map([
    ["de", none],
    ["fr", none],
    ["he", none],
  ]),
})

const languageOf = ({ text }: { text: string }) => /<html lang="([^"]*)" dir="([^"]*)">/.exec(text)?.slice(1)

const visitor = (headers: Record<string, string> = {}) => new Browser(testServer.url, headers)

const authorize = (more: Record<string, string>) => authorizePath(app, newVerifier().challenge, more)

test("LANG-1 without a wish a page is in the default language, which is a known one", async () => {
  assert.deepEqual(languageOf(await visitor().get("/sign-in")), ["en", "ltr"])
  await assert.rejects(testServer.set("languages.default", "da"), /no language "da". It has en, .*he/)
  await testServer.set("languages.default", "he")
  assert.deepEqual(languageOf(await visitor().get("/sign-in")), ["he", "rtl"])
  assert.deepEqual(languageOf(await visitor().get("/oauth/authorize")), ["he", "rtl"])
  await testServer.set("languages.default", "en")
})

test("LANG-1 Accept-Language wins over the default, ui_locales over it, and the choice over both", async () => {
  const french = { "accept-language": "fr-CH,en;q=0.5" }
  assert.deepEqual(languageOf(await visitor(french).get("/sign-in")), ["fr", "ltr"])
  const path = authorize({ ui_locales: "da de-AT en" })
  assert.deepEqual(languageOf(await visitor(french).get(path)), ["de", "ltr"])
  const chosen = { ...french, cookie: "latchkey_language=he" }
  assert.deepEqual(languageOf(await visitor(chosen).get(path)), ["he", "rtl"])
  const unknown = { ...french, cookie: "latchkey_language=%22%3E%3Cb%3E" }
  assert.deepEqual(languageOf(await visitor(unknown).get("/sign-in")), ["fr", "ltr"])
})

test("LANG-3 the sign-in, its refusals and the consent of an authorization are in the language that it asks for", async () => {
  const browser = visitor({ "accept-language": "fr" })
  const signIn = await browser.get(authorize({ ui_locales: "xx de" }))
  assert.deepEqual(languageOf(signIn), ["de", "ltr"])
  const wrong = await browser.submit(signIn, "/sign-in", { username: "ada", password: "wrong" })
  assert.equal(wrong.status, 403)
  assert.deepEqual(languageOf(wrong), ["de", "ltr"])
  const { continue: sealed = "" } = hiddenFields(wrong.text, "/sign-in")
  const recover = await browser.get(`/sign-in?continue=${encodeURIComponent(sealed)}`)
  assert.deepEqual(languageOf(recover), ["de", "ltr"])
  const signedIn = await browser.submit(wrong, "/sign-in", { username: "ada", password: PASSWORD })
  const consent = await browser.get(signedIn.location ?? "")
  assert.deepEqual([consent.status, languageOf(consent)], [200, ["de", "ltr"]])
  const fields = hiddenFields(consent.text, "/oauth/consent")
  const first = await browser.post("/oauth/consent", { ...fields, decision: "authorize" })
  assert.equal(first.status, 303)
  const again = await browser.post("/oauth/consent", { ...fields, decision: "authorize" })
  assert.deepEqual([again.status, languageOf(again)], [409, ["de", "ltr"]])
  assert.deepEqual(languageOf(await browser.get("/account")), ["fr", "ltr"])
})

test("LANG-3 an unknown or hostile ui_locales changes nothing, and an error page of the authorization has its language", async () => {
  for (const text of ["", "xx", "\u{1F511}", "__proto__", '"><b>', "de".repeat(2_000)]) {
    const page = await visitor().get(authorize({ ui_locales: text }))
    assert.deepEqual([page.status, languageOf(page)], [200, ["en", "ltr"]], text.slice(0, 9))
  }
  const unknown = await visitor().get(
    "/oauth/authorize?client_id=unknown&redirect_uri=https://a&ui_locales=de",
  )
  assert.deepEqual([unknown.status, languageOf(unknown)], [400, ["de", "ltr"]])
})

test("LANG-7 the console is in English, and the account pages beside it are in the language that was chosen", async () => {
  const browser = visitor({ "accept-language": "he" })
  await browser.signIn("grace", PASSWORD)
  assert.deepEqual(languageOf(await browser.get("/account")), ["he", "rtl"])
  for (const path of ["/console", "/console/apps", "/console/nothing"])
    assert.deepEqual(languageOf(await browser.get(path)), ["en", "ltr"], path)
})
