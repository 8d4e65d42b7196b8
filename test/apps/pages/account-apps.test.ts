/** Tests /account/apps and the pages below it, for an owner's own apps. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { updateApp } from "../../../src/apps/app.ts"
import { hiddenFields } from "../../support/browser.ts"
import { exchange, newVerifier, refresh, signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD, type TestApp, OPERATOR } from "../../support/test-server.ts"
import { codeFor } from "../../support/connect.ts"
import { grant } from "../../support/grant.ts"
import { everything } from "../../support/stored.ts"

const APPS = "/account/apps"
const REDIRECT = "https://app.example/callback"

const { testServer } = await fixture({ rateLimit: "off", accounts: ["ada", "bob"] })

type Person = Awaited<ReturnType<typeof signedInBrowser>>
type Fields = Record<string, string | readonly string[]>

const filled = {
  name: "Notebook",
  type: "confidential",
  redirect_uris: `${REDIRECT}\r\n\r\n  http://127.0.0.1/callback  `,
  permission: ["files:read", "account:read"],
}

const clients = async () => (await everything(testServer))["client"] ?? []
const clientRow = async (id: string) => (await clients()).find((row) => row["client_id"] === id) ?? {}
const idOf = (text: string) => /[?]id=([0-9a-z]{26})/.exec(text)?.[1] ?? ""
const headingOf = (text: string) => /<h1>([^<]*)</.exec(text)?.[1]
/** The lookbehind is needed, because a sealed text may contain the same letters by chance. */
const secretOf = (text: string) => /(?<![\w-])lks_[\w-]+/.exec(text)?.[0] ?? null

async function registered(person: Person, more: Fields = {}): Promise<TestApp> {
  const page = await person.get(`${APPS}/new`)
  const answer = await person.submit(page, `${APPS}/new`, { ...filled, ...more })
  const clientId = idOf(answer.location ?? answer.text)
  const { client } = await testServer.store.read({ client: clientId as never })
  assert.ok(client !== null, answer.text)
  return { client, clientId, secret: secretOf(answer.text) }
}

test("SVC-8, CLIENT-3 an app of one's own is registered, its secret shown once, and it works", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const page = await ada.get(`${APPS}/new`)
  const sent = { ...hiddenFields(page.text, `${APPS}/new`), ...filled, step_up: "on" }
  const earlier = (await clients()).length
  const answer = await ada.post(`${APPS}/new`, sent)
  const secret = secretOf(answer.text)
  assert.equal(answer.status, 200)
  assert.ok(secret !== null && answer.text.includes("Copy the secret now"))

  const again = await ada.post(`${APPS}/new`, sent)
  assert.deepEqual([again.status, again.location, (await clients()).length], [303, APPS, earlier + 1])
  const id = idOf(answer.text)
  const row = await clientRow(id)
  assert.deepEqual(
    [row["registered_by"], row["verified"], row["resource_server"], row["step_up"], row["type"]],
    ["user", 0, 0, 1, "confidential"],
  )
  assert.deepEqual(JSON.parse(String(row["redirect_uris"])), [REDIRECT, "http://127.0.0.1/callback"])

  const shown = await ada.get(`${APPS}/app?id=${id}`)
  assert.ok(shown.text.includes("Notebook") && secretOf(shown.text) === null)
  const { client } = await testServer.store.read({ client: id as never })
  assert.ok(client !== null)
  const held = await grant(testServer, ada, { client, clientId: id, secret })
  assert.equal(held.scope, "account:read workers:read files:read")
  assert.ok((await ada.get(APPS)).text.includes(`${APPS}/app?id=${id}`))
})

test("SVC-8 what was typed is kept, and each field says what is wrong with it", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const page = await ada.get(`${APPS}/new`)
  const earlier = (await clients()).length
  const answer = await ada.submit(page, `${APPS}/new`, {
    name: "Nоtebook <b>",
    redirect_uris: `${REDIRECT}\njavascript:alert(1)`,
    permission: ["files:read", "admin:settings"],
  })
  assert.equal(answer.status, 400)
  for (const part of [
    "look alike",
    "Choose what kind of app it is.",
    "Only an administrator can let an app ask for admin:settings.",
    "Nоtebook &lt;b&gt;",
    "javascript:alert(1)",
  ])
    assert.ok(answer.text.includes(part), part)
  assert.match(answer.text, /value="files:read"[^>]*checked/)
  const second = await ada.submit(answer, `${APPS}/new`, {
    ...filled,
    redirect_uris: `${REDIRECT}\njavascript:alert(1)`,
  })
  assert.ok(second.text.includes("Line 2: The scheme javascript: is not an app&#39;s, because it runs code"))
  assert.equal((await clients()).length, earlier)
})

test("SVC-8 an app of another account is answered like an unknown one, page by page and form by form", async () => {
  const [ada, bob] = [await signedInBrowser(testServer, "ada"), await signedInBrowser(testServer, "bob")]
  const theirs = await registered(ada)
  const mine = await registered(bob)
  const own = hiddenFields((await bob.get(`${APPS}/edit?id=${mine.clientId}`)).text, `${APPS}/edit`)
  const ticket = hiddenFields((await bob.get(`${APPS}/new`)).text, `${APPS}/new`)["ticket"] ?? ""
  const earlier = JSON.stringify(await clientRow(theirs.clientId))
  const said = async (id: string) => {
    const answers: unknown[] = []
    for (const path of ["app", "edit", "secret", "disable", "remove", "icon"])
      answers.push([path, (await bob.get(`${APPS}/${path}?id=${id}`)).status])
    for (const path of ["edit", "secret", "disable", "enable", "remove", "icon/remove"]) {
      const answer = await bob.post(`${APPS}/${path}`, { ...own, ...filled, id, ticket })
      answers.push([path, answer.status, answer.location, headingOf(answer.text)])
    }
    return answers
  }
  const unknown = "0".repeat(26)
  assert.deepEqual(await said(theirs.clientId), await said(unknown))
  assert.deepEqual(await said("'"), await said(unknown))
  assert.equal(JSON.stringify(await clientRow(theirs.clientId)), earlier)
})

test("PERM-5 the first submit shows what a change takes from how many, the second saves exactly that", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const app = await registered(ada)
  const held = await grant(testServer, ada, app)
  const page = await ada.get(`${APPS}/edit?id=${app.clientId}`)
  const change = { name: "Renamed", redirect_uris: REDIRECT, permission: "account:read" }
  const first = await ada.submit(page, `${APPS}/edit`, change)
  assert.equal(first.status, 200)
  assert.ok(first.text.includes("Out of reach for fewer than 5 accounts."))
  assert.equal((await clientRow(app.clientId))["name"], "Notebook")

  const other = await ada.submit(first, `${APPS}/edit`, { permission: [] })
  assert.ok(other.text.includes("Before it is saved"))
  assert.equal((await clientRow(app.clientId))["name"], "Notebook")
  const second = await ada.submit(first, `${APPS}/edit`, {})
  assert.deepEqual([second.status, second.location], [303, `${APPS}/app?id=${app.clientId}&done=saved`])
  assert.equal((await clientRow(app.clientId))["name"], "Renamed")
  assert.equal((await refresh(testServer, app, held.refresh_token)).body["scope"], "account:read")

  const back = await ada.submit(await ada.get(`${APPS}/edit?id=${app.clientId}`), `${APPS}/edit`, {
    ...change,
    permission: ["account:read", "files:read"],
  })
  assert.equal(back.status, 303)
})

test("CLIENT-3 a new secret takes a fresh proof, ends the old one at once, and a repeated form leaves it", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const app = await registered(ada)
  const held = await grant(testServer, ada, app)
  const page = await ada.get(`${APPS}/secret?id=${app.clientId}`)
  testServer.clock.advance(301)
  const late = await ada.submit(page, `${APPS}/secret`, {})
  assert.ok(late.text.includes("Confirm that it’s you"))
  assert.equal((await refresh(testServer, app, held.refresh_token)).status, 200)

  const made = await ada.submit(late, `${APPS}/secret`, { password: PASSWORD })
  const secret = secretOf(made.text)
  const again = await ada.submit(late, `${APPS}/secret`, { password: PASSWORD })
  assert.deepEqual([again.status, secretOf(again.text)], [200, null])
  assert.ok(secret !== null && secret !== app.secret)
  const { verifier, challenge } = newVerifier()
  const code = await codeFor(ada, app, challenge)
  assert.equal((await exchange(testServer, app, code, verifier)).status, 401)
  assert.equal((await exchange(testServer, { ...app, secret }, code, verifier)).status, 200)

  const bare = await registered(ada, { type: "public" })
  assert.equal(bare.secret, null)
  assert.equal((await ada.get(`${APPS}/secret?id=${bare.clientId}`)).status, 404)
})

test("SVC-8 an app of one's own is disabled and enabled again; an administrator's word stands above it", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const app = await registered(ada, { type: "public" })
  const held = await grant(testServer, ada, app)
  const asked = await ada.get(`${APPS}/disable?id=${app.clientId}`)
  assert.ok(asked.text.includes("fewer than 5 accounts"))
  for (const _ of ["once", "twice"]) {
    const answer = await ada.submit(asked, `${APPS}/disable`, {})
    assert.equal(answer.status, 303)
    assert.match((await ada.get(answer.location ?? "")).text, /Disabled\. It does not work until/)
  }
  assert.equal((await refresh(testServer, app, held.refresh_token)).status, 401)
  const shown = await ada.get(`${APPS}/app?id=${app.clientId}`)
  assert.ok(shown.text.includes("You disabled it"))
  assert.equal((await ada.submit(shown, `${APPS}/enable`, {})).status, 303)
  assert.equal((await refresh(testServer, app, held.refresh_token)).status, 200)

  const { setAppEnabled } = await import("../../../src/apps/app.ts")
  await setAppEnabled(testServer.latchkey, app.clientId, false, OPERATOR)
  const stopped = await ada.get(`${APPS}/app?id=${app.clientId}`)
  assert.ok(stopped.text.includes("An administrator disabled it"))
  const refused = await ada.submit(shown, `${APPS}/enable`, {})
  assert.equal(refused.status, 400)
  assert.equal((await clientRow(app.clientId))["enabled"], 0)
})

test("SVC-8 removing an app takes a fresh proof, ends all its credentials, and is done once", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const app = await registered(ada, { type: "public" })
  const held = await grant(testServer, ada, app)
  const page = await ada.get(`${APPS}/remove?id=${app.clientId}`)
  testServer.clock.advance(301)
  const late = await ada.submit(page, `${APPS}/remove`, {})
  assert.ok(late.text.includes("Confirm that it’s you"))
  for (const _ of ["once", "twice"]) {
    const gone = await ada.submit(late, `${APPS}/remove`, { password: PASSWORD })
    assert.deepEqual([gone.status, gone.location], [303, `${APPS}?done=removed`])
  }
  assert.equal((await refresh(testServer, app, held.refresh_token)).body["error"], "invalid_client")
  assert.ok((await ada.get("/account/activity")).text.includes("the app was removed from this service"))
})

test("CLIENT-5, ICON-1 an icon is uploaded with the form, drawn again, and removed; a file that is not an image is reported", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const app = await registered(ada, { type: "public" })
  const path = `${APPS}/icon`
  const page = await ada.get(`${path}?id=${app.clientId}`)
  const { default: sharp } = await import("sharp")
  const picture = await sharp({ create: { width: 20, height: 10, channels: 3, background: "#c00" } })
    .png()
    .toBuffer()
  const send = (file: Uint8Array | null, fields: Record<string, string>) =>
    ada.postFile(path, fields, "icon", file)
  const fields = hiddenFields(page.text, path)
  assert.equal((await send(picture, { ...fields, csrf: "x" })).status, 403)
  assert.ok((await send(Buffer.from("<svg/>"), fields)).status === 400)
  const none = await send(null, fields)
  assert.ok(none.text.includes("Choose a picture first."), `${none.status} ${headingOf(none.text)}`)
  assert.equal((await clientRow(app.clientId))["icon_hash"] ?? null, null)
  const stored = await send(picture, fields)
  assert.deepEqual([stored.status, stored.location], [303, `${path}?id=${app.clientId}`])
  const shown = await ada.get(stored.location ?? "")
  assert.match(shown.text, /src="data:image\/png;base64,/)
  assert.equal((await ada.submit(shown, `${path}/remove`, {})).status, 303)
  assert.ok(!(await ada.get(`${path}?id=${app.clientId}`)).text.includes("data:image"))
})

test("nothing is done to an app by a link or by a form of another site", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const app = await registered(ada)
  const earlier = JSON.stringify(await clientRow(app.clientId))
  const cross = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" }
  for (const path of ["new", "edit", "secret", "disable", "enable", "remove", "icon", "icon/remove"]) {
    const fields = { ...filled, id: app.clientId }
    assert.equal((await ada.post(`${APPS}/${path}`, fields, cross)).status, 403, path)
    assert.equal((await ada.post(`${APPS}/${path}`, { ...fields, csrf: "x" })).status, 403, path)
    await ada.get(`${APPS}/${path}?id=${app.clientId}&confirmed=x&ticket=${"0".repeat(26)}`)
  }
  assert.equal(JSON.stringify(await clientRow(app.clientId)), earlier)
})

test("SERVICE-2 the form of an app that acts for a service account offers its owner no more permissions", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const { clientId } = await registered(ada, { permission: ["files:write"] })
  const form = () => ada.get(`${APPS}/edit?id=${clientId}`)
  const offered = (text: string) =>
    [...text.matchAll(/name="permission"\s+value="([^"]+)"/g)].map(([, name]) => name)
  const stale = await form()
  assert.ok(offered(stale.text).includes("account:read"))
  await testServer.addServiceAccount("form-ci")
  assert.ok((await updateApp(testServer.latchkey, clientId, { serviceAccountName: "form-ci" }, OPERATOR)).ok)
  const page = await form()
  assert.deepEqual(offered(page.text).toSorted(), ["files:read", "files:write", "workers:read"])
  assert.match(page.text, /Only\s+an\s+administrator\s+can\s+add\s+one/)
  const sent = { permission: ["files:write", "account:read"] }
  const refused = await ada.submit(stale, `${APPS}/edit`, sent)
  assert.equal(refused.status, 400)
  assert.match(refused.text, /Only an administrator can let it ask for account:read/)
  const { client } = await testServer.store.read({ client: clientId as never })
  assert.deepEqual(client?.ceiling, ["files:write"])
})

test("SVC-8 the list of one's apps is paged by key, newest first", async () => {
  await testServer.addAccount("maker")
  const maker = await signedInBrowser(testServer, "maker")
  const made: string[] = []
  for (let i = 0; i < 53; i++) made.push((await registered(maker, { type: "public" })).clientId)
  const listed = (text: string) =>
    [...text.matchAll(/apps\/app\?id=([0-9a-z]{26})/g)].map(([, id = ""]) => id)
  const first = await maker.get(APPS)
  const older = /href="([^"]*[?]after=[^"]*)"/.exec(first.text)?.[1] ?? ""
  const second = await maker.get(older)
  assert.deepEqual([...listed(first.text), ...listed(second.text)], made.toReversed())
  assert.ok(!second.text.includes("?after="))
})

test("SVC-8, OIDC-1 an app with openid is shown the OpenID configuration, while the setting is on", async () => {
  await testServer.set("openid.enabled", "on")
  const ada = await signedInBrowser(testServer, "ada")
  const url = `${testServer.issuer}/.well-known/openid-configuration`
  const shows = async ({ clientId }: TestApp) =>
    (await ada.get(`${APPS}/app?id=${clientId}`)).text.includes(url)
  const [signIn, other] = [await registered(ada, { permission: ["openid"] }), await registered(ada)]
  assert.deepEqual([await shows(signIn), await shows(other)], [true, false])
  await testServer.set("openid.enabled", "off")
  assert.equal(await shows(signIn), false)
})
