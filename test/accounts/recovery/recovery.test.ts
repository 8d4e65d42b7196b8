import { afterEach, beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { setEmailByOperator } from "../../../src/accounts/email/email.ts"
import { setAccountEnabled, setPassword } from "../../../src/accounts/accounts.ts"
import { makeRecoveryLink, requestRecovery } from "../../../src/accounts/recovery/recovery.ts"
import { addTotp } from "../../../src/accounts/factors/totp.ts"
import { RECOVERY_TRIES } from "../../../src/kernel/account-limits.ts"
import { Browser } from "../../support/browser.ts"
import { signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { linkIn, MailServer } from "../../support/mail-server.ts"
import { everything } from "../../support/stored.ts"
import { PASSWORD, TestServer, OPERATOR } from "../../support/test-server.ts"
import { codeAt, wrongCode } from "../factors/factors.ts"

const NEW = "another correct horse"
const ADDRESS = "Alice@example.org"

describe("a new password by a one-time link", () => {
  let mails: MailServer
  let testServer: TestServer

  beforeEach(async () => {
    mails = await MailServer.open()
    testServer = await TestServer.open({ mail: mails.config() })
    await testServer.addAccount("alice")
    await setEmailByOperator(testServer.latchkey, "alice", ADDRESS, OPERATOR)
    await testServer.sendMails()
    mails.mails.splice(0)
  })
  afterEach(async () => {
    await testServer.close()
    await mails.close()
  })

  const from = { address: null }
  const ask = async (name: string, browser = new Browser(testServer.url)) => {
    const page = await browser.submit(await browser.get("/recover"), "/recover", { name })
    await testServer.latchkey.background.idle()
    return page
  }
  const sent = async () => {
    await testServer.sendMails()
    return mails.mails.splice(0)
  }
  const linkFor = async (name: string) => {
    await ask(name)
    const [mail] = await sent()
    return linkIn(mail ?? assert.fail("no mail came"), "/recover")
  }
  const use = async (link: string, password = NEW, browser = new Browser(testServer.url)) => {
    const page = await browser.get(link)
    if (page.status !== 200) return page
    return browser.submit(page, "/recover", { new_password: password })
  }
  const canSignIn = async (password: string) =>
    (await new Browser(testServer.url).signIn("alice", password)).status === 303

  test("RECOVER-1 RECOVER-4 the link comes by name or address, sets the password and signs every browser out", async () => {
    const other = await signedInBrowser(testServer, "alice")
    await sent()
    const sign = await new Browser(testServer.url).get("/sign-in")
    assert.match(sign.text, /<a href="\/recover">Forgot your password\?<\/a>/)
    for (const name of ["Alice", "aLICE@EXAMPLE.org"]) {
      await ask(name)
      const [mail] = await sent()
      assert.deepEqual(mail?.recipients, [ADDRESS])
      testServer.clock.advance(1)
    }
    const link = await linkFor("alice")
    for (let n = 0; n < 3; n++) assert.equal((await new Browser(testServer.url).get(link)).status, 200)
    const own = new Browser(testServer.url)
    const done = await use(link, NEW, own)
    assert.deepEqual([done.status, done.location], [303, "/account"])
    assert.match((await own.get("/account")).text, /alice/)
    assert.match((await other.get("/account/security")).text, /name="password"/)
    assert.deepEqual([await canSignIn(PASSWORD), await canSignIn(NEW)], [false, true])
    assert.equal((await use(link)).status, 410)
    assert.ok((await sent()).some(({ subject }) => subject?.startsWith("Your password was changed")))
  })

  test("RECOVER-1 the response is the same for a name, an address, and neither, and an event for neither", async () => {
    await testServer.addAccount("without")
    await testServer.addAccount("disabled")
    await setEmailByOperator(testServer.latchkey, "disabled", "off@example.org", from)
    await setAccountEnabled(testServer.latchkey, "disabled", false, from)
    await testServer.addServiceAccount("robot")
    await sent()
    const pages = []
    for (const name of ["alice", "not-here", "x@example.org", "without", "disabled", "robot", "a\0b", "<b>"])
      pages.push(await ask(name))
    for (const page of pages) {
      assert.equal(page.status, 200)
      assert.equal(page.text, pages[0]?.text)
      const names = (headers: Headers) => [...headers.keys()].filter((name) => name !== "date")
      assert.deepEqual(names(page.headers), names(pages[0]?.headers ?? new Headers()))
    }
    assert.equal((await sent()).length, 1)
    const { one_time_link: links, event: events } = await everything(testServer)
    assert.equal(links?.length, 1)
    const refused = events?.filter(({ kind }) => kind === "recovery-refused")
    assert.deepEqual(refused?.map(({ detail }) => String(detail)).toSorted(), [
      ...["no e-mail address", "no e-mail address"],
      ...["null", "null", "null", "null", "the account is disabled"],
    ])
  })

  test("RECOVER-1 an account that is named like the address of another does not get its link", async () => {
    await testServer.addAccount(ADDRESS)
    await setEmailByOperator(testServer.latchkey, ADDRESS, "eve@example.org", from)
    await sent()
    await ask(ADDRESS.toLowerCase())
    assert.deepEqual(
      (await sent()).map(({ recipients: [to] }) => to),
      [ADDRESS],
    )
  })

  test("RECOVER-2 strangers of many networks neither flood the inbox nor keep the owner from a link", async () => {
    const owner = await signedInBrowser(testServer, "alice")
    await sent()
    let mailsOfStrangers = 0
    let network = 0
    for (let hour = 0; hour < 24; hour++) {
      for (let n = 0; n < 5; n++) {
        const addressKey = `198.51.100.${network++}`
        const stranger = { address: addressKey, addressKey, browserSecret: addressKey }
        await requestRecovery(testServer.latchkey, "alice", stranger)
        await testServer.latchkey.background.idle()
        mailsOfStrangers += (await sent()).length
      }
      testServer.clock.advance(3601)
    }
    assert.equal(mailsOfStrangers, 12)
    assert.equal((await ask("alice")).status, 200)
    assert.equal((await sent()).length, 0)
    assert.equal((await ask("alice", owner)).status, 200)
    const [mail] = await sent()
    assert.equal((await use(linkIn(mail ?? assert.fail(), "/recover"))).status, 303)
  })

  test("RECOVER-2 RATE-2 a request that is answered 503 is no try", async () => {
    const { background } = testServer.latchkey
    let release: () => void = () => assert.fail("the queue has not begun")
    background.add(() => new Promise<void>((resolve) => (release = resolve)))
    await new Promise(setImmediate)
    while (background.add(() => Promise.resolve()));
    const browser = new Browser(testServer.url)
    const form = await browser.get("/recover")
    for (let n = 0; n <= RECOVERY_TRIES.name.requests; n++)
      assert.equal((await browser.submit(form, "/recover", { name: "alice" })).status, 503)
    release()
    await background.idle()
    assert.equal((await ask("alice", browser)).status, 200)
    assert.equal((await sent()).length, 1)
  })

  test("RECOVER-2 requests for one name leave at most thirty events an hour", async () => {
    for (let n = 0; n < 40; n++) {
      const addressKey = `198.51.${n}.1`
      const stranger = { address: addressKey, addressKey, browserSecret: addressKey }
      for (const name of ["alice", "not-here"]) await requestRecovery(testServer.latchkey, name, stranger)
      await testServer.latchkey.background.idle()
    }
    const events = (await everything(testServer))["event"]?.filter(({ kind }) =>
      String(kind).startsWith("recovery-"),
    )
    assert.equal(events?.length, 60)
  })

  test("RECOVER-2 one wide network neither fills the audit trail nor keeps others out", async () => {
    const outcomes: string[] = []
    for (let n = 0; n < 70; n++) {
      const stranger = {
        address: `2001:db8:1:${n.toString(16)}::1`,
        addressKey: `${n}`,
        browserSecret: `${n}`,
      }
      outcomes.push((await requestRecovery(testServer.latchkey, `name${n}`, stranger)).outcome)
      await testServer.latchkey.background.idle()
    }
    assert.equal(outcomes.filter((outcome) => outcome === "accepted").length, 60)
    assert.deepEqual(new Set(outcomes.slice(60)), new Set(["wait"]))
    assert.equal((await ask("alice")).status, 200)
  })

  test("RECOVER-2 a stranger cannot fill the outbox, nor end the link that waits", async () => {
    for (let n = 0; n < 5; n++) assert.equal((await ask("alice")).status, 200)
    assert.equal((await sent()).length, 1)
    const spent = await ask("alice")
    assert.equal(spent.status, 429)
    assert.ok(Number(spent.headers.get("retry-after")) > 0)
    assert.equal((await ask("unknown")).status, 200)
    for (let n = 0; n < 5; n++) await ask(ADDRESS)
    assert.equal((await sent()).length, 1)
    for (let n = 0; n < 9; n++) await ask(`name${n}`)
    assert.equal((await ask("another")).status, 429)
    testServer.clock.advance(3601)
    assert.equal((await ask("alice")).status, 200)
  })

  test("RECOVER-2 an account gets three links an hour; none ends another, and the first that is used ends all", async () => {
    const links = []
    for (let n = 0; n < 3; n++) {
      links.push(await linkFor("alice"))
      testServer.clock.advance(5)
    }
    await ask("alice")
    assert.equal((await sent()).length, 0)
    const [first = "", second = "", third = ""] = links
    assert.equal((await use(first)).status, 303, "requests of strangers do not end a link that was mailed")
    assert.deepEqual([(await use(second)).status, (await use(third)).status], [410, 410])
  })

  test("RECOVER-3 half an hour, another password, another address and a disabled account end a link", async () => {
    const { latchkey } = testServer
    const endings: (() => unknown)[] = [
      () => testServer.clock.advance(1801),
      () => setPassword(latchkey, "alice", PASSWORD, { ...from, except: null }),
      () => setEmailByOperator(latchkey, "alice", "other@example.org", from),
      () => setAccountEnabled(latchkey, "alice", false, from),
    ]
    for (const end of endings) {
      testServer.clock.advance(3601)
      await sent()
      const link = await linkFor("alice")
      const open = new Browser(testServer.url)
      const page = await open.get(link)
      assert.equal(page.status, 200)
      await end()
      assert.equal((await use(link)).status, 410)
      assert.equal((await open.submit(page, "/recover", { new_password: NEW })).status, 410)
    }
    assert.equal((await use("/recover?link=unknown")).status, 410)
  })

  test("RECOVER-3 of two browsers that use one link at the same time, one succeeds", async () => {
    const link = await linkFor("alice")
    const browsers = [new Browser(testServer.url), new Browser(testServer.url)]
    const pages = await Promise.all(browsers.map((browser) => browser.get(link)))
    const done = await Promise.all(
      browsers.map((browser, i) =>
        browser.submit(pages[i] ?? assert.fail(), "/recover", { new_password: `${NEW} ${i}` }),
      ),
    )
    assert.deepEqual(done.map(({ status }) => status).toSorted(), [303, 410])
  })

  test("RECOVER-5 the second step is asked for before the password, once for this browser", async () => {
    const added = await addTotp(testServer.latchkey, "alice", from)
    assert.ok(added.ok)
    const { secret } = added.value
    await sent()
    const link = await linkFor("alice")
    const browser = new Browser(testServer.url)
    const page = await browser.get(link)
    assert.match(page.text, /name="code"/)
    assert.ok(!page.text.includes("new_password"))
    const forged = await browser.submit(page, "/recover", { new_password: NEW, ticket: "" })
    assert.equal(forged.status, 403)
    assert.equal(
      (await browser.submit(page, "/recover", { code: wrongCode(testServer, secret) })).status,
      403,
    )
    const proven = await browser.submit(page, "/recover", { code: codeAt(testServer, secret) })
    assert.match(proven.text, /name="new_password"/)
    const stranger = new Browser(testServer.url)
    await stranger.get("/sign-in")
    const ticket = /name="ticket" value="([^"]+)"/.exec(proven.text)?.[1] ?? ""
    const stolen = await stranger.submit(await stranger.get(link), "/recover", { new_password: NEW, ticket })
    assert.equal(stolen.status, 403)
    const weak = await browser.submit(proven, "/recover", { new_password: "short" })
    assert.deepEqual([weak.status, /At least 8|at least 8/.test(weak.text)], [400, true])
    assert.equal((await browser.submit(weak, "/recover", { new_password: NEW })).status, 303)
  })

  test("RECOVER-6 the operator's link works without e-mail, and a stranger's request does not end it", async () => {
    const made = await makeRecoveryLink(testServer.latchkey, "alice", from)
    assert.ok(made.ok)
    await ask("alice")
    const unknown = await makeRecoveryLink(testServer.latchkey, "eve", from)
    assert.equal(unknown.ok, false)
    assert.equal((await use(`/recover?link=${made.value.secret}`)).status, 303)
    assert.equal(await canSignIn(NEW), true)
    const mail = (await sent()).find(({ text }) => text?.includes("/recover?link="))
    assert.equal((await use(linkIn(mail ?? assert.fail(), "/recover"))).status, 410)
  })

  test("RECOVER-7 without e-mail the page says whom to ask, and offers no form", async (t) => {
    const { testServer: without } = await fixture({ span: t })
    const page = await new Browser(without.url).get("/recover")
    assert.match(page.text, /Ask its operator/)
    assert.ok(!page.text.includes("<form"))
    assert.ok(!(await new Browser(without.url).get("/sign-in")).text.includes("/recover"))
  })
})
