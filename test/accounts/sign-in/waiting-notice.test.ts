/** Tests the link on the account pages that leads back to the consent page. */
import { beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import type { Browser } from "../../support/browser.ts"
import { authorizePath, newVerifier, send, signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { grant } from "../../support/grant.ts"
import { PASSWORD } from "../../support/test-server.ts"
import { type Started, startDevice, started } from "../../oauth/device/device.ts"
import { codeAt } from "../factors/factors.ts"

const TOTP = "/account/security/totp"

const { testServer, app } = await fixture({
  rateLimit: "off",
  apps: { app: { permissions: ["account:read"], stepUp: true } },
})

let made = 0
let username: string
let browser: Browser
/** Each path of a page that asks for a decision, and the text of the link back. */
let waiting: readonly (readonly [path: string, link: string])[]

const codePath = ({ userCode }: Started) => `/oauth/device?user_code=${userCode}`

beforeEach(async () => {
  username = `owner-${++made}`
  await testServer.addAccount(username)
  browser = await signedInBrowser(testServer, username)
  const held = await grant(testServer, browser, app)
  const headers = { authorization: `Bearer ${held.access_token}` }
  const stepUp = started((await send(testServer, "/oauth/step-up", {}, headers)).body)
  waiting = [
    [authorizePath(app, newVerifier().challenge), "Continue to <bdi>"],
    [codePath(await startDevice(testServer, app)), "Continue"],
    [codePath(stepUp), "Continue"],
  ]
})

type Page = Awaited<ReturnType<Browser["get"]>>

function linkOf({ text }: Page, label: string): string {
  const [, path] = new RegExp(`<a href="(/oauth/[^"]*)"\\s*>${label}`).exec(text) ?? []
  return path?.replaceAll("&amp;", "&") ?? assert.fail(`no link: ${text}`)
}

const offersNothing = ({ text, headers }: Page) => {
  assert.doesNotMatch(text, /waiting for your answer/)
  assert.match(headers.get("content-security-policy") ?? "", /form-action 'self'/)
}

async function addTotp(): Promise<Page> {
  const page = await browser.get(TOTP)
  const secret = /href="otpauth:[^"]*[?;]secret=([A-Z2-7]+)/.exec(page.text)?.[1] ?? assert.fail(page.text)
  const added = await browser.submit(page, TOTP, { code: codeAt(testServer, secret), name: "Phone" })
  return browser.get(added.location ?? assert.fail(added.text))
}

describe("RECOVER-8: what waits for a decision, from the account pages", () => {
  test("is one link away on every account page, which has no form-action", async () => {
    const pages = ["/account", "/account/activity", "/account/security", TOTP]
    for (const rest of ["passkey", "password", "browsers"]) pages.push(`/account/security/${rest}`)
    for (const [path, label] of waiting) {
      assert.equal((await browser.get(path)).status, 200)
      for (const at of pages) {
        const page = await browser.get(at)
        assert.equal(linkOf(page, label), path, at)
        assert.doesNotMatch(page.headers.get("content-security-policy") ?? "", /form-action/)
      }
    }
  })

  test("follows the set-up of a second factor", async () => {
    const [[path, label] = assert.fail()] = waiting
    await browser.get(path)
    const done = await addTotp()
    const page = await browser.get(linkOf(done, label))
    const decided = await browser.submit(page, "/oauth/consent", { decision: "authorize" })
    assert.match(decided.location ?? "", /[?&]code=/)
    offersNothing(await browser.get("/account/security"))
  })

  test("is forgotten at the decision, at sign-out and after an hour", async () => {
    const openDecision = async ([path, label]: (typeof waiting)[number]) => {
      const page = await browser.get(path)
      assert.equal(linkOf(await browser.get("/account"), label), path)
      return page
    }
    for (const one of waiting) {
      await browser.submit(await openDecision(one), "/oauth/consent", { decision: "refuse" })
      offersNothing(await browser.get("/account"))
    }
    const [first = assert.fail()] = waiting
    await openDecision(first)
    testServer.clock.advance(3_601)
    offersNothing(await browser.get("/account"))

    await browser.submit(await openDecision(first), "/sign-out", { continue: "" })
    await browser.signIn(username, PASSWORD)
    offersNothing(await browser.get("/account"))
  })

  test("outlasts a sign-in that leads to an account page, and is of no other browser", async () => {
    const [[path, label] = assert.fail()] = waiting
    await browser.get(path)
    const other = await signedInBrowser(testServer, username)
    offersNothing(await other.get("/account/security"))
    await other.submit(await other.get("/account/security/browsers"), "/account/security/browsers", {
      others: "yes",
    })
    const asked = await browser.get(TOTP)
    const signedIn = await browser.submit(asked, "/sign-in", { username, password: PASSWORD })
    assert.equal(signedIn.location, TOTP)
    assert.equal(linkOf(await browser.get(TOTP), label), path)
  })

  test("a consent page whose request is long has a head that nginx reads by default", async () => {
    for (const length of [900, 1_200, 2_000, 4_000]) {
      const path = authorizePath(app, newVerifier().challenge, { state: "s".repeat(length) })
      const page = await browser.get(path)
      assert.equal(page.status, 200)
      const head = [...page.headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)
      assert.ok(head < 4_000, `${length}: ${head}`)
    }
  })
})
