import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { type Browser, hiddenFields } from "../../support/browser.ts"
import { authorizePath, newVerifier, signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { everything } from "../../support/stored.ts"

const CONSENT = "/oauth/consent"

const { testServer, ada, bob, app } = await fixture({
  admins: ["ada"],
  accounts: ["bob"],
  browsers: ["ada", "bob"],
  apps: { app: {} },
})

function ask(browser: Browser) {
  return browser.get(authorizePath(app, newVerifier().challenge))
}

/** Checks that the response is a page of the service and that no credential was created. */
async function assertNothingGiven(
  submit: () => Promise<{ status: number; location: string | null }>,
  status: number,
) {
  const held = (await everything(testServer))["credential"]
  const answer = await submit()
  assert.deepEqual([answer.status, answer.location], [status, null])
  assert.deepEqual((await everything(testServer))["credential"], held)
}

describe("CONSENT-1, CONSENT-2: the form counts only from the browser that was shown it", () => {
  const submit = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const own = hiddenFields((await ask(bob)).text, CONSENT)
    return bob.post(CONSENT, { ...own, decision: "authorize", ...fields }, headers)
  }
  const refused: Record<string, [fields: Record<string, string>, headers?: Record<string, string>]> = {
    "without the anti-forgery token": [{ csrf: "" }],
    "with a wrong one": [{ csrf: "x".repeat(43) }],
    "from a foreign origin": [{}, { origin: "https://evil.example" }],
    "from another port": [{}, { origin: "http://localhost:1" }],
    "from an opaque origin of another site": [{}, { origin: "null", "sec-fetch-site": "cross-site" }],
    "from a sibling site": [{}, { "sec-fetch-site": "same-site" }],
    "from another site": [{}, { "sec-fetch-site": "cross-site" }],
    "without a ticket": [{ ticket: "" }],
    "with an invalid ticket": [{ ticket: "e30" }],
  }
  for (const [name, [fields, headers]] of Object.entries(refused)) {
    test(name, () => assertNothingGiven(() => submit(fields, headers), 403))
  }

  test("an opaque origin passes where the browser says same-origin", async () => {
    assert.equal((await submit({}, { origin: "null", "sec-fetch-site": "same-origin" })).status, 303)
  })

  test("an old browser that sends no Sec-Fetch-Site: its own origin or none passes, an opaque one does not", async () => {
    const origins: [origin: Record<string, string>, status: number][] = [
      [{ origin: "null" }, 403],
      [{ origin: testServer.url }, 303],
      [{}, 303],
    ]
    for (const [origin, status] of origins) {
      const fields = { ...hiddenFields((await ask(bob)).text, CONSENT), decision: "authorize" }
      const cookies = ["latchkey_session", "latchkey_browser"].map((name) => `${name}=${bob.cookie(name)}`)
      const answer = await fetch(testServer.url + CONSENT, {
        method: "POST",
        body: new URLSearchParams(fields),
        headers: { cookie: cookies.join("; "), ...origin },
        redirect: "manual",
      })
      assert.equal(answer.status, status, JSON.stringify(origin))
    }
  })

  test("with a ticket that was altered, in any of its parts", async () => {
    const { ticket = "", csrf = "" } = hiddenFields((await ask(bob)).text, CONSENT)
    for (const at of [0, 20, Math.floor(ticket.length / 2), ticket.length - 3]) {
      const letter = ticket[at] === "A" ? "B" : "A"
      const altered = ticket.slice(0, at) + letter + ticket.slice(at + 1)
      await assertNothingGiven(() => bob.post(CONSENT, { ticket: altered, csrf, decision: "authorize" }), 403)
    }
  })

  test("a ticket of another account", async () => {
    const { ticket = "" } = hiddenFields((await ask(ada)).text, CONSENT)
    await assertNothingGiven(() => submit({ ticket }), 403)
  })

  test("a ticket of another session of the same account", async () => {
    const elsewhere = await signedInBrowser(testServer, "bob")
    const { ticket = "" } = hiddenFields((await ask(elsewhere)).text, CONSENT)
    await assertNothingGiven(() => submit({ ticket }), 403)
  })

  test("a browser that is signed in no more", async () => {
    const leaving = await signedInBrowser(testServer, "bob")
    const page = await ask(leaving)
    await leaving.submit(page, "/sign-out", {})
    await assertNothingGiven(() => leaving.submit(page, CONSENT, { decision: "authorize" }), 403)
  })

  test("a body that is no form", async () => {
    await assertNothingGiven(async () => {
      const answer = await fetch(testServer.url + CONSENT, { method: "POST", body: "{}" })
      return { status: answer.status, location: answer.headers.get("location") }
    }, 400)
  })
})
