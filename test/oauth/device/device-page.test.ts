import { withoutLanguageLink } from "../../support/answers.ts"
import { beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { Browser } from "../../support/browser.ts"
import { signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD } from "../../support/test-server.ts"
import { answerDevice, headingOf, openCode, poll, startDevice } from "./device.ts"
import { everything } from "../../support/stored.ts"

const { testServer, bob, app } = await fixture({
  trustedProxies: ["127.0.0.0/8"],
  rateLimit: "off",
  accounts: ["bob", "carla", "dora"],
  browsers: ["bob"],
  apps: { app: {} },
})
beforeEach(() => testServer.clock.advance(600))

async function from(username: string, address: string): Promise<Browser> {
  const browser = new Browser(testServer.url, { "x-forwarded-for": address })
  assert.equal((await browser.signIn(username, PASSWORD)).status, 303)
  return browser
}

describe("DPAGE-1, DEV-3, DEV-4: the page where a code is typed or confirmed", () => {
  test("it asks for the code, in a form that leads back to it", async () => {
    const page = await bob.get("/oauth/device")
    assert.equal(page.status, 200)
    assert.match(page.text, /<form[^>]*method="get"[^>]*action="\/oauth\/device"/)
    assert.match(page.text, /<input[^>]*name="user_code"/)
    const again = await bob.get("/oauth/device?user_code=")
    assert.equal(withoutLanguageLink(again.text), withoutLanguageLink(page.text))
  })

  test("a code in every form that a person types leads to the consent page", async () => {
    const { userCode } = await startDevice(testServer, app)
    const [left = "", right = ""] = userCode.split("-")
    const forms = [
      userCode,
      left + right,
      `${left} ${right}`,
      userCode.toLowerCase(),
      ` ${left}.${right} `,
      `${left}_${right}`,
      [...(left + right)].join("-"),
    ]
    for (const typed of forms) {
      const page = await openCode(bob, typed)
      assert.equal(page.status, 200, typed)
      assert.equal(headingOf(page), "Paperclip wants to use your account")
      assert.ok(page.text.includes(userCode), "the code is shown as the device shows it")
    }
  })

  test("letters that merely look like the code are not it", async () => {
    const { userCode } = await startDevice(testServer, app)
    const wide = [...userCode].map((c) => (c === "-" ? c : String.fromCodePoint(c.charCodeAt(0) + 0xfee0)))
    const lookalikes = [wide.join(""), userCode.replace("-", "–"), `${userCode}\u200b`, `${userCode}\u0301`]
    for (const typed of lookalikes) assert.equal((await openCode(bob, typed)).status, 400, typed)
    assert.equal((await openCode(bob, userCode)).status, 200)
  })

  test("DPAGE-2: it shows what helps to recognize a stranger's code: app, label, address, time, the code", async () => {
    const answer = await fetch(`${testServer.url}/oauth/device-authorization`, {
      method: "POST",
      body: new URLSearchParams({ client_id: app.clientId, installation_name: "Build box" }),
      headers: { "x-forwarded-for": "203.0.113.77" },
    })
    const { user_code } = (await answer.json()) as { user_code: string }
    testServer.clock.advance(125)
    const { text } = await openCode(bob, user_code)
    assert.match(text, /<time datetime="[^"]+"[^>]*>[^<]* UTC<\/time>/)
    assert.match(text, /If you did not start this, refuse/)
    for (const shown of ["Paperclip", "Build box", "203.0.113.77", "2 minutes ago", user_code, "bob"])
      assert.ok(text.includes(shown), shown)
    for (const permission of ["Change files", "Read files", "See workers"])
      assert.ok(text.includes(permission), permission)
  })

  test("looking at a code changes nothing, and binds it to no account", async () => {
    const grant = await startDevice(testServer, app)
    await bob.get("/oauth/device")
    const stored = await everything(testServer)
    await openCode(bob, grant.userCode)
    await openCode(bob, grant.userCode)
    assert.deepEqual(await everything(testServer), stored)
    const carla = await signedInBrowser(testServer, "carla")
    await answerDevice(carla, grant, "authorize")
    assert.equal((await poll(testServer, app, grant)).body["username"], "carla")
  })

  test("CONSENT-1: its form submits to /oauth/consent, carries a decision and a ticket, and leaves no doubt where", async () => {
    const page = await openCode(bob, (await startDevice(testServer, app)).userCode)
    const forms = [...page.text.matchAll(/<form[^>]*action="([^"]*)"[\s\S]*?<\/form>/g)]
    const [decision] = forms.filter(([, action]) => action === "/oauth/consent")
    const names = [...(decision?.[0].matchAll(/name="([^"]*)"/g) ?? [])].map(([, name]) => name)
    assert.deepEqual(names, ["ticket", "csrf", "decision", "decision"])
    assert.doesNotMatch(page.headers.get("content-security-policy") ?? "form-action", /form-action/)
  })
})

describe("DPAGE-1: signing in comes before a code is looked at", () => {
  test("without a session, a code reveals nothing, and no try counts", async () => {
    const { userCode } = await startDevice(testServer, app)
    const stranger = new Browser(testServer.url)
    const right = await openCode(stranger, userCode)
    const wrong = await openCode(stranger, "BBBB-BBBB")
    // Sealed and random texts differ each time, so they are removed.
    const same = (text: string) => withoutLanguageLink(text).replaceAll(/[\w-]{40,}/g, "")
    assert.equal(right.status, 200)
    assert.equal(same(right.text), same(wrong.text))
    assert.equal(right.text.includes("Paperclip"), false)
    for (let i = 0; i < 20; i++) assert.equal((await openCode(stranger, "BBBB-BBBB")).status, 200)
    assert.equal((await openCode(bob, userCode)).status, 200)
  })

  test("after it, the browser goes on to the very code", async () => {
    const { userCode } = await startDevice(testServer, app)
    const browser = new Browser(testServer.url)
    const page = await openCode(browser, userCode.toLowerCase())
    const signedIn = await browser.submit(page, "/sign-in", { username: "bob", password: PASSWORD })
    assert.equal(signedIn.status, 303)
    const next = await browser.get(signedIn.location ?? "")
    assert.equal(headingOf(next), "Paperclip wants to use your account")
  })
})

/** The field repeats the letters, digits and hyphens that were typed. */
const withoutTyped = (text: string) =>
  withoutLanguageLink(text).replace(/(name="user_code"[^>]* value=")[A-Za-z0-9 -]{0,20}"/, '$1"')

describe("DPAGE-1: unknown, expired and answered codes look the same", () => {
  test("byte for byte, and like an invalid code", async () => {
    const expired = await startDevice(testServer, app)
    testServer.clock.advance(601)
    const approved = await startDevice(testServer, app)
    const denied = await startDevice(testServer, app)
    const redeemed = await startDevice(testServer, app)
    await answerDevice(bob, approved, "authorize")
    await answerDevice(bob, denied, "refuse")
    await answerDevice(bob, redeemed, "authorize")
    await poll(testServer, app, redeemed)
    const neutral = await openCode(bob, "BCDF-GHJK")
    assert.equal(neutral.status, 400)
    const carla = await signedInBrowser(testServer, "carla")
    const toCarla = await openCode(carla, "BCDF-GHJK")
    for (const [browser, expected, codes] of [
      [bob, neutral, [expired.userCode, approved.userCode, denied.userCode, redeemed.userCode]],
      [carla, toCarla, [approved.userCode, "x", "ＢＣＤＦ"]],
    ] as const)
      for (const code of codes) {
        const page = await openCode(browser, code)
        assert.equal(page.status, 400, code)
        assert.equal(withoutTyped(page.text), withoutTyped(expected.text), code)
      }
  })

  test("DG-7 an expiry that the page showed is stored: a clock that is set back revives neither code nor polls", async () => {
    const grant = await startDevice(testServer, app)
    testServer.clock.advance(601)
    assert.equal((await openCode(bob, grant.userCode)).status, 400)
    testServer.clock.advance(-60)
    assert.equal((await openCode(bob, grant.userCode)).status, 400)
    assert.equal((await poll(testServer, app, grant)).body["error"], "expired_token")
  })

  test("a code given twice is invalid", async () => {
    const { userCode } = await startDevice(testServer, app)
    const page = await bob.get(`/oauth/device?user_code=${userCode}&user_code=${userCode}`)
    assert.equal(page.status, 400)
  })
})

describe("DPAGE-1: guessing is slowed down", () => {
  test("five wrong codes of an account in ten minutes, wherever they come from; then also right ones wait", async () => {
    const { userCode } = await startDevice(testServer, app)
    const browsers: Browser[] = []
    for (const i of [1, 2, 3]) browsers.push(await from("bob", `198.51.100.${i}`))
    for (let i = 0; i < 5; i++) {
      const [browser] = browsers.slice(i % 3)
      assert.equal((await openCode(browser ?? bob, "BBBB-BBBB")).status, 400)
    }
    for (const browser of browsers) {
      const page = await openCode(browser, userCode)
      assert.equal(page.status, 429)
      assert.equal(page.headers.get("retry-after"), "600")
      assert.match(page.text, /10 minutes/)
    }
    const carla = await from("carla", "198.51.100.9")
    assert.equal((await openCode(carla, userCode)).status, 200)
    const next = await startDevice(testServer, app)
    testServer.clock.advance(599)
    assert.equal((await openCode(bob, next.userCode)).status, 429)
    testServer.clock.advance(1)
    assert.equal((await openCode(bob, (await startDevice(testServer, app)).userCode)).status, 200)
  })

  test("ten wrong codes of an address, for all its accounts", async () => {
    const { userCode } = await startDevice(testServer, app)
    const [one, two, three] = await Promise.all(
      ["bob", "carla", "dora"].map((name) => from(name, "203.0.113.5")),
    )
    assert.ok(one && two && three)
    for (const browser of [one, two])
      for (let i = 0; i < 5; i++) assert.equal((await openCode(browser, "BBBB-BBBB")).status, 400)
    assert.equal((await openCode(three, userCode)).status, 429)
    const elsewhere = await from("dora", "203.0.113.6")
    assert.equal((await openCode(elsewhere, userCode)).status, 200)
  })

  test("an IPv6 network counts as one address", async () => {
    const browsers = [await from("bob", "2001:db8::1"), await from("carla", "2001:db8::2:1")]
    for (const browser of browsers) for (let i = 0; i < 5; i++) await openCode(browser, "BBBB-BBBB")
    const dora = await from("dora", "2001:db8:0:0:9::9")
    assert.equal((await openCode(dora, "BBBB-BBBB")).status, 429)
  })

  test("exactly as many also where they come at once", async () => {
    const pages = await Promise.all(Array.from({ length: 50 }, () => openCode(bob, "BBBB-BBBB")))
    assert.deepEqual(pages.map(({ status }) => status).toSorted(), [
      ...Array<number>(5).fill(400),
      ...Array<number>(45).fill(429),
    ])
  })

  test("right codes do not count, however many", async () => {
    const { userCode } = await startDevice(testServer, app)
    for (let i = 0; i < 25; i++) assert.equal((await openCode(bob, userCode)).status, 200)
    for (let i = 0; i < 5; i++) assert.equal((await openCode(bob, "BBBB-BBBB")).status, 400)
  })

  test("tries that had to wait do not prolong the wait", async () => {
    for (let i = 0; i < 5; i++) await openCode(bob, "BBBB-BBBB")
    for (let i = 0; i < 30; i++) {
      testServer.clock.advance(19)
      assert.equal((await openCode(bob, "BBBB-BBBB")).status, 429)
    }
    testServer.clock.advance(30)
    assert.equal((await openCode(bob, "BBBB-BBBB")).status, 400)
  })
})

test("DPAGE-1: what was typed stays in its field, but for what no code has", async () => {
  const kept = async (code: string) =>
    /name="user_code"[^>]* value="([^"]*)"/.exec((await openCode(bob, code)).text)?.[1]
  assert.equal(await kept("bcdf-ghjx"), "bcdf-ghjx")
  assert.equal(await kept('"><b>Call us!</b>'), "bCall usb")
  assert.equal(await kept("B".repeat(200)), "B".repeat(20))
})
