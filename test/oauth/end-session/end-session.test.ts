/** An app signs a person out, as apps ask for it and attackers try it. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { createHmac, createPublicKey, randomBytes } from "node:crypto"
import * as openid from "openid-client"
import { DAY } from "../../../src/kernel/time.ts"
import { type Change, decided } from "../../../src/model/change.rules.ts"
import { Browser } from "../../support/browser.ts"
import {
  type AppIdentity,
  codeFor,
  exchange,
  newVerifier,
  REDIRECT_URI,
  signedInBrowser,
} from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { withdrawKey } from "../jwt/jwt-service.ts"

const BYE = "https://app.example/bye"
const PATH = "/oauth/end-session"

const { testServer } = await fixture({ accounts: ["ada", "bob"], settings: { "openid.enabled": "on" } })
// A request reads the setting.
await fetch(`${testServer.url}/oauth/jwks`)
const APP = { permissions: ["openid", "account:read"], redirectUris: [REDIRECT_URI] }
const app = await testServer.addApp({ ...APP, name: "Paper <b>", postLogoutRedirectUris: [BYE] })
const other = await testServer.addApp({ ...APP, postLogoutRedirectUris: ["https://other.example/"] })

async function tokensOf(browser: Browser, of: AppIdentity = app) {
  const { verifier, challenge } = newVerifier()
  const code = await codeFor(browser, of, challenge, { scope: "openid account:read" })
  const { body } = await exchange(testServer, of, code, verifier)
  return body as { readonly id_token: string; readonly access_token: string }
}

const pathOf = (parameters: Record<string, string>) => `${PATH}?${new URLSearchParams(parameters).toString()}`
const isSignedIn = async (browser: Browser) => (await browser.get("/account")).status === 200
const isQuestion = ({ status, text }: { status: number; text: string }) =>
  status === 200 && text.includes("asks to sign you out")

test("OIDC-13, OIDC-14, OIDC-15 openid-client signs a person out, and comes back with its state", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const { id_token } = await tokensOf(ada)
  const config = await openid.discovery(new URL(testServer.url), app.clientId, undefined, openid.None(), {
    execute: [openid.allowInsecureRequests],
  })
  assert.equal(config.serverMetadata().end_session_endpoint, `${testServer.issuer}${PATH}`)
  const url = openid.buildEndSessionUrl(config, {
    id_token_hint: id_token,
    post_logout_redirect_uri: BYE,
    state: "a b",
  })
  const left = await ada.get(url.pathname + url.search)
  assert.deepEqual([left.status, left.location], [303, `${BYE}?state=a%20b`])
  assert.equal(await isSignedIn(ada), false)
  // Once more, without a session.
  assert.equal((await ada.get(url.pathname + url.search)).location, `${BYE}?state=a%20b`)
})

test("OIDC-13 the form of an app leads to the same request, and what is too long is refused", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const foreign = { origin: "https://app.example", "sec-fetch-site": "cross-site" }
  const led = await ada.post(PATH, { client_id: app.clientId, state: "x" }, foreign)
  assert.deepEqual([led.status, led.location], [303, `${PATH}?client_id=${app.clientId}&state=x`])
  const long = await ada.post(PATH, { state: "x".repeat(8_000) }, foreign)
  assert.equal(long.status, 400)
  assert.match(long.text, /You were not signed out/)
  assert.equal(await isSignedIn(ada), true)
})

test("OIDC-14 without a hint of the session a page asks, and its button signs out and leads on", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const path = pathOf({ client_id: app.clientId, post_logout_redirect_uri: BYE, state: "1" })
  const page = await ada.get(path)
  assert.ok(isQuestion(page))
  assert.match(page.text, /Paper &lt;b&gt;/)
  assert.equal(await isSignedIn(ada), true)
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? assert.fail(page.text)
  const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }
  assert.equal((await ada.post(path, { csrf }, foreign)).status, 403)
  assert.equal((await ada.post(path, { csrf: "guess" })).status, 403)
  assert.equal(await isSignedIn(ada), true)
  const left = await ada.post(path, { csrf })
  assert.deepEqual([left.status, left.location], [303, `${BYE}?state=1`])
  assert.equal(await isSignedIn(ada), false)
  // Now client_id alone leads nowhere.
  const again = await ada.get(path)
  assert.deepEqual([again.status, again.location], [200, null])
  assert.match(again.text, /You are signed out/)
})

test("OIDC-14 a sign-out ends what ends with the session, and is recorded", async () => {
  const bound = await testServer.addApp({ ...APP, endsWithSession: true, postLogoutRedirectUris: [BYE] })
  const ada = await signedInBrowser(testServer, "ada")
  const { id_token, access_token } = await tokensOf(ada, bound)
  const about = () =>
    fetch(`${testServer.url}/oauth/userinfo`, { headers: { authorization: `Bearer ${access_token}` } })
  assert.equal((await about()).status, 200)
  const left = await ada.get(pathOf({ id_token_hint: id_token }))
  assert.equal(left.status, 200)
  assert.match(left.text, /You are signed out/)
  assert.equal((await about()).status, 401)
  const events = await testServer.latchkey.store.events({}, { limit: 5, newestFirst: true })
  assert.ok(events.some(({ kind }) => kind === "signed-out"))
})

test("OIDC-14 the hint of another person or of another browser does not sign out", async () => {
  const [ada, bob, elsewhere] = await Promise.all(
    ["ada", "bob", "ada"].map((name) => signedInBrowser(testServer, name)),
  )
  if (ada === undefined || bob === undefined || elsewhere === undefined) return assert.fail()
  for (const { id_token } of [await tokensOf(bob), await tokensOf(elsewhere)]) {
    const page = await ada.get(pathOf({ id_token_hint: id_token, post_logout_redirect_uri: BYE }))
    assert.ok(isQuestion(page))
    assert.deepEqual(page.headers.getSetCookie(), [])
  }
  assert.deepEqual(await Promise.all([ada, bob, elsewhere].map(isSignedIn)), [true, true, true])
  // A picture on another site is asked for without cookies.
  const { id_token } = await tokensOf(ada)
  const picture = await new Browser(testServer.url).get(pathOf({ id_token_hint: id_token }))
  assert.deepEqual([picture.status, picture.headers.getSetCookie()], [200, []])
  assert.equal(await isSignedIn(ada), true)
})

test("OIDC-15 an address that is not the app's is never followed nor shown", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const { id_token } = await tokensOf(ada)
  for (const uri of ["https://evil.example/", `${BYE}?x`, "https://other.example/", "javascript:alert(1)"]) {
    const stranger = await new Browser(testServer.url).get(
      pathOf({ id_token_hint: id_token, post_logout_redirect_uri: uri }),
    )
    assert.deepEqual([stranger.status, stranger.location], [200, null])
    assert.ok(!stranger.text.replace(/href="\/language[^"]*"/g, "").includes(uri), uri)
  }
  const twice = `${pathOf({ id_token_hint: id_token, state: "1" })}&state=2`
  for (const path of [twice, pathOf({ id_token_hint: id_token, client_id: other.clientId })]) {
    const refused = await ada.get(path)
    assert.equal(refused.status, 400)
    assert.match(refused.text, /This sign-out link is not valid/)
  }
  assert.equal(await isSignedIn(ada), true)
})

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url")

/** The key that signs became a former one so long ago that it is published no more. */
async function endKey(): Promise<void> {
  const { clock, store } = testServer
  const endedAt = clock.now() - 2 * DAY
  await store.change({ signingKeys: true }, ({ signingKeys }) =>
    decided(
      null,
      ...(signingKeys ?? []).map((key): Change => {
        return { change: "signingKeySet", key: { ...key, state: "former", sealedPrivate: null, endedAt } }
      }),
    ),
  )
}

test("OIDC-14 an expired hint, and one of a key that signs no more, still proves its session", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const { id_token } = await tokensOf(ada)
  await endKey()
  testServer.clock.advance(4_000)
  const path = pathOf({ id_token_hint: id_token, post_logout_redirect_uri: BYE })
  assert.equal((await ada.get(path)).location, BYE)
})

test("OIDC-14 a hint of a withdrawn key names its app and proves no session, so a page asks", async () => {
  const [ada, bob] = [await signedInBrowser(testServer, "ada"), await signedInBrowser(testServer, "bob")]
  const [{ id_token }, ofBob] = [await tokensOf(ada), await tokensOf(bob)]
  await withdrawKey(testServer, "RS256", 0)
  // A hint costs no read of its own: the keys of the process are up to 250 ms old.
  await bob.get(pathOf({ id_token_hint: ofBob.id_token }))
  assert.equal(await isSignedIn(bob), false)
  testServer.clock.advance(1)
  const path = pathOf({ id_token_hint: id_token, post_logout_redirect_uri: BYE })
  const page = await ada.get(path)
  assert.ok(isQuestion(page))
  assert.match(page.text, /Paper &lt;b&gt;/)
  assert.equal(await isSignedIn(ada), true)
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? assert.fail(page.text)
  assert.equal((await ada.post(path, { csrf })).location, BYE)
  assert.equal(await isSignedIn(ada), false)
})

test("OIDC-14 a hint that is not signed by a key of ours names no app and no address", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const { id_token } = await tokensOf(ada)
  const [header = "", payload = "", signature = ""] = id_token.split(".")
  const { kid } = JSON.parse(Buffer.from(header, "base64url").toString()) as { kid: string }
  const { keys } = (await (await fetch(`${testServer.url}/oauth/jwks`)).json()) as { keys: { kid: string }[] }
  const jwk = keys.find((key) => key.kid === kid) ?? assert.fail()
  const pem = createPublicKey({ key: jwk, format: "jwk" }).export({ type: "spki", format: "pem" })
  const hs256 = `${encode({ alg: "HS256", kid, typ: "JWT" })}.${payload}`
  const mac = createHmac("sha256", pem).update(hs256).digest("base64url")
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object
  for (const hint of [
    `${encode({ alg: "none", kid, typ: "JWT" })}.${payload}.`,
    `${hs256}.${mac}`,
    `${header}.${encode({ ...claims, sub: "x" })}.${signature}`,
    `${encode({ alg: "RS256", kid: "unknown", typ: "JWT" })}.${payload}.${signature}`,
    `${header}.${payload}.${randomBytes(384).toString("base64url")}`,
    "not a token",
    "..",
    ".".repeat(3_000),
  ]) {
    const parameters = { id_token_hint: hint, client_id: app.clientId, post_logout_redirect_uri: BYE }
    const page = await ada.get(pathOf(parameters))
    assert.ok(isQuestion(page), hint)
    assert.ok(!page.text.includes("Paper"), hint)
    const stranger = await new Browser(testServer.url).get(pathOf(parameters))
    assert.deepEqual([stranger.status, stranger.location], [200, null])
  }
  assert.equal(await isSignedIn(ada), true)
})

test("OIDC-13 it is not there while OpenID Connect is off", async () => {
  await testServer.set("openid.enabled", "off")
  for (const method of ["GET", "POST"])
    assert.equal((await fetch(testServer.url + PATH, { method })).status, 404)
  await testServer.set("openid.enabled", "on")
})
