import { after, before, beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { setEmailByOperator } from "../../../src/accounts/email/email.ts"
import { setPassword } from "../../../src/accounts/accounts.ts"
import { resetFactors } from "../../../src/admin/accounts/factor.command.ts"
import { addTotp } from "../../../src/accounts/factors/totp.ts"
import { Browser } from "../../support/browser.ts"
import { connectIn, refresh, send, own, signedInBrowser } from "../../support/connect.ts"
import { MailServer } from "../../support/mail-server.ts"
import { type TestApp, PASSWORD, TestServer, OPERATOR } from "../../support/test-server.ts"

describe("MAIL-7: notices", () => {
  let mails: MailServer
  let testServer: TestServer
  let person = 0
  let name = ""

  before(async () => {
    mails = await MailServer.open()
    testServer = await TestServer.open({ mail: mails.config() })
  })
  after(async () => {
    await testServer.close()
    await mails.close()
  })
  beforeEach(async () => {
    name = `alice${person++}`
    await testServer.addAccount(name)
    await setEmailByOperator(testServer.latchkey, name, `${name}@example.org`, OPERATOR)
    await subjects()
  })

  /** Returns the headings and texts of the mails since the last call. */
  const subjects = async () => {
    await testServer.sendMails()
    const all = mails.mails.splice(0)
    assert.ok(all.every(({ recipients: [to] }) => to === `${name}@example.org`))
    return all.map(({ subject = "", text = "" }) => ({ heading: subject.replace(/ – .*/, ""), text }))
  }
  const headings = async () => (await subjects()).map(({ heading }) => heading)
  /** Connects an app, and returns its refresh token. */
  const connected = async (browser: Browser, app: TestApp) =>
    (await connectIn(browser, testServer, app)).refresh_token

  test("a browser that is new to the account, once", async () => {
    const browser = await signedInBrowser(testServer, name)
    const [mail] = await subjects()
    assert.equal(mail?.heading, "A new browser signed in")
    assert.match(mail.text, /Network address: 127\.0\.0\.1/)
    const { text } = await browser.get("/account")
    assert.ok(text.includes("Sign out"))
    await browser.submit(await browser.get("/account"), "/sign-out", {})
    await browser.signIn(name, PASSWORD)
    assert.deepEqual(await headings(), [])
  })

  test("MAIL-8 a new app, named only if an administrator verified it, else by the host it returns to", async () => {
    const browser = await signedInBrowser(testServer, name)
    await subjects()
    const evil = "Your bank: call 555"
    const unknown = await testServer.addApp({ name: evil, redirectUris: ["https://app.example/callback"] })
    await connected(browser, unknown)
    const [first] = await subjects()
    assert.equal(first?.heading, "An app was connected")
    assert.match(first.text, /You allowed an app at app\.example to use your\s+account/)
    assert.ok(!first.text.includes("bank"))
    const verified = await testServer.addApp({ name: "Paperclip", verified: true })
    await connected(browser, verified)
    assert.match((await subjects())[0]?.text ?? "", /You allowed Paperclip to use your account/)
  })

  test("a reused refresh token", async () => {
    const browser = await signedInBrowser(testServer, name)
    const app = await testServer.addApp()
    const token = await connected(browser, app)
    await refresh(testServer, app, token)
    testServer.clock.advance(61)
    await subjects()
    await refresh(testServer, app, token)
    const [mail] = await subjects()
    assert.equal(mail?.heading, "An app was signed out")
    assert.match(mail.text, /an app at app\.example/)
  })

  test("a refresh, a revocation and a refused sign-in send nothing", async () => {
    const browser = await signedInBrowser(testServer, name)
    const app = await testServer.addApp()
    const token = await connected(browser, app)
    await subjects()
    const answer = await refresh(testServer, app, token)
    await new Browser(testServer.url).signIn(name, "wrong password")
    await send(testServer, "/oauth/revoke", { ...own(app), token: String(answer.body["refresh_token"]) })
    assert.deepEqual(await headings(), [])
  })

  test("another password, a new second step, and its removal", async () => {
    const from = { address: null }
    await setPassword(testServer.latchkey, name, "another good password", { ...from, except: null })
    await addTotp(testServer.latchkey, name, from)
    await resetFactors(testServer.latchkey, name, from)
    assert.deepEqual((await headings()).toSorted(), [
      "A way to sign in was added",
      "A way to sign in was removed",
      "Your password was changed",
    ])
  })
})
