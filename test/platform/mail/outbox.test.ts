import { afterEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { changeAppearance } from "../../../src/admin/appearance/appearance.ts"
import pino from "pino"
import { setEmailByOperator } from "../../../src/accounts/email/email.ts"
import { requestRecovery } from "../../../src/accounts/recovery/recovery.ts"
import { setPassword } from "../../../src/accounts/accounts.ts"
import { MailSender } from "../../../src/platform/mail/sender.ts"
import { type MailConfig, mailerOf } from "../../../src/platform/outgoing/smtp/send-mail.ts"
import { decided } from "../../../src/model/change.rules.ts"
import { event } from "../../../src/model/event.rules.ts"
import type { UserId } from "../../../src/kernel/ids.ts"
import { selfSigned } from "../../support/certificate.ts"
import { signedInBrowser } from "../../support/connect.ts"
import { MailServer, smtpError } from "../../support/mail-server.ts"
import { accepting, ScriptedMailServer } from "../../support/scripted-mail-server.ts"
import { everything } from "../../support/stored.ts"
import { PASSWORD, TestServer, OPERATOR } from "../../support/test-server.ts"

const MAIL = {
  id: "m1",
  to: "alice@example.org",
  sender: "Example Club",
  subject: "Subject",
  text: "Text",
  html: "<p>Text</p>",
}

describe("the outbox", () => {
  const open: { close: () => Promise<unknown> }[] = []
  afterEach(async () => {
    for (const one of open.splice(0).toReversed()) await one.close()
  })

  const mailServer = async (options?: Parameters<typeof MailServer.open>[0]) => {
    const server = await MailServer.open(options)
    open.push(server)
    return server
  }
  /** A service with the account `alice`, whose address is confirmed. Its first mail was sent. */
  const service = async (mail: MailConfig): Promise<TestServer> => {
    const testServer = await TestServer.open({ mail })
    open.push(testServer)
    await testServer.addAccount("alice")
    return testServer
  }
  const withAddress = async (testServer: TestServer) => {
    await setEmailByOperator(testServer.latchkey, "alice", "alice@example.org", OPERATOR)
  }
  const newPassword = async (testServer: TestServer) => {
    const set = await setPassword(testServer.latchkey, "alice", `${PASSWORD} 2`, {
      address: null,
      except: null,
    })
    assert.ok(set.ok)
  }
  const rows = async (testServer: TestServer) => (await everything(testServer))["outbox"] ?? []
  const waiting = async (testServer: TestServer) =>
    (await rows(testServer)).filter(({ next_try_at: at }) => at !== null)

  test("MAIL-4 a notice is written with its change or not at all", async () => {
    const mails = await mailServer()
    const testServer = await service(mails.config())
    await withAddress(testServer)
    const userId = String((await rows(testServer))[0]?.["user_id"]) as UserId
    const changed = event("password-changed", testServer.clock.now(), { userId })
    const broken = testServer.latchkey.store.change({}, () =>
      decided(
        null,
        { change: "eventRecorded", event: changed },
        { change: "factorChanged", factor: { factorId: "none" } as never },
      ),
    )
    await assert.rejects(broken)
    assert.equal((await rows(testServer)).length, 1)
    await newPassword(testServer)
    assert.deepEqual(
      (await rows(testServer)).map(({ kind }) => kind),
      ["address-added", "password-changed"],
    )
  })

  test("MAIL-4 MAIL-6 a mail of a node that stopped in the middle is sent after its claim, under the same id", async () => {
    const mails = await mailServer()
    const testServer = await service(mails.config())
    await withAddress(testServer)
    const now = testServer.clock.now()
    const [claimed] = await testServer.store.claimMails(now, now + 120, 4)
    assert.equal(await testServer.sendMails(), 0)
    testServer.clock.advance(121)
    assert.equal(await testServer.sendMails(), 1)
    assert.equal(mails.mails[0]?.messageId, `<${claimed?.mailId}@example.org>`)
    // The node that comes back late changes nothing.
    const outcome = { outcome: "deferred", nextTryAt: now, problem: "late" } as const
    const { mailId = "" as never, tries = 0 } = claimed ?? {}
    await testServer.store.change({}, () => decided(null, { change: "mailSettled", mailId, tries, outcome }))
    assert.deepEqual(await waiting(testServer), [])
  })

  test("LOOK-5 a mail comes from the name of the service, unless the configuration file has one", async () => {
    const mails = await mailServer()
    const testServer = await service(mails.config({ name: null }))
    await changeAppearance(testServer.latchkey, { name: "Acme" }, OPERATOR)
    await withAddress(testServer)
    assert.equal(await testServer.sendMails(), 1)
    const [mail] = mails.mails
    assert.deepEqual(mail?.from?.value, [{ name: "Acme", address: "id@example.org" }])
    assert.match(mail?.subject ?? "", /Acme/)
  })

  test("MAIL-6 of two senders on one database, each mail belongs to one", async () => {
    const mails = await mailServer()
    const testServer = await service(mails.config())
    for (let n = 0; n < 12; n++) {
      await testServer.addAccount(`person${n}`)
      await setEmailByOperator(testServer.latchkey, `person${n}`, `p${n}@example.org`, OPERATOR)
    }
    const other = new MailSender(testServer.latchkey, mails.config())
    const attempts = await Promise.all([testServer.sendMails(), other.deliver()])
    assert.equal(attempts[0] + attempts[1], 12)
    assert.deepEqual(
      mails.mails.map(({ recipients: [to] }) => to).toSorted(),
      Array.from({ length: 12 }, (_, n) => `p${n}@example.org`).toSorted(),
    )
  })

  test("MAIL-5 a server that asks for another try gets it after thirty seconds, then a minute", async () => {
    const mails = await mailServer()
    const testServer = await service(mails.config())
    await withAddress(testServer)
    mails.refuse = () => smtpError(451, "greylisted, alice@example.org")
    assert.equal(await testServer.sendMails(), 1)
    testServer.clock.advance(29)
    assert.equal(await testServer.sendMails(), 0)
    testServer.clock.advance(1)
    assert.equal(await testServer.sendMails(), 1)
    const [row] = await waiting(testServer)
    assert.deepEqual([row?.["tries"], row?.["problem"]], [2, "EENVELOPE at RCPT TO (451)"])
    mails.refuse = () => null
    testServer.clock.advance(60)
    assert.equal(await testServer.sendMails(), 1)
    assert.equal(mails.mails.length, 1)
  })

  test("MAIL-5 a recipient that is refused for good is given up", async () => {
    const mails = await mailServer()
    const testServer = await service(mails.config())
    await withAddress(testServer)
    mails.refuse = () => smtpError(550, "no such mailbox")
    assert.equal(await testServer.sendMails(), 1)
    assert.deepEqual(await testServer.store.mailBacklog(), {
      waiting: 0,
      failing: 0,
      oldestAt: null,
      sent: 0,
      dropped: 1,
    })
  })

  test("MAIL-5 a dead server delays no request, and a notice is given up after two days", async () => {
    const mails = await mailServer()
    const config = mails.config()
    await mails.close()
    open.splice(open.indexOf(mails), 1)
    const testServer = await service(config)
    await withAddress(testServer)
    await newPassword(testServer)
    assert.equal((await waiting(testServer)).length, 2)
    assert.equal(await testServer.sendMails(), 2)
    assert.equal((await testServer.store.mailBacklog()).failing, 2)
    testServer.clock.advance(2 * 86_400 + 1)
    assert.equal(await testServer.sendMails(), 2)
    assert.deepEqual(
      (await rows(testServer)).map(({ next_try_at, address, problem }) => [next_try_at, address, problem]),
      [
        [null, null, "expired"],
        [null, null, "expired"],
      ],
    )
    // The console shows for a day what was given up.
    testServer.clock.advance(86_400 - 1)
    await testServer.store.sweep(testServer.clock.now(), 100)
    assert.equal((await testServer.store.mailBacklog()).dropped, 2)
    testServer.clock.advance(2)
    await testServer.store.sweep(testServer.clock.now(), 100)
    assert.deepEqual(await rows(testServer), [])
  })

  test("MAIL-9 a mail that was sent counts for a day", async () => {
    const mails = await mailServer()
    const testServer = await service(mails.config())
    await withAddress(testServer)
    await testServer.sendMails()
    assert.equal((await testServer.store.mailBacklog()).sent, 1)
    testServer.clock.advance(86_401)
    await testServer.store.sweep(testServer.clock.now(), 100)
    assert.equal((await testServer.store.mailBacklog()).sent, 0)
  })

  test("MAIL-6 a link that is asked for overtakes notices that wait", async () => {
    const mails = await mailServer()
    const testServer = await service(mails.config())
    await withAddress(testServer)
    for (let n = 0; n < 5; n++) {
      await newPassword(testServer)
      testServer.clock.advance(1)
    }
    await requestRecovery(testServer.latchkey, "alice", {
      address: "192.0.2.1",
      addressKey: "192.0.2.1",
      browserSecret: "",
    })
    await testServer.latchkey.background.idle()
    const now = testServer.clock.now()
    const [first, ...others] = await testServer.store.claimMails(now, now + 120, 3)
    assert.equal(first?.kind, "recover")
    assert.deepEqual(others.map(({ kind }) => kind).toSorted(), ["address-added", "password-changed"])
  })

  test("MAIL-10 the log and the backlog name no recipient, and repeat no words of the server", async () => {
    const mails = await mailServer()
    const lines: string[] = []
    const log = pino({ level: "trace" }, { write: (line) => void lines.push(line) })
    const testServer = await TestServer.open({
      mail: mails.config(),
      log,
      metrics: { on: "apart", host: "127.0.0.1", port: 0 },
    })
    open.push(testServer)
    await testServer.addAccount("alice")
    await withAddress(testServer)
    mails.refuse = (address) => smtpError(451, `${address}: come back later`)
    await testServer.sendMails()
    const logged = lines.join("")
    assert.match(
      logged,
      /"problem":"EENVELOPE at RCPT TO \(451\)","msg":"a mail was not sent; it will be retried"/,
    )
    const listed = JSON.stringify(await testServer.store.unsentMails(10))
    assert.match(listed, /"kind":"address-added"/)
    const metrics = await (await fetch(testServer.metricsUrl)).text()
    assert.match(metrics, /^latchkey_mail_waiting\{state="failing"\} 1$/m)
    assert.match(metrics, /^latchkey_mail_oldest_seconds 0$/m)
    await testServer.addAccount("admin", true)
    const page = (await (await signedInBrowser(testServer, "admin")).get("/console/mail")).text
    assert.match(page, /EENVELOPE at RCPT TO \(451\)/)
    for (const one of [logged, listed, metrics, page]) assert.ok(!/alice@|later"/.test(one), one)
  })

  test("MAIL-1 MAIL-10 no log, metric or page has the password of the mail server, even if that repeats it", async () => {
    const server = await ScriptedMailServer.open(accepting({ AUTH: "535 not known: hidden-password" }))
    open.push(server)
    const lines: string[] = []
    const log = pino({ level: "trace" }, { write: (line) => void lines.push(line) })
    const mail = server.config({ login: { user: "id", password: "hidden-password" } })
    const metrics = { on: "apart", host: "127.0.0.1", port: 0 } as const
    const testServer = await TestServer.open({ mail, log, metrics })
    open.push(testServer)
    await testServer.addAccount("alice", true)
    await withAddress(testServer)
    assert.equal(await testServer.sendMails(), 1)
    const page = (await (await signedInBrowser(testServer, "alice")).get("/console/mail")).text
    assert.match(page, /EAUTH at AUTH PLAIN \(535\)/)
    const stored = JSON.stringify(await everything(testServer))
    const shown = await (await fetch(testServer.metricsUrl)).text()
    assert.match(lines.join(""), /a mail was not sent/)
    for (const one of [lines.join(""), shown, page, stored]) assert.ok(!one.includes("hidden-password"))
  })

  test("MAIL-9 an account gets at most twenty mails of one kind in a day", async () => {
    const mails = await mailServer()
    const testServer = await service(mails.config())
    await withAddress(testServer)
    const userId = String((await rows(testServer))[0]?.["user_id"]) as UserId
    for (let n = 0; n < 25; n++) {
      const added = event("factor-added", testServer.clock.now(), { userId })
      await testServer.latchkey.store.change({}, () =>
        decided(null, { change: "eventRecorded", event: added }),
      )
    }
    assert.equal((await rows(testServer)).filter(({ kind }) => kind === "factor-added").length, 20)
    testServer.clock.advance(3 * 86_400)
    await testServer.store.sweep(testServer.clock.now(), 100)
    assert.deepEqual(await rows(testServer), [])
  })

  test("MAIL-11 without configured e-mail nothing is written, and the sign-in page names no link", async () => {
    const testServer = await TestServer.open()
    open.push(testServer)
    await testServer.addAccount("alice")
    await withAddress(testServer)
    await newPassword(testServer)
    assert.deepEqual(await rows(testServer), [])
    assert.equal((await everything(testServer))["email"]?.length, 1)
    const page = await (await fetch(`${testServer.url}/sign-in`)).text()
    assert.ok(!page.includes("/recover"))
  })

  test("MAIL-2 TLS is checked: an unknown authority and another host are refused, ca_file adds an authority", async () => {
    const { key, cert } = selfSigned("localhost")
    const mails = await mailServer({ key, cert, secure: true })
    const server = { host: "localhost", tls: "from-the-start" } as const
    const unknown = await mailerOf(mails.config({ server }))(MAIL)
    assert.equal(unknown.outcome, "failed")
    const known = await mailerOf(mails.config({ server, certificates: cert }))(MAIL)
    assert.deepEqual(known, { outcome: "sent" })
    assert.equal(mails.mails[0]?.isEncrypted, true)
    const other = selfSigned("mail.example")
    const elsewhere = await mailServer({ ...other, secure: true })
    const wrong = await mailerOf(elsewhere.config({ server, certificates: other.cert }))(MAIL)
    assert.equal(wrong.outcome, "failed")
    assert.equal(elsewhere.mails.length, 0)
  })

  test("MAIL-2 a server without STARTTLS gets nothing, not even the login", async () => {
    const mails = await mailServer({ onAuth: (_, __, done) => done(null, { user: "id" }) })
    const login = { user: "id", password: "secret" }
    const server = { tls: "required", login } as const
    const sent = await mailerOf(mails.config({ server }))(MAIL)
    assert.equal(sent.outcome, "failed")
    assert.equal(mails.mails.length, 0)
    const { key, cert } = selfSigned("localhost")
    const secure = await mailServer({
      key,
      cert,
      onAuth: ({ username }, _, done) => done(null, { user: username ?? "" }),
    })
    const config = secure.config({ server: { ...server, host: "localhost" }, certificates: cert })
    assert.deepEqual(await mailerOf(config)(MAIL), { outcome: "sent" })
    assert.deepEqual([secure.mails[0]?.isEncrypted, secure.mails[0]?.user], [true, "id"])
  })

  test("MAIL-2 text in a mail reads no file and no URL, and a name cannot add a header", async () => {
    const mails = await mailServer()
    const config = mails.config({ name: 'Club "A" <eve@example.org>, B' })
    const html = '<img src="file:///etc/passwd"><img src="http://127.0.0.1:9/">'
    assert.deepEqual(await mailerOf(config)({ ...MAIL, html, sender: config.name ?? "" }), {
      outcome: "sent",
    })
    const [mail] = mails.mails
    assert.deepEqual(mail?.from?.value, [{ name: config.name, address: "id@example.org" }])
    assert.equal(mail?.attachments.length, 0)
    assert.deepEqual(mail?.recipients, ["alice@example.org"])
  })
})
