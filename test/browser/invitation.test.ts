/** Tests invitations in a real browser: with a password, with a passkey alone, two clicks at once, and ended ones. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { invite, type InvitationInput, revokeInvitation } from "../../src/accounts/invitations/invite.ts"
import { DAY } from "../../src/kernel/time.ts"
import { Chromium, needsChromium } from "../support/chromium.ts"
import { fixture } from "../support/fixture.ts"
import { assertAccessible } from "../support/look.ts"
import { linkIn, MailServer } from "../support/mail-server.ts"
import { press, watched, withAuthenticator } from "../support/person.ts"
import { wholeFile } from "../support/spawn.ts"
import { OPERATOR, PASSWORD } from "../support/test-server.ts"

const file = wholeFile()
const mails = await MailServer.open()
file.after(() => mails.close())
const { testServer } = await fixture({ mail: mails.config(), span: file })
const chromium = new Chromium(file)
const account = `${testServer.url}/account`

async function make(input: Partial<InvitationInput> = {}) {
  const whole = { username: null, email: null, admin: false, groups: [], days: 7, language: null, ...input }
  const made = await invite(testServer.latchkey, whole, OPERATOR)
  assert.ok(made.ok)
  const { invitation, secret } = made.value
  return { id: invitation.invitationId, link: `${testServer.url}/invitation?link=${secret}` }
}

async function accountNamed(name: string) {
  return (await testServer.store.read({ accountByName: name })).accountByName
}

test(
  "INVITE-2, INVITE-4 a mail whose link a scanner has opened makes an account, and no Referer has the secret",
  needsChromium,
  async () => {
    await make({ username: "Paula", email: "paula@example.org", admin: true })
    await testServer.sendMails()
    const link = testServer.url + linkIn(mails.mails.at(-1) ?? assert.fail(), "/invitation")
    const scanner = await chromium.page()
    await scanner.goto(link)
    await scanner.reload()
    const page = await chromium.page()
    const complaints = watched(page)
    const referers: string[] = []
    page.on("request", (request) => referers.push(request.headers()["referer"] ?? ""))
    await page.goto(link)
    await page.getByText("Your account will be an administrator").waitFor()
    await assertAccessible(page)
    await page.getByLabel("Password").fill(PASSWORD)
    await press(page, "Create account")
    await page.waitForURL(account)
    assert.match(await page.getByRole("banner").innerText(), /Paula/)
    await page.goto(`${testServer.url}/account/email`)
    await page.getByText("paula@example.org").waitFor()
    await page.goto(link)
    await page.getByRole("heading", { name: "This invitation no longer works" }).waitFor()
    await assertAccessible(page)
    const secret = new URL(link).searchParams.get("link") ?? ""
    assert.deepEqual(
      referers.filter((referer) => referer.includes(secret)),
      [],
    )
    assert.deepEqual(
      complaints.filter((text) => !text.includes("410")),
      [],
    )
  },
)

test("INVITE-3 a passkey alone, with which the person signs in again", needsChromium, async () => {
  const { link } = await make()
  const page = await chromium.page()
  const complaints = watched(page)
  await withAuthenticator(page)
  await page.goto(link)
  await page.getByLabel("Username").fill("petra")
  await press(page, "Continue with a passkey")
  await page.getByText("You will sign in as petra").waitFor()
  await assertAccessible(page)
  await press(page, "Create account")
  await page.waitForURL(account)
  await press(page, "Sign out")
  await page.goto(`${testServer.url}/sign-in`)
  await press(page, "Use a passkey")
  await page.waitForURL(account)
  assert.match(await page.getByRole("banner").innerText(), /petra/)
  assert.deepEqual(complaints, [])
})

test("INVITE-3 a name that is taken while the passkey is made loses neither", needsChromium, async () => {
  const { link } = await make({ username: "greta" })
  const page = await chromium.page()
  await withAuthenticator(page)
  await page.goto(link)
  await press(page, "Continue with a passkey")
  await page.getByText("You will sign in as greta").waitFor()
  await testServer.addAccount("greta")
  await press(page, "Create account")
  await page.getByText("This username is taken").waitFor()
  assert.equal(await page.getByLabel("Password").count(), 0, "the passkey is there already")
  await page.getByLabel("Username").fill("greta.two")
  await press(page, "Create account")
  await page.waitForURL(account)
  assert.match(await page.getByRole("banner").innerText(), /greta\.two/)
})

test("INVITE-2 of two clicks at once, one makes an account", needsChromium, async () => {
  const { link } = await make()
  const pages = await Promise.all([chromium.page(), chromium.page()])
  for (const [n, page] of pages.entries()) {
    await page.goto(link)
    await page.getByLabel("Username").fill(`twin${n}`)
    await page.getByLabel("Password").fill(PASSWORD)
  }
  await Promise.all(pages.map((page) => press(page, "Create account")))
  await Promise.all(pages.map((page) => page.waitForURL(/\/(?:account|invitation)$/)))
  const gone = pages.filter((page) => page.url().endsWith("/invitation"))
  assert.equal(gone.length, 1)
  await gone[0]?.getByRole("heading", { name: "This invitation no longer works" }).waitFor()
  const accounts = [await accountNamed("twin0"), await accountNamed("twin1")]
  assert.equal(accounts.filter((one) => one !== null).length, 1)
})

test(
  "INVITE-1, INVITE-5 one that is withdrawn or expires while its page is open",
  needsChromium,
  async () => {
    const page = await chromium.page()
    const accept = async (username: string) => {
      await page.getByLabel("Username").fill(username)
      await page.getByLabel("Password").fill(PASSWORD)
      await press(page, "Create account")
      await page.getByRole("heading", { name: "This invitation no longer works" }).waitFor()
      assert.equal(await accountNamed(username), null)
    }
    const withdrawn = await make()
    await page.goto(withdrawn.link)
    assert.ok(await revokeInvitation(testServer.latchkey, withdrawn.id, OPERATOR))
    await accept("wanda")
    const { link } = await make({ days: 1 })
    await page.goto(link)
    testServer.clock.advance(DAY + 1)
    await accept("xenia")
  },
)
