import { afterEach, beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { setPassword } from "../../../src/accounts/accounts.ts"
import { setEmailByOperator } from "../../../src/accounts/email/email.ts"
import { Browser, hiddenFields } from "../../support/browser.ts"
import { signedInBrowser } from "../../support/connect.ts"
import { linkIn, MailServer } from "../../support/mail-server.ts"
import { everything } from "../../support/stored.ts"
import { PASSWORD, TestServer, OPERATOR } from "../../support/test-server.ts"

const CONFIRM = "/email/confirm"
const RESTORE = "/email/restore"

describe("the e-mail address of an account", () => {
  let mails: MailServer
  let testServer: TestServer

  beforeEach(async () => {
    mails = await MailServer.open()
    testServer = await TestServer.open({ mail: mails.config() })
    await testServer.addAccount("alice")
  })
  afterEach(async () => {
    await testServer.close()
    await mails.close()
  })

  const stored = async () => (await everything(testServer))["email"] ?? []
  const address = async () => (await stored()).map((row) => row["address"])
  const enter = async (browser: Browser, text: string) =>
    browser.submit(await browser.get("/account/email"), "/account/email", { address: text })
  const remove = async (browser: Browser) => {
    const { text } = await browser.get("/account/email")
    return browser.post("/account/email", { ...hiddenFields(text, "/account/email"), do: "remove" })
  }
  /** Returns the last mail whose subject or text has `words`. Mails that wait together may come in any order. */
  const lastMail = async (words: string) => {
    await testServer.sendMails()
    const mail = mails.mails.findLast(({ subject, text }) => `${subject}\n${text}`.includes(words))
    return mail ?? assert.fail(`no mail has ${words}`)
  }
  /** Opens a link and presses its button. To confirm an address, the browser must be signed in to the account. */
  const follow = async (path: string, link: string, browser = new Browser(testServer.url)) => {
    if (path === CONFIRM) await browser.signIn("alice", PASSWORD)
    const page = await browser.get(link)
    if (page.status !== 200) return page
    return browser.submit(page, path, {})
  }

  test("EMAIL-2 EMAIL-3 an address counts once its link was confirmed by POST", async () => {
    const alice = await signedInBrowser(testServer, "alice")
    const page = await enter(alice, "Alice@EXAMPLE.org")
    assert.match(page.text, /A link was sent to <bdi>Alice@example\.org<\/bdi>/)
    const mail = await lastMail(CONFIRM)
    assert.deepEqual(mail.recipients, ["Alice@example.org"])
    assert.deepEqual(await address(), [])
    const link = linkIn(mail, CONFIRM)
    for (let n = 0; n < 3; n++) assert.equal((await new Browser(testServer.url).get(link)).status, 303)
    for (let n = 0; n < 3; n++) assert.equal((await alice.get(link)).status, 200)
    assert.deepEqual(await address(), [])
    const done = await follow(CONFIRM, link)
    assert.equal(done.status, 200)
    assert.match(done.text, /Your address is confirmed/)
    assert.deepEqual(await address(), ["Alice@example.org"])
    assert.equal((await follow(CONFIRM, link)).status, 410)
    assert.match((await alice.get("/account/security")).text, /Alice@example\.org/)
  })

  test("EMAIL-3 only the digest of a link is stored, and the outbox holds its secret encrypted", async () => {
    const alice = await signedInBrowser(testServer, "alice")
    await enter(alice, "alice@example.org")
    const before = JSON.stringify(await everything(testServer))
    const secret = linkIn(await lastMail(CONFIRM), CONFIRM).split("=")[1] ?? ""
    assert.equal(secret.length, 43)
    assert.ok(!before.includes(secret))
    const [row] = (await everything(testServer))["outbox"] ?? []
    assert.deepEqual([row?.["address"], row?.["sealed_link"], row?.["next_try_at"]], [null, null, null])
  })

  test("EMAIL-3 a newer link ends the older one, and so does an hour or a new password", async () => {
    const alice = await signedInBrowser(testServer, "alice")
    await enter(alice, "first@example.org")
    const first = linkIn(await lastMail(CONFIRM), CONFIRM)
    await enter(alice, "second@example.org")
    const second = linkIn(await lastMail(CONFIRM), CONFIRM)
    assert.equal((await follow(CONFIRM, first)).status, 410)
    testServer.clock.advance(3601)
    assert.equal((await follow(CONFIRM, second)).status, 410)
    assert.deepEqual(await address(), [])
  })

  test("EMAIL-4 the former address gets a link that brings it back and signs every browser out", async () => {
    await setEmailByOperator(testServer.latchkey, "alice", "owner@example.org", OPERATOR)
    const thief = await signedInBrowser(testServer, "alice")
    for (const text of ["thief1@example.org", "thief2@example.org"]) {
      await enter(thief, text)
      assert.equal((await follow(CONFIRM, linkIn(await lastMail(CONFIRM), CONFIRM))).status, 200)
      testServer.clock.advance(1)
    }
    await testServer.sendMails()
    assert.deepEqual(await address(), ["thief2@example.org"])
    const toThief = mails.mails.find(
      ({ recipients: [to], text }) => to === "thief1@example.org" && text?.includes(RESTORE),
    )
    const toOwner = mails.mails.find(
      ({ recipients: [to], text }) => to === "owner@example.org" && text?.includes(RESTORE),
    )
    assert.ok(toThief !== undefined && toOwner !== undefined)
    const done = await follow(RESTORE, linkIn(toOwner, RESTORE))
    assert.match(done.text, /Your address is back/)
    assert.deepEqual(await address(), ["owner@example.org"])
    assert.match((await thief.get("/account/security")).text, /name="password"/)
    assert.equal((await follow(RESTORE, linkIn(toThief, RESTORE))).status, 410)
  })

  test("EMAIL-4 two changes within one second: the thief's link does not end the owner's", async () => {
    await setEmailByOperator(testServer.latchkey, "alice", "owner@example.org", OPERATOR)
    testServer.clock.advance(60)
    const thief = await signedInBrowser(testServer, "alice")
    for (const text of ["thief1@example.org", "thief2@example.org"]) {
      await enter(thief, text)
      assert.equal((await follow(CONFIRM, linkIn(await lastMail(CONFIRM), CONFIRM))).status, 200)
    }
    await testServer.sendMails()
    const linkTo = (recipient: string) =>
      linkIn(
        mails.mails.find(({ recipients: [to], text }) => to === recipient && text?.includes(RESTORE)) ??
          assert.fail(`no mail to ${recipient}`),
        RESTORE,
      )
    assert.equal((await follow(RESTORE, linkTo("thief1@example.org"))).status, 200)
    assert.equal((await follow(RESTORE, linkTo("owner@example.org"))).status, 200)
    assert.deepEqual(await address(), ["owner@example.org"])
  })

  test("EMAIL-4 a thief who removes the address and enters another cannot avoid the owner's link", async () => {
    await setEmailByOperator(testServer.latchkey, "alice", "owner@example.org", OPERATOR)
    await testServer.sendMails()
    const thief = await signedInBrowser(testServer, "alice")
    await remove(thief)
    const mail = await lastMail(RESTORE)
    assert.deepEqual(mail.recipients, ["owner@example.org"])
    assert.ok(!mail.text?.includes("administrator"))
    await enter(thief, "thief@example.org")
    assert.equal((await follow(CONFIRM, linkIn(await lastMail(CONFIRM), CONFIRM))).status, 200)
    await setPassword(testServer.latchkey, "alice", "the thief's password", { address: null, except: null })
    await testServer.sendMails()
    const notices = mails.mails.filter(({ subject }) => subject?.startsWith("Your password was changed"))
    assert.deepEqual(notices.map(({ recipients: [to] }) => to).toSorted(), [
      "owner@example.org",
      "thief@example.org",
    ])
    const again = new Browser(testServer.url)
    assert.equal((await again.signIn("alice", "the thief's password")).status, 303)
    assert.equal((await follow(RESTORE, linkIn(mail, RESTORE))).status, 200)
    assert.deepEqual(await address(), ["owner@example.org"])
    assert.match((await again.get("/account/security")).text, /name="password"/)
    const last = await lastMail("brought")
    assert.deepEqual(last.recipients, ["thief@example.org"])
    assert.ok(!last.text?.includes("administrator"))
  })

  test("EMAIL-6 an address that the operator sets cannot be replaced by an earlier link", async () => {
    await setEmailByOperator(testServer.latchkey, "alice", "thief1@example.org", OPERATOR)
    const thief = await signedInBrowser(testServer, "alice")
    await enter(thief, "thief2@example.org")
    await follow(CONFIRM, linkIn(await lastMail(CONFIRM), CONFIRM))
    const link = linkIn(await lastMail(RESTORE), RESTORE)
    await setEmailByOperator(testServer.latchkey, "alice", "owner@example.org", OPERATOR)
    assert.equal((await follow(RESTORE, link)).status, 410)
    assert.deepEqual(await address(), ["owner@example.org"])
  })

  test("EMAIL-5 two accounts cannot have one address, whatever its case, and entering it tells nothing", async () => {
    await testServer.addAccount("bob")
    await setEmailByOperator(testServer.latchkey, "bob", "shared@example.org", OPERATOR)
    const set = await setEmailByOperator(testServer.latchkey, "alice", "SHARED@example.org", OPERATOR)
    assert.equal(set.ok, false)
    const alice = await signedInBrowser(testServer, "alice")
    assert.match((await enter(alice, "Shared@example.org")).text, /A link was sent/)
    const used = await follow(CONFIRM, linkIn(await lastMail(CONFIRM), CONFIRM))
    assert.equal(used.status, 409)
    assert.deepEqual(await address(), ["shared@example.org"])
  })

  test("EMAIL-6 the operator sets an address, and both addresses are told without a link to undo it", async () => {
    await setEmailByOperator(testServer.latchkey, "alice", "old@example.org", OPERATOR)
    await setEmailByOperator(testServer.latchkey, "alice", "new@example.org", OPERATOR)
    await testServer.sendMails()
    assert.deepEqual(
      mails.mails.map(({ recipients, subject }) => `${recipients[0]}: ${subject}`).toSorted(),
      [
        "new@example.org: Your address was added to an account – Example Club",
        "old@example.org: The e-mail address of your account was changed – Example Club",
        "old@example.org: Your address was added to an account – Example Club",
      ],
    )
    assert.ok(mails.mails.every(({ text }) => !text?.includes("?link=")))
  })

  test("EMAIL-1 bad input is refused with a sentence, and nothing is sent", async () => {
    const alice = await signedInBrowser(testServer, "alice")
    for (const text of [
      "",
      "alice",
      "a@b@example.org",
      "alice@example.org\r\nBcc: eve@example.org",
      "x".repeat(300),
    ]) {
      const page = await enter(alice, text)
      assert.equal(page.status, 400, text)
      assert.match(page.text, /The address was not changed/)
    }
    assert.equal(await testServer.sendMails(), 0)
  })

  test("EMAIL-3 an address is confirmed only in a browser that is signed in to that account", async () => {
    await testServer.addAccount("eve")
    const eve = await signedInBrowser(testServer, "eve")
    await enter(eve, "alice@example.org")
    const link = linkIn(await lastMail(CONFIRM), CONFIRM)
    const victim = new Browser(testServer.url)
    const asked = await victim.get(link)
    assert.equal(asked.status, 303)
    assert.match(asked.location ?? "", /^\/sign-in\?continue=/)
    assert.ok(!(asked.location ?? "").includes(link.split("=")[1] ?? "-"), "the secret is sealed")
    const signedIn = await victim.submit(await victim.get(asked.location ?? ""), "/sign-in", {
      username: "alice",
      password: PASSWORD,
    })
    assert.equal(signedIn.location, link)
    const other = await victim.get(link)
    assert.equal(other.status, 403)
    assert.match(other.text, /This link is for another account/)
    // A form that eve could send in the browser of alice is refused too.
    const form = hiddenFields((await eve.get(link)).text, CONFIRM)
    const token = hiddenFields(other.text, "/sign-out")["csrf"] ?? ""
    assert.equal((await victim.post(CONFIRM, form)).status, 403)
    assert.equal((await victim.post(CONFIRM, { ...form, csrf: token })).status, 403)
    assert.equal((await new Browser(testServer.url).post(CONFIRM, form)).status, 403)
    assert.deepEqual(await address(), [])
    const out = await victim.submit(other, "/sign-out", {})
    assert.equal(out.location, link)
    assert.equal((await eve.submit(await eve.get(link), CONFIRM, {})).status, 200)
    assert.deepEqual(await address(), ["alice@example.org"])
  })

  test("EMAIL-3, CONSENT-1 a form of a link that another session of its browser drew starts again", async () => {
    const browser = new Browser(testServer.url)
    const waiting = await browser.get("/sign-in")
    await browser.signIn("alice", PASSWORD)
    await enter(browser, "alice@example.org")
    const link = linkIn(await lastMail(CONFIRM), CONFIRM)
    const page = await browser.get(link)
    await browser.submit(waiting, "/sign-in", { username: "alice", password: PASSWORD })
    const refused = await browser.submit(page, CONFIRM, {})
    assert.equal(refused.status, 403)
    assert.ok(refused.text.includes(`href="${link}">Start again</a>`), refused.text)
    assert.deepEqual(await address(), [])
    assert.equal((await browser.submit(await browser.get(link), CONFIRM, {})).status, 200)
    assert.deepEqual(await address(), ["alice@example.org"])
  })

  test("EMAIL-2 tries count per account and address, and twenty mails a day go to one address in all", async () => {
    for (const name of ["eve", "mal", "sam", "tom"]) {
      await testServer.addAccount(name)
      const browser = await signedInBrowser(testServer, name)
      for (let n = 0; n < 4; n++) assert.equal((await enter(browser, "alice@example.org")).status, 200)
    }
    const alice = await signedInBrowser(testServer, "alice")
    for (let n = 0; n < 4; n++) assert.equal((await enter(alice, "alice@example.org")).status, 200)
    assert.equal((await enter(alice, "alice@example.org")).status, 429, "the twenty-first of the address")
    assert.equal((await enter(alice, "other@example.org")).status, 200)
    testServer.clock.advance(86_400)
    assert.equal((await enter(alice, "alice@example.org")).status, 200)
  })

  test("EMAIL-2 an account may ask for five mails a day to one address, and for twenty in all", async () => {
    const alice = await signedInBrowser(testServer, "alice")
    for (let n = 0; n < 5; n++) assert.equal((await enter(alice, "a@example.org")).status, 200)
    assert.equal((await enter(alice, "A@example.org")).status, 429)
    for (let n = 0; n < 15; n++) assert.equal((await enter(alice, `a${n}@example.org`)).status, 200)
    const page = await enter(alice, "a15@example.org")
    assert.equal(page.status, 429)
    assert.ok(Number(page.headers.get("retry-after")) > 0)
  })

  test("EMAIL-2 the account holder removes the address, and it is told", async () => {
    await setEmailByOperator(testServer.latchkey, "alice", "alice@example.org", OPERATOR)
    const alice = await signedInBrowser(testServer, "alice")
    await remove(alice)
    assert.deepEqual(await address(), [])
    assert.deepEqual((await lastMail(RESTORE)).recipients, ["alice@example.org"])
  })
})
