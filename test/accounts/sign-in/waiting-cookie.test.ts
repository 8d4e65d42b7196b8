/** Tests that nothing which a person does between authorize and consent loses the authorization that waits. */
import { afterEach, beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { setEmailByOperator } from "../../../src/accounts/email/email.ts"
import { addTotp } from "../../../src/accounts/factors/totp.ts"
import { Browser, hiddenFields } from "../../support/browser.ts"
import { authorizePath, newVerifier } from "../../support/connect.ts"
import { linkIn, MailServer } from "../../support/mail-server.ts"
import { OPERATOR, PASSWORD, TestServer } from "../../support/test-server.ts"
import { codeAt } from "../factors/factors.ts"

const NEW = "another correct horse"

describe("RECOVER-8: what waits for the sign-in", () => {
  let mails: MailServer
  let testServer: TestServer
  let nexts: readonly string[]

  beforeEach(async () => {
    mails = await MailServer.open()
    testServer = await TestServer.open({ mail: mails.config() })
    await testServer.addAccount("alice")
    await setEmailByOperator(testServer.latchkey, "alice", "alice@example.org", OPERATOR)
    await testServer.sendMails()
    mails.mails.splice(0)
    const app = await testServer.addApp({ redirectUris: ["https://app.example/callback"] })
    nexts = [
      authorizePath(app, newVerifier().challenge, { redirect_uri: "https://app.example/callback" }),
      "/oauth/device?user_code=BCDF-GHJK",
    ]
  })
  afterEach(async () => {
    await testServer.close()
    await mails.close()
  })

  const linkTo = (text: string, path: string) =>
    new RegExp(`href="(${path}[^"]*)"`).exec(text)?.[1]?.replaceAll("&amp;", "&") ??
    assert.fail(`no link to ${path}`)
  const signInAt = async (browser: Browser, path: string) => {
    const fields = { username: "alice", password: PASSWORD }
    return browser.submit(await browser.get(path), "/sign-in", fields)
  }
  const assertWaits = ({ headers }: { readonly headers: Headers }) =>
    assert.doesNotMatch(headers.get("content-security-policy") ?? "", /form-action/)
  /** Asks for a link behind the sign-in page of `next`. Returns the link of the mail. */
  const ask = async (browser: Browser, next: string) => {
    const asking = await browser.get(linkTo((await browser.get(next)).text, "/recover"))
    assertWaits(asking)
    const asked = await browser.submit(asking, "/recover", { name: "alice" })
    assertWaits(asked)
    await testServer.latchkey.background.idle()
    await testServer.sendMails()
    const mail = mails.mails.splice(0).find(({ text }) => text?.includes("/recover?link="))
    return { asking, asked, link: linkIn(mail ?? assert.fail("no mail"), "/recover") }
  }

  test("continues after a new password by the link of the mail", async () => {
    for (const next of nexts) {
      const browser = new Browser(testServer.url)
      const { link } = await ask(browser, next)
      const page = await browser.get(link)
      assertWaits(page)
      const refused = await browser.submit(page, "/recover", { new_password: "short" })
      assert.equal(refused.status, 400)
      const done = await browser.submit(refused, "/recover", { new_password: NEW })
      assert.deepEqual([done.status, done.location], [303, next])
      assert.equal(browser.cookies().includes("latchkey_waiting"), false, "it has continued")
    }
  })

  test("continues after the second step that the link asks for", async () => {
    const added = await addTotp(testServer.latchkey, "alice", OPERATOR)
    assert.ok(added.ok)
    for (const next of nexts) {
      testServer.clock.advance(60)
      const browser = new Browser(testServer.url)
      const { link } = await ask(browser, next)
      const code = codeAt(testServer, added.value.secret)
      const proven = await browser.submit(await browser.get(link), "/recover", { code })
      assert.equal(proven.status, 200)
      const done = await browser.submit(proven, "/recover", { new_password: NEW })
      assert.equal(done.location, next)
    }
  })

  test("continues after “Back to sign-in”, before and after the link was asked for, and after a dead link", async () => {
    for (const next of nexts) {
      const browser = new Browser(testServer.url)
      const { asking, asked } = await ask(browser, next)
      const dead = await browser.get("/recover?link=dead")
      assert.equal(dead.status, 410)
      for (const { text } of [asking, asked, dead]) {
        const again = new Browser(testServer.url)
        const done = await signInAt(again, linkTo(text, "/sign-in"))
        assert.deepEqual([done.status, done.location], [303, next])
      }
    }
  })

  test("continues after the second step is left, or opened again", async () => {
    assert.ok((await addTotp(testServer.latchkey, "alice", OPERATOR)).ok)
    for (const next of nexts) {
      const browser = new Browser(testServer.url)
      const second = await signInAt(browser, next)
      assert.match(second.text, /One more step/)
      const reloaded = await browser.get("/sign-in/code")
      assert.equal(reloaded.status, 303)
      for (const path of [linkTo(second.text, "/sign-in"), reloaded.location ?? ""]) {
        const page = await browser.get(path)
        assertWaits(page)
        const again = await browser.submit(page, "/sign-in", { username: "alice", password: PASSWORD })
        const { continue: sealed } = hiddenFields(again.text, "/sign-in/code")
        assert.equal(testServer.latchkey.keys.open("continue", sealed ?? ""), next)
      }
    }
  })

  test("is kept for this browser alone: a link that a stranger asked for leads nowhere else", async () => {
    const [next = ""] = nexts
    const { link } = await ask(new Browser(testServer.url), next)
    const owner = new Browser(testServer.url)
    const done = await owner.submit(await owner.get(link), "/recover", { new_password: NEW })
    assert.deepEqual([done.status, done.location], [303, "/account"])
  })

  test("is forgotten at a plain /recover: the next person at this browser does not continue it", async () => {
    for (const next of nexts) {
      const browser = new Browser(testServer.url)
      const { link } = await ask(browser, next)
      const plain = await browser.get("/recover")
      assert.match(plain.headers.get("content-security-policy") ?? "", /form-action/)
      const page = await browser.get(link)
      const done = await browser.submit(page, "/recover", { new_password: NEW })
      assert.deepEqual([done.status, done.location], [303, "/account"])
    }
  })
})
