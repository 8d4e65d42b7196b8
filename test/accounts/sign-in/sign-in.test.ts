import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { setAccountEnabled, setPassword } from "../../../src/accounts/accounts.ts"
import { Browser, hiddenFields } from "../../support/browser.ts"
import { authorizePath, newVerifier, signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD, OPERATOR } from "../../support/test-server.ts"
import { eventKinds, everything } from "../../support/stored.ts"
import { DAY } from "../../../src/kernel/time.ts"

const { testServer, app } = await fixture({
  admins: ["root"],
  accounts: ["Ada Łovelace", "bob"],
  apps: { app: {} },
})
const { testServer: secure } = await fixture({ baseUrl: "https://id.example", accounts: ["bob"] })

type Cookie = { readonly name: string; readonly attributes: readonly string[] }

function cookiesOf(headers: Headers): Cookie[] {
  return headers.getSetCookie().map((line) => {
    const [pair = "", ...attributes] = line.split("; ")
    return { name: pair.split("=", 1)[0] ?? "", attributes: attributes.toSorted() }
  })
}

function isSignedIn(browser: Browser): Promise<boolean> {
  return browser.get("/account").then(({ status }) => status === 200)
}

describe("AUTHZ-9, CONSENT-2: the cookies of a browser", () => {
  const common = ["HttpOnly", "Path=/", "SameSite=Lax"]

  test("over http", async () => {
    const browser = new Browser(testServer.url)
    const page = await browser.get("/sign-in")
    const lasting = { name: "latchkey_browser", attributes: [...common, `Max-Age=${400 * DAY}`].toSorted() }
    assert.deepEqual(cookiesOf(page.headers), [lasting])
    const answer = await browser.signIn("bob", PASSWORD)
    assert.deepEqual([answer.status, answer.location], [303, "/account"])
    const session = { name: "latchkey_session", attributes: [...common, `Max-Age=${90 * DAY}`].toSorted() }
    assert.deepEqual(cookiesOf(answer.headers), [session])
  })

  test("where the base address is https they are Secure and bound to the host", async () => {
    const browser = new Browser(secure.url, { origin: "https://id.example" })
    const page = await browser.get("/sign-in")
    const answer = await browser.signIn("bob", PASSWORD)
    const cookies = [...cookiesOf(page.headers), ...cookiesOf(answer.headers)]
    assert.deepEqual(
      cookies.map(({ name }) => name),
      ["__Host-latchkey_browser", "__Host-latchkey_session"],
    )
    for (const { attributes } of cookies) {
      assert.ok([...common, "Secure"].every((attribute) => attributes.includes(attribute)))
      assert.equal(
        attributes.some((attribute) => attribute.startsWith("Domain")),
        false,
      )
    }
    assert.equal(await isSignedIn(browser), true)
  })

  test("a cookie without the prefix is not read where there must be one", async () => {
    const browser = new Browser(secure.url, { origin: "https://id.example" })
    await browser.signIn("bob", PASSWORD)
    const session = browser.cookie("__Host-latchkey_session")
    const bare = await fetch(`${secure.url}/account`, {
      headers: { cookie: `latchkey_session=${session}` },
      redirect: "manual",
    })
    assert.equal(bare.status, 303)
  })
})

describe("SVC-2, AUTHZ-9: a session", () => {
  test("is new at every sign-in, also from a form that an earlier one left open, and the one before it ends", async () => {
    const browser = new Browser(testServer.url)
    const open = await browser.get("/sign-in")
    await browser.signIn("bob", PASSWORD)
    const first = browser.cookie("latchkey_session") ?? ""
    const again = await browser.submit(open, "/sign-in", { username: "bob", password: PASSWORD })
    assert.equal(again.status, 303)
    assert.notEqual(browser.cookie("latchkey_session"), first)
    assert.equal(await isSignedIn(browser), true)
    const headers = { cookie: `latchkey_session=${first}` }
    assert.equal((await fetch(`${testServer.url}/account`, { headers, redirect: "manual" })).status, 303)
  })

  test("that was planted before sign-in is worth nothing after it", async () => {
    const planted = "B".repeat(43)
    const browser = new Browser(testServer.url)
    const { text } = await browser.get("/sign-in")
    const cookie = `latchkey_browser=${browser.cookie("latchkey_browser")}; latchkey_session=${planted}`
    const answer = await fetch(`${testServer.url}/sign-in`, {
      method: "POST",
      body: new URLSearchParams({ ...hiddenFields(text, "/sign-in"), username: "bob", password: PASSWORD }),
      headers: { cookie, origin: testServer.url },
      redirect: "manual",
    })
    assert.equal(answer.status, 303)
    const [line = ""] = answer.headers.getSetCookie()
    assert.match(line, /^latchkey_session=[\w-]{43};/)
    assert.equal(line.includes(planted), false)
    const withPlanted = { headers: { cookie }, redirect: "manual" as const }
    assert.equal((await fetch(`${testServer.url}/account`, withPlanted)).status, 303)
  })

  test("ends at the server when the browser signs out", async () => {
    const browser = await signedInBrowser(testServer, "bob")
    const session = browser.cookie("latchkey_session")
    const page = await browser.get("/account")
    assert.equal((await browser.post("/sign-out", { csrf: "x" })).status, 403)
    assert.equal(await isSignedIn(browser), true)
    const answer = await browser.submit(page, "/sign-out", {})
    assert.equal(answer.status, 200)
    assert.equal(browser.cookie("latchkey_session"), undefined)
    const replay = await fetch(`${testServer.url}/account`, {
      headers: { cookie: `latchkey_session=${session}` },
      redirect: "manual",
    })
    assert.deepEqual([replay.status, replay.headers.get("location")], [303, "/sign-in"])
    assert.equal((await eventKinds(testServer)).at(-1), "signed-out")
  })

  test("ends when its account is disabled, and does not come back", async () => {
    const browser = await signedInBrowser(testServer, "bob")
    await setAccountEnabled(testServer.latchkey, "bob", false, OPERATOR)
    assert.equal(await isSignedIn(browser), false)
    assert.equal((await new Browser(testServer.url).signIn("bob", PASSWORD)).status, 403)
    await setAccountEnabled(testServer.latchkey, "bob", true, OPERATOR)
    assert.equal(await isSignedIn(browser), false)
  })

  test("ends when its account gets a new password", async () => {
    const browser = await signedInBrowser(testServer, "bob")
    await setPassword(testServer.latchkey, "bob", `${PASSWORD}!`, { address: null, except: null })
    assert.equal(await isSignedIn(browser), false)
    assert.equal((await new Browser(testServer.url).signIn("bob", PASSWORD)).status, 403)
    await setPassword(testServer.latchkey, "bob", PASSWORD, { address: null, except: null })
    assert.equal((await new Browser(testServer.url).signIn("bob", PASSWORD)).status, 303)
  })

  test("ends fourteen days after the last visit, and ninety after the first", async () => {
    const idle = await signedInBrowser(testServer, "bob")
    const busy = await signedInBrowser(testServer, "bob")
    for (let day = 0; day < 84; day += 12) {
      assert.equal(await isSignedIn(busy), true)
      testServer.clock.advance(12 * DAY)
    }
    assert.equal(await isSignedIn(idle), false)
    assert.equal(await isSignedIn(busy), true)
    testServer.clock.advance(6 * DAY + 1)
    assert.equal(await isSignedIn(busy), false)
    testServer.clock.setWall(testServer.clock.now() - DAY)
    assert.equal(await isSignedIn(busy), false)
    testServer.clock.setWall(testServer.clock.now() + DAY)
  })
})

describe("SVC-2: the name is compared in one canonical form", () => {
  for (const name of ["Ada Łovelace", "ada łovelace", "ADA ŁOVELACE", "  Ada Łovelace ", "Ａda Łovelace"]) {
    test(name, async () => {
      assert.equal((await new Browser(testServer.url).signIn(name, PASSWORD)).status, 303)
    })
  }
})

describe("AUTHZ-9: signing in on the way to consent", () => {
  const { challenge } = newVerifier()

  test("goes on to the very request that it interrupted", async () => {
    const browser = new Browser(testServer.url)
    const path = authorizePath(app, challenge, { scope: "files:read", state: "a b&c=d" })
    const page = await browser.get(path)
    const answer = await browser.submit(page, "/sign-in", { username: "bob", password: PASSWORD })
    assert.deepEqual([answer.status, answer.location], [303, path])
    assert.match((await browser.get(path)).text, /name="decision"/)
  })

  test("goes on to it after a wrong password too", async () => {
    const browser = new Browser(testServer.url)
    const path = authorizePath(app, challenge)
    const wrong = await browser.submit(await browser.get(path), "/sign-in", {
      username: "bob",
      password: "wrong one",
    })
    assert.match(wrong.text, /Sign in to continue to/)
    const answer = await browser.submit(wrong, "/sign-in", { username: "bob", password: PASSWORD })
    assert.equal(answer.location, path)
  })

  test("goes on to it also where the app wrote a question mark as it is", async () => {
    const browser = new Browser(testServer.url)
    const path = authorizePath(app, challenge, { state: "a?b?c" }).replaceAll("%3F", "?")
    const wrong = await browser.submit(await browser.get(path), "/sign-in", {
      username: "bob",
      password: "wrong one",
    })
    assert.match(wrong.text, /Sign in to continue to/)
    const answer = await browser.submit(wrong, "/sign-in", { username: "bob", password: PASSWORD })
    assert.equal(answer.location, path)
  })

  test("can be made to lead nowhere else", async () => {
    const browser = new Browser(testServer.url)
    const page = await browser.get(authorizePath(app, challenge))
    const { continue: sealed = "" } = hiddenFields(page.text, "/sign-in")
    const consent = hiddenFields(
      (await (await signedInBrowser(testServer, "bob")).get(authorizePath(app, challenge))).text,
      "/oauth/consent",
    )
    const forged = [
      "https://evil.example/",
      "//evil.example",
      "/oauth/authorize?client_id=x",
      "",
      sealed.slice(0, -2),
      `${sealed.startsWith("A") ? "B" : "A"}${sealed.slice(1)}`,
      consent["ticket"] ?? "",
    ]
    for (const text of forged) {
      const fresh = new Browser(testServer.url)
      const start = await fresh.get("/sign-in")
      const fields = { continue: text, username: "bob", password: PASSWORD }
      const answer = await fresh.submit(start, "/sign-in", fields)
      assert.deepEqual([answer.status, answer.location], [303, "/account"], text)
    }
  })
})

describe("CONSENT-2: a sign-in form counts only from a page of this service in this browser", () => {
  const ways: Record<string, [fields: Record<string, string>, headers: Record<string, string>]> = {
    "without the anti-forgery token": [{ csrf: "" }, {}],
    "with a wrong one": [{ csrf: "x".repeat(43) }, {}],
    "from a foreign origin": [{}, { origin: "https://evil.example" }],
    "from another site": [{}, { "sec-fetch-site": "cross-site" }],
  }
  for (const [name, [fields, headers]] of Object.entries(ways)) {
    test(name, async () => {
      const sessions = JSON.stringify((await everything(testServer))["session"])
      const browser = new Browser(testServer.url)
      const own = hiddenFields((await browser.get("/sign-in")).text, "/sign-in")
      const answer = await browser.post(
        "/sign-in",
        { ...own, username: "bob", password: PASSWORD, ...fields },
        headers,
      )
      assert.equal(answer.status, 403)
      assert.equal(browser.cookie("latchkey_session"), undefined)
      // Expired sessions may be deleted at any moment.
      for (const row of (await everything(testServer))["session"] ?? [])
        assert.ok(sessions.includes(JSON.stringify(row)))
    })
  }

  test("with the token of another browser", async () => {
    const [browser, other] = [new Browser(testServer.url), new Browser(testServer.url)]
    await browser.get("/sign-in")
    const answer = await browser.submit(await other.get("/sign-in"), "/sign-in", {
      username: "bob",
      password: PASSWORD,
    })
    assert.equal(answer.status, 403)
  })
})
