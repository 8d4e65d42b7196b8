import { test } from "node:test"
import assert from "node:assert/strict"
import { type Browser as TestBrowser, Browser } from "../../support/browser.ts"
import { fixture } from "../../support/fixture.ts"

const { testServer, ada } = await fixture({
  rateLimit: "off",
  admins: ["ada"],
  browsers: ["ada"],
  languages: new Map([["de", {}]]),
})

const visitor = () => new Browser(testServer.url)

const languageOf = ({ text }: { text: string }) => /<html lang="([^"]*)"/.exec(text)?.[1]

const linkOf = ({ text }: { text: string }) =>
  /<a href="([^"]*)" lang="[^"]*">/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? null

const choose = async (browser: TestBrowser, path: string, language: string) =>
  browser.submit(await browser.get(path), "/language", { language })

test("LANG-4 the foot of a page leads to the choice of a language, and the choice leads back", async () => {
  const browser = visitor()
  const link = linkOf(await browser.get("/sign-in?a=b&c=d"))
  assert.equal(link, "/language?next=%2Fsign-in%3Fa%3Db%26c%3Dd")
  const page = await browser.get(link)
  assert.match(page.text, /<button\s[^>]*value="de"\s+lang="de"\s+dir="ltr"[^>]*>\s*Deutsch\s*<\/button>/)
  assert.equal(linkOf(page), null)
  const chosen = await choose(browser, link, "de")
  assert.deepEqual([chosen.status, chosen.location], [303, "/sign-in?a=b&c=d"])
  assert.match(
    chosen.headers.getSetCookie().join(),
    /^latchkey_language=de; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  assert.equal(languageOf(await browser.get("/sign-in")), "de")
})

test("LANG-4 the choice leads only to a path of this service", async () => {
  for (const next of [
    "https://elsewhere.example/",
    "//elsewhere.example",
    "/\\elsewhere.example",
    "/a?b=€",
    "/a b",
    "",
    "x",
  ]) {
    const chosen = await choose(visitor(), `/language?next=${encodeURIComponent(next)}`, "en")
    assert.deepEqual([chosen.status, chosen.location], [303, "/sign-in"], next)
    const { csrf = "" } = Object.fromEntries(
      [...(await ada.get("/language")).text.matchAll(/name="(csrf)" value="([^"]*)"/g)].map(([, n, v]) => [
        n,
        v,
      ]),
    )
    const sent = await ada.post("/language", { csrf, language: "en", next })
    assert.deepEqual([sent.status, sent.location], [303, "/account"], next)
  }
})

test("LANG-4 an unknown language or a form of another session changes nothing", async () => {
  const browser = visitor()
  const unknown = await choose(browser, "/language", "xx")
  assert.deepEqual([unknown.status, unknown.headers.getSetCookie()], [400, []])
  const foreign = await browser.post("/language", { csrf: "x", language: "de" })
  assert.deepEqual([foreign.status, foreign.headers.getSetCookie()], [403, []])
})

test("LANG-4 the answer of a form, a URL that may have a secret, and the console have no link", async () => {
  assert.notEqual(linkOf(await ada.get("/account")), null)
  const refused = await visitor().signIn("ada", "wrong")
  assert.equal(refused.status, 403)
  const pages = [
    refused,
    await visitor().get("/setup?link=secret"),
    await visitor().get("/recover?link=secret"),
    await ada.get("/email/confirm?link=secret"),
    await visitor().get("/email/restore?link=secret"),
    await visitor().get("/nowhere?secret"),
    await visitor().get(`/sign-in?a=${"a".repeat(5_000)}`),
    await ada.get("/console/settings"),
  ]
  for (const page of pages) {
    assert.match(page.text, /<html lang/, `${page.status} ${page.location}`)
    assert.doesNotMatch(page.text, /\/language/)
  }
})
