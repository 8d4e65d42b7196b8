import { test } from "node:test"
import assert from "node:assert/strict"
import { Browser } from "../../support/browser.ts"
import { authorizePath, connect, newVerifier } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD } from "../../support/test-server.ts"

const map = (texts: Readonly<Record<string, string>>) => new Map(Object.entries(texts))
const RESOURCE = "https://plans.example/"
const OWN = ["plans:read", "plans:write"]

const { testServer, app } = await fixture({
  rateLimit: "off",
  admins: ["grace"],
  accounts: ["ada"],
  apps: {
    app: { permissions: [...OWN, "account:read", "credentials:read"] },
  },
  resourceServers: new Map([[RESOURCE, { name: map({ en: "Plans", de: "Pläne" }), jwt: null }]]),
  permissions: {
    "plans:read": {
      title: map({ en: "Read <plans>", de: "Pläne lesen" }),
      description: map({ en: "All of them.", de: "Alle." }),
      group: map({ en: "Planning", de: "Planung" }),
    },
    "plans:write": { title: map({ fr: "Modifier les plans", de: "Pläne ändern" }) },
  },
})

async function browserIn(language: string, username: string): Promise<Browser> {
  const browser = new Browser(testServer.url, { "accept-language": language })
  await browser.signIn(username, PASSWORD)
  return browser
}

const consent = async (language: string, username = "ada") =>
  (await browserIn(language, username)).get(
    authorizePath(app, newVerifier().challenge, { resource: RESOURCE }),
  )

const all = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, found]) => found)
const titlesOn = (text: string) => all(text, /<p class="permission"><bdi>([^<]*)<\/bdi>/g)

test("LANG-9 a consent page has the texts of its language from the maps of permissions and resource servers", async () => {
  const { text } = await consent("de")
  assert.deepEqual(titlesOn(text).slice(-2), ["Pläne lesen", "Pläne ändern"])
  assert.deepEqual(all(text, /<h3>([^<]*)/g), ["Ihr Konto", "Apps mit Zugriff", "Planung", "Sonstiges"])
  assert.match(text, /<bdi>Alle\.<\/bdi>/)
  assert.match(text, /<bdi>Pläne<\/bdi>/)
})

test("LANG-9 a consent page in a language that a map lacks has the default one, English or the first, escaped", async () => {
  const { text } = await consent("ja")
  assert.deepEqual(titlesOn(text).slice(-2), ["Read &lt;plans&gt;", "Modifier les plans"])
  await testServer.set("languages.default", "de")
  assert.deepEqual(titlesOn((await consent("ja")).text).slice(-2), ["Pläne lesen", "Pläne ändern"])
  await testServer.set("languages.default", "en")
})

test("LANG-10 a consent page, and the apps of an account, have built-in permissions in Japanese and Arabic", async () => {
  await connect(testServer, app, "ada")
  for (const [tag, title, group] of [
    ["ja", "アカウントの表示", "あなたのアカウント"],
    ["ar", "الاطلاع على حسابك", "حسابك"],
  ] as const) {
    const { text } = await consent(tag)
    assert.equal(titlesOn(text)[0], title)
    assert.equal(all(text, /<h3>([^<]*)/g)[0], group)
    const account = await (await browserIn(tag, "ada")).get("/account")
    assert.ok(account.text.includes(title), tag)
    const form = await (await browserIn(tag, "ada")).get("/account/apps/new")
    assert.ok(form.text.includes(title) && form.text.includes(group), tag)
  }
})

test("LANG-9 LANG-10 the console and the API have one text: of a map the default language, and English", async () => {
  await testServer.set("languages.default", "de")
  const console = await (await browserIn("ja", "grace")).get(`/console/app?id=${app.clientId}`)
  assert.match(console.text, /See your account<\/bdi> <code>account:read/)
  assert.match(console.text, /Pläne lesen<\/bdi> <code>plans:read/)
  const { access_token: token } = await connect(testServer, app, "ada")
  const headers = { authorization: `Bearer ${token}`, "accept-language": "ja" }
  const api = async (path: string) =>
    (await fetch(testServer.url + path, { headers })).json() as Promise<{
      token_id: string
      permissions: { permission: string; title: string }[]
    }>
  const { token_id: id } = await api("/api/credential")
  const { permissions } = await api(`/api/credentials/${id}/explanation`)
  const titles = new Map(permissions.map(({ permission, title }) => [permission, title]))
  assert.equal(titles.get("account:read"), "See your account")
  assert.deepEqual(
    OWN.map((name) => titles.get(name)),
    ["Pläne lesen", "Pläne ändern"],
  )
  await testServer.set("languages.default", "en")
})
