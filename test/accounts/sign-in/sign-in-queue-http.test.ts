import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { Browser } from "../../support/browser.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD } from "../../support/test-server.ts"

const STRANGERS = 60

let counter = 0

const { testServer } = await fixture({ trustedProxies: ["127.0.0.1/32"], accounts: ["bob"] })

/** Returns a browser at an address that has made no attempt yet. */
function elsewhere(): Browser {
  counter += 1
  return new Browser(testServer.url, { "x-forwarded-for": `198.51.100.${counter}` })
}

describe("LOAD-3: a flood of wrong passwords", () => {
  test("what does not fit is refused at once and not counted; a known browser gets in", async () => {
    const owner = elsewhere()
    assert.equal((await owner.signIn("bob", PASSWORD)).status, 303)
    await owner.submit(await owner.get("/account"), "/sign-out", {})
    const form = await owner.get("/sign-in")

    const strangers = Array.from({ length: STRANGERS }, (_, n) => ({
      browser: elsewhere(),
      name: `visitor${n}`,
    }))
    const forms = await Promise.all(strangers.map(({ browser }) => browser.get("/sign-in")))
    const tried = strangers.map(({ browser, name }, n) =>
      browser.submit(forms[n] ?? form, "/sign-in", { username: name, password: "secret words" }),
    )
    const known = await owner.submit(form, "/sign-in", { username: "bob", password: PASSWORD })
    assert.equal(known.status, 303)

    const answers = await Promise.all(tried)
    const busy = answers.filter(({ status }) => status === 503)
    const wrong = answers.filter(({ status }) => status === 403)
    assert.equal(busy.length + wrong.length, STRANGERS)
    assert.ok(busy.length > 0 && wrong.length > 0, `${busy.length} refused, ${wrong.length} checked`)
    for (const { headers, text } of busy) {
      assert.equal(headers.get("retry-after"), "5")
      assert.match(text, /Your password was not checked/)
      assert.match(text, /value="visitor\d+"/)
      assert.equal(text.includes("secret words"), false)
    }
    for (const { text } of wrong) assert.match(text, /The username or password is not correct/)
  })

  test("a try that was refused so does not count as a failure", async () => {
    const browser = elsewhere()
    const form = await browser.get("/sign-in")
    const answers = await Promise.all(
      Array.from({ length: STRANGERS }, (_, n) =>
        browser.submit(form, "/sign-in", { username: `another ${n}`, password: "not the password" }),
      ),
    )
    const checked = answers.filter(({ status }) => status === 403).length
    assert.ok(checked < 30, `${checked} checked at once`)
    for (let n = checked; n < 30; n++)
      assert.equal((await browser.signIn(`one more ${n}`, "not the password")).status, 403)
    assert.equal((await browser.signIn("the last", "not the password")).status, 429)
  })
})
