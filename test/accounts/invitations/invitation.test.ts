import { afterEach, beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { addAccount, setAccountEnabled, setAdministration } from "../../../src/accounts/accounts.ts"
import {
  invite,
  type InvitationInput,
  listInvitations,
  revokeInvitation,
} from "../../../src/accounts/invitations/invite.ts"
import type { UserId } from "../../../src/kernel/ids.ts"
import { DAY } from "../../../src/kernel/time.ts"
import { authorizePath, newVerifier } from "../../support/connect.ts"
import { Browser } from "../../support/browser.ts"
import { linkIn, MailServer } from "../../support/mail-server.ts"
import { everything } from "../../support/stored.ts"
import { OPERATOR, PASSWORD, TestServer } from "../../support/test-server.ts"

describe("an invitation", () => {
  let mails: MailServer
  let testServer: TestServer

  beforeEach(async () => {
    mails = await MailServer.open()
    testServer = await TestServer.open({ mail: mails.config() })
    await testServer.addAccount("ada", true)
  })
  afterEach(async () => {
    await testServer.close()
    await mails.close()
  })

  const make = async (
    input: Partial<InvitationInput> = {},
    from: Parameters<typeof invite>[2] = OPERATOR,
  ) => {
    const whole = { username: null, email: null, admin: false, groups: [], days: 7, language: null, ...input }
    const made = await invite(testServer.latchkey, whole, from)
    return made.ok ? made.value : assert.fail(made.error.problem)
  }
  const linkOf = async (input: Partial<InvitationInput> = {}) =>
    `/invitation?link=${(await make(input)).secret ?? assert.fail("it was mailed")}`
  const sent = async () => {
    await testServer.sendMails()
    return mails.mails.splice(0)
  }
  const accept = async (
    link: string,
    fields: Readonly<Record<string, string>> = {},
    browser = new Browser(testServer.url),
  ) => {
    const page = await browser.get(link)
    if (page.status !== 200) return page
    return browser.submit(page, "/invitation", { username: "grace", password: PASSWORD, ...fields })
  }
  const stored = async () => {
    const { account, invitation, email } = await everything(testServer)
    return [account?.length, invitation?.length, email?.length]
  }

  test("INVITE-1, INVITE-2 is opened as often as scanners like, and makes one account", async () => {
    const link = await linkOf()
    for (let n = 0; n < 5; n++) assert.equal((await new Browser(testServer.url).get(link)).status, 200)
    assert.equal((await fetch(testServer.url + link, { method: "HEAD" })).status, 200)
    assert.deepEqual(await stored(), [1, 1, 0])
    const browser = new Browser(testServer.url)
    const done = await accept(link, {}, browser)
    assert.deepEqual([done.status, done.location], [303, "/account"])
    assert.match((await browser.get("/account")).text, /grace/)
    assert.deepEqual(await stored(), [2, 0, 0])
    const again = await accept(link, { username: "eve" })
    assert.equal(again.status, 410)
    assert.match(again.text, /This invitation no longer works/)
    assert.equal((await new Browser(testServer.url).signIn("grace", PASSWORD)).status, 303)
  })

  test("INVITE-1 only a digest of the secret is stored, and no Referer has it", async () => {
    const link = await linkOf({ username: "grace" })
    const secret = new URL(link, testServer.url).searchParams.get("link") ?? ""
    assert.ok(!JSON.stringify(await everything(testServer)).includes(secret))
    const page = await new Browser(testServer.url).get(link)
    assert.match(page.text, /name="username"[^>]* value="grace"/)
    assert.equal(page.headers.get("referrer-policy"), "strict-origin")
    assert.equal(page.headers.get("cache-control"), "no-store")
    assert.doesNotMatch(page.text, /\/language/)
  })

  test("INVITE-2 of many clicks at once, one makes an account", async () => {
    const link = await linkOf()
    const browsers = Array.from({ length: 8 }, () => new Browser(testServer.url))
    const forms = await Promise.all(browsers.map((browser) => browser.get(link)))
    const answers = await Promise.all(
      browsers.map((browser, n) =>
        browser.submit(forms[n] ?? assert.fail(), "/invitation", {
          username: `grace${n}`,
          password: PASSWORD,
        }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 303).length, 1, String(statuses))
    assert.equal(statuses.filter((status) => status === 410 || status === 503).length, 7, String(statuses))
    assert.deepEqual(await stored(), [2, 0, 0])
  })

  test("INVITE-1 expires, and its row goes by itself", async () => {
    const link = await linkOf({ days: 2 })
    testServer.clock.advance(2 * DAY)
    assert.equal((await new Browser(testServer.url).get(link)).status, 200)
    testServer.clock.advance(1)
    assert.equal((await accept(link)).status, 410)
    await testServer.store.sweep(testServer.clock.now(), 100)
    assert.deepEqual(await stored(), [1, 0, 0])
  })

  test("INVITE-5 withdrawn between page and click, it makes no account", async () => {
    const { invitation, secret } = await make()
    const browser = new Browser(testServer.url)
    const page = await browser.get(`/invitation?link=${secret}`)
    assert.equal(await revokeInvitation(testServer.latchkey, invitation.invitationId, OPERATOR), true)
    assert.equal(await revokeInvitation(testServer.latchkey, invitation.invitationId, OPERATOR), false)
    assert.equal(await revokeInvitation(testServer.latchkey, "no id", OPERATOR), false)
    const answer = await browser.submit(page, "/invitation", { username: "grace", password: PASSWORD })
    assert.equal(answer.status, 410)
    assert.deepEqual(await stored(), [1, 0, 0])
  })

  test("INVITE-5 ends with the administration of the one who invited", async () => {
    const root = await testServer.addAccount("root", true)
    const { secret } = await make({ admin: true }, { address: "192.0.2.1", actorId: root as UserId })
    const link = `/invitation?link=${secret}`
    assert.equal((await new Browser(testServer.url).get(link)).status, 200)
    await setAdministration(testServer.latchkey, "root", false, OPERATOR)
    assert.deepEqual(await listInvitations(testServer.latchkey), [])
    await setAdministration(testServer.latchkey, "root", true, OPERATOR)
    assert.equal((await accept(link)).status, 410, "it does not come back")
  })

  test("INVITE-5 an administrator who is disabled while inviting has invited no one", async () => {
    const root = (await testServer.addAccount("root", true)) as UserId
    const by = { address: "192.0.2.1", actorId: root }
    const { secret } = await make({}, by)
    await setAccountEnabled(testServer.latchkey, "root", false, OPERATOR)
    const whole = { username: null, email: null, admin: false, groups: [], days: 7, language: null }
    const late = await invite(testServer.latchkey, whole, by)
    assert.deepEqual(late.ok ? null : late.error.why, "conflict")
    await setAccountEnabled(testServer.latchkey, "root", true, OPERATOR)
    assert.equal((await accept(`/invitation?link=${secret}`)).status, 410)
    assert.equal((await make({}, by)).invitation.invitedBy, root)
  })

  test("INVITE-3 says who is signed in, because the new account takes the place", async () => {
    const link = await linkOf()
    const browser = new Browser(testServer.url)
    assert.doesNotMatch((await browser.get(link)).text, /You are signed in as/)
    await browser.signIn("ada", PASSWORD)
    assert.match((await browser.get(link)).text, /You are signed in as <strong><bdi>ada<\/bdi>/)
    assert.equal((await accept(link, {}, browser)).status, 303)
    assert.match((await browser.get("/account")).text, /grace/)
  })

  test("INVITE-3 a name that was taken meanwhile is asked for, and the invitation stays", async () => {
    const link = await linkOf({ username: "Grace" })
    const browser = new Browser(testServer.url)
    const page = await browser.get(link)
    await addAccount(testServer.latchkey, {
      username: "grace",
      password: PASSWORD,
      admin: false,
      ...OPERATOR,
    })
    const again = await browser.submit(page, "/invitation", { username: "Grace", password: PASSWORD })
    assert.equal(again.status, 409)
    assert.match(again.text, /This username is taken/)
    const done = await browser.submit(again, "/invitation", { username: "hopper", password: PASSWORD })
    assert.equal(done.status, 303)
    for (const [fields, problem] of [
      [{ username: "" }, /The name is empty/],
      [{ username: "x", password: "short" }, /fewer than 8 characters/],
      [{ username: "correct horse", password: "correct horse" }, /The password is the name/],
    ] as const) {
      const wrong = await accept(await linkOf(), fields)
      assert.equal(wrong.status, 400)
      assert.match(wrong.text, problem)
    }
  })

  test("INVITE-2 a form of another site, and one without a link, make nothing", async () => {
    const link = await linkOf()
    const body = new URLSearchParams({ link: link.split("=")[1] ?? "", username: "eve", password: PASSWORD })
    const foreign = await fetch(`${testServer.url}/invitation`, { method: "POST", body })
    assert.equal(foreign.status, 403)
    for (const path of ["/invitation", "/invitation?link=", `${link}x`, "/invitation?link=%00"])
      assert.equal((await new Browser(testServer.url).get(path)).status, 410, path)
    assert.deepEqual(await stored(), [1, 1, 0])
  })

  test("INVITE-4 a mailed link is in the mail alone, in its language, and confirms the address", async () => {
    const { secret } = await make({ username: "grace", email: "Grace@Example.org", language: "de" })
    assert.equal(secret, null)
    const [mail, ...more] = await sent()
    assert.deepEqual(more, [])
    assert.deepEqual(mail?.recipients, ["Grace@example.org"])
    assert.equal(mail?.subject, "Sie sind eingeladen – Example Club")
    const link = linkIn(mail ?? assert.fail(), "/invitation")
    const page = await new Browser(testServer.url).get(link)
    assert.match(page.text, /Grace@example\.org/)
    assert.equal((await accept(link)).status, 303)
    const { emailByKey } = await testServer.store.read({ emailByKey: "grace@example.org" })
    assert.equal(emailByKey?.address, "Grace@example.org")
    assert.deepEqual(await sent(), [], "the first sign-in is no news")
  })

  test("INVITE-4 the mail for an administrator says so, and so does the page", async () => {
    await make({ email: "root@example.org", admin: true })
    const [mail] = await sent()
    assert.match(mail?.subject ?? "", /^You are invited as an administrator/)
    assert.match(mail?.text ?? "", /it can see and\s+change everything/)
    const browser = new Browser(testServer.url)
    const link = linkIn(mail ?? assert.fail(), "/invitation")
    assert.match((await browser.get(link)).text, /Your account will be an administrator/)
    assert.equal((await accept(link, {}, browser)).status, 303)
    assert.equal((await browser.get("/console")).status, 200)
  })

  test("INVITE-5 the mail of a withdrawn invitation is not sent", async () => {
    const { invitation } = await make({ email: "grace@example.org" })
    assert.equal(await revokeInvitation(testServer.latchkey, invitation.invitationId, OPERATOR), true)
    assert.deepEqual(await sent(), [])
  })

  test("INVITE-1 what cannot be an invitation is refused, and twenty mails a day go to one address", async () => {
    const whole = { username: null, email: null, admin: false, groups: [], days: 7, language: null }
    const why = async (input: Partial<InvitationInput>) => {
      const made = await invite(testServer.latchkey, { ...whole, ...input }, OPERATOR)
      return made.ok ? "made" : `${made.error.why} ${made.error.field}`
    }
    assert.equal(await why({ username: "a  b" }), "malformed name")
    assert.equal(await why({ email: "not one" }), "malformed email")
    for (const days of [0, 91, 1.5, NaN]) assert.equal(await why({ days }), "malformed days")
    assert.equal(await why({ language: "tlh" }), "malformed language")
    assert.equal(await why({ username: "ADA" }), "taken name")
    for (let n = 0; n < 20; n++) assert.equal(await why({ email: "grace@example.org" }), "made")
    assert.equal(await why({ email: "Grace@example.org" }), "conflict email")
    for (let n = 0; n < 21; n++)
      assert.equal(await why({ username: "ada", email: "other@example.org" }), "taken name")
    assert.equal(await why({ email: "other@example.org" }), "made", "what was refused is not counted")
  })

  test("INVITE-3, CONSENT-2 an authorization that waits in the browser continues with the new account", async () => {
    const app = await testServer.addApp({ redirectUris: ["https://app.example/callback"] })
    const next = authorizePath(app, newVerifier().challenge, { redirect_uri: "https://app.example/callback" })
    const browser = new Browser(testServer.url)
    const [, recover = ""] = /href="(\/recover\?continue=[^"]*)"/.exec((await browser.get(next)).text) ?? []
    await browser.submit(await browser.get(recover), "/recover", { name: "grace" })
    const link = await linkOf()
    const page = await browser.get(link)
    assert.doesNotMatch(page.headers.get("content-security-policy") ?? "form-action", /form-action/)
    const policy = (await new Browser(testServer.url).get(link)).headers.get("content-security-policy")
    assert.match(policy ?? "", /form-action 'self'/)
    assert.equal((await accept(link, {}, browser)).location, next)
  })

  test("INVITE-5 the audit trail has the invitation, its use and its end", async () => {
    const { invitation } = await make({ username: "x" })
    await revokeInvitation(testServer.latchkey, invitation.invitationId, OPERATOR)
    await accept(await linkOf())
    const events = await testServer.store.events({}, { limit: 20 })
    assert.deepEqual(
      events.map(({ kind }) => kind).filter((kind) => /invit/.test(kind)),
      ["invitation-accepted", "account-invited", "invitation-revoked", "account-invited"],
    )
  })
})
