/**
 * Drives whole flows in a real browser by the text of each built-in language: an authorization with a one-time
 * password, a device, a forgotten password with its mail, and an invitation. Every page on the way has the right language and
 * direction, axe finds nothing on it, and its text fits.
 */
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import type { Page } from "playwright-core"
import { setEmailByOperator } from "../../../src/accounts/email/email.ts"
import { invite } from "../../../src/accounts/invitations/invite.ts"
import { builtInLanguages, Languages } from "../../../src/platform/languages/languages.ts"
import type { Language, TextKey, Texts } from "../../../src/platform/languages/texts.ts"
import { accountWithTotp, codeAt } from "../../accounts/factors/factors.ts"
import { poll, startDevice } from "../../oauth/device/device.ts"
import { Chromium, needsChromium } from "../../support/chromium.ts"
import { authorizePath, exchange, newVerifier } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { assertAccessible } from "../../support/look.ts"
import { until } from "../../support/until.ts"
import { linkIn, MailServer } from "../../support/mail-server.ts"
import { press, watched } from "../../support/person.ts"
import { openSite } from "../../support/site.ts"
import { wholeFile } from "../../support/spawn.ts"
import { OPERATOR, PASSWORD } from "../../support/test-server.ts"
import { CrowdingCheck } from "./crowding.ts"

const file = wholeFile()
const mails = await MailServer.open()
file.after(() => mails.close())
const { testServer, app } = await fixture({
  rateLimit: "off",
  mail: mails.config(),
  apps: { app: { name: "Paperclip" } },
  span: file,
})
const redirectUri = `http://127.0.0.1:${await openSite(file, { "/callback": "<title>Back at the app</title>" })}/callback`
const chromium = new Chromium(file)
const languages = new Languages()

/** A person who reads one language and finds everything on a page by its text. */
class Reader {
  readonly page: Page
  readonly texts: Texts
  readonly crowded: string[] = []
  readonly complaints: readonly string[]
  readonly #check: CrowdingCheck

  private constructor(page: Page, texts: Texts, check: CrowdingCheck) {
    this.page = page
    this.texts = texts
    this.complaints = watched(page)
    this.#check = check
  }

  static async of({ tag }: Language): Promise<Reader> {
    const page = await chromium.page({ locale: tag, viewport: { width: 320, height: 720 } })
    return new Reader(page, languages.textsOf(tag), await CrowdingCheck.of(page))
  }

  async goTo(path: string): Promise<void> {
    await this.page.goto(testServer.url + path)
  }

  async fill(label: TextKey, value: string): Promise<void> {
    await this.page.getByLabel(this.texts.plain(label), { exact: true }).fill(value)
  }

  async press(button: TextKey): Promise<void> {
    await press(this.page, this.texts.plain(button))
  }

  async follow(link: TextKey): Promise<void> {
    await this.page.getByRole("link", { name: this.texts.plain(link), exact: true }).click()
  }

  /** Waits for the page with this heading, and looks at it. */
  async see(heading: TextKey, values: Readonly<Record<string, string>> = {}): Promise<void> {
    const name = this.texts.plain(heading, values)
    await this.page.getByRole("heading", { level: 1, name, exact: true }).waitFor()
    const { tag, direction } = this.texts.language
    assert.deepEqual(
      await this.page.evaluate(
        "[document.documentElement.lang, document.documentElement.dir, getComputedStyle(document.body).direction]",
      ),
      [tag, direction, direction],
      heading,
    )
    this.crowded.push(...(await this.#check.crowded(heading)))
    await assertAccessible(this.page)
  }

  async assertMirrored(first: string, second: string): Promise<void> {
    const start = (selector: string) =>
      this.page.evaluate<number>(`document.querySelector("${selector}").getBoundingClientRect().left`)
    assert.equal((await start(first)) > (await start(second)), this.texts.language.direction === "rtl")
  }
}

async function authorize(reader: Reader, username: string, secret: string): Promise<void> {
  const { page } = reader
  const { verifier, challenge } = newVerifier()
  await reader.goTo(authorizePath(app, challenge, { redirect_uri: redirectUri }))
  await reader.see("sign-in.title-for-app", { app: "Paperclip" })
  await reader.fill("common.username", username)
  await reader.fill("common.password", PASSWORD)
  await reader.press("sign-in.button")
  await reader.see("second-step.heading")
  await reader.fill("proof.code", codeAt(testServer, secret))
  await reader.press("sign-in.button")
  await reader.see("consent.heading", { app: "Paperclip" })
  await reader.assertMirrored(".facts dt", ".facts dd")
  await reader.press("consent.authorize")
  await page.waitForURL(`${redirectUri}?*`)
  const code = new URL(page.url()).searchParams.get("code") ?? ""
  const answer = await exchange(testServer, app, code, verifier, { redirect_uri: redirectUri })
  assert.equal(answer.status, 200)
}

async function connectDevice(reader: Reader): Promise<void> {
  const grant = await startDevice(testServer, app, { scope: "files:write", installation_name: "Laptop" })
  await reader.goTo("/oauth/device")
  await reader.see("device.title")
  await reader.fill("device.code", grant.userCode)
  await reader.press("common.continue")
  await reader.see("consent.heading", { app: "Paperclip" })
  await reader.press("consent.authorize")
  await reader.see("device.done.approved.title")
  assert.equal((await poll(testServer, app, grant)).status, 200)
}

/** The choice is kept in the account, so its mails are in this language. */
async function chooseLanguage(reader: Reader): Promise<void> {
  const { page, texts } = reader
  await reader.goTo("/account")
  await reader.see("account.title")
  await page.getByRole("link", { name: texts.language.name, exact: true }).click()
  await reader.see("language.title")
  await press(page, texts.language.name)
  await page.waitForURL(`${testServer.url}/account`)
}

/** A mail has its own line breaks. */
const withoutSpaces = (text: string) => text.replaceAll(/\s/g, "")

/** Sends what waits. The flow of another language may be sending this mail at the moment. */
async function mailTo(address: string, link: string) {
  const arrived = () =>
    mails.mails.findLast(({ recipients, text }) => recipients.includes(address) && text?.includes(link))
  await testServer.sendMails()
  await until(() => arrived() !== undefined, `a mail with ${link} has arrived`)
  return arrived() ?? assert.fail("the mail is gone")
}

async function recover(reader: Reader, address: string, secret: string): Promise<void> {
  const { page, texts } = reader
  await page.context().clearCookies()
  await reader.goTo("/sign-in")
  await reader.see("sign-in.title")
  await reader.follow("sign-in.forgot-password")
  await reader.see("recover.ask-title")
  await reader.fill("recover.name", address)
  await reader.press("recover.send")
  await reader.see("recover.sent-title")
  await testServer.latchkey.background.idle()
  const mail = await mailTo(address, "/recover?link=")
  const { tag, direction } = texts.language
  assert.ok(mail.subject?.includes(texts.plain("mail.recover.heading")), mail.subject)
  const [written, expected] = [mail.text ?? "", texts.plain("mail.recover.what")].map(withoutSpaces)
  assert.ok(written?.includes(expected ?? ""), mail.text)
  assert.match(String(mail.html), new RegExp(`<html lang="${tag}" dir="${direction}"`))
  await reader.goTo(linkIn(mail, "/recover"))
  await reader.see("recover.title")
  await reader.fill("proof.code", codeAt(testServer, secret, 1))
  await reader.press("common.continue")
  await reader.page.getByLabel(texts.plain("common.new-password"), { exact: true }).waitFor()
  await reader.see("recover.title")
  await reader.fill("common.new-password", `${PASSWORD} again`)
  await reader.press("recover.set")
  await page.waitForURL(`${testServer.url}/account`)
}

/** A person without an account reads the mail in the language that the administrator named. */
async function acceptInvitation(reader: Reader, email: string): Promise<void> {
  const { page, texts } = reader
  await page.context().clearCookies()
  const { tag: language } = texts.language
  const input = { username: null, email, admin: true, groups: [], days: 7, language }
  assert.ok((await invite(testServer.latchkey, input, OPERATOR)).ok)
  const mail = await mailTo(email, "/invitation?link=")
  assert.ok(mail.subject?.includes(texts.plain("mail.invited-administrator.heading")), mail.subject)
  const link = linkIn(mail, "/invitation")
  await reader.goTo(link)
  await reader.see("set-up.heading", { service: "Latchkey" })
  await reader.fill("common.username", `${language}-guest`)
  await reader.press("invitation.use-passkey")
  await reader.see("invitation.passkey-heading")
  await reader.follow("common.go-back")
  await reader.fill("common.username", `${language}-guest`)
  await reader.fill("common.password", PASSWORD)
  await reader.press("provider.create-account")
  await page.waitForURL(`${testServer.url}/account`)
  await reader.goTo(`${link}x`)
  await reader.see("email-link.invitation-gone.title")
}

describe("Each language", { concurrency: 3 }, () => {
  for (const language of builtInLanguages)
    test(
      `LANG-1, LANG-7, LANG-8 ${language.tag}: an app, a device, a new password and an invitation, by the text of the language`,
      needsChromium,
      async () => {
        const username = language.tag
        const address = `${username.toLowerCase()}@example.org`
        const secret = await accountWithTotp(testServer, username)
        await setEmailByOperator(testServer.latchkey, username, address, OPERATOR)
        const reader = await Reader.of(language)
        await authorize(reader, username, secret)
        await connectDevice(reader)
        await chooseLanguage(reader)
        await recover(reader, address, secret)
        await acceptInvitation(reader, `guest.${address}`)
        assert.deepEqual(reader.crowded, [])
        assert.deepEqual(
          reader.complaints.filter((text) => !text.includes("status of 410")),
          [],
        )
      },
    )
})

test(
  "A word that is too long when its text is doubled is found, and so are texts that overlap",
  needsChromium,
  async () => {
    const page = await chromium.page()
    const check = await CrowdingCheck.of(page)
    const withoutNumbers = async (name: string) =>
      (await check.crowded(name)).map((line) => line.replace(/\d+ pixels/, "N pixels"))
    const word = "Donaudampfschifffahrtskapitän"
    await page.setContent(`<meta name="viewport" content="width=device-width"><p>${word}</p>`)
    assert.deepEqual(await withoutNumbers("word"), [
      "word, 320 px, text of 32 px: the page is N pixels too wide",
      `word, 320 px, text of 32 px: "${word}" leaves the window`,
      `word, 320 px, text of 32 px: "${word}" leaves its p`,
    ])
    await page.setContent(`<h3>Laptop</h3><a style="position: absolute; top: 1em">End access</a>`)
    assert.deepEqual(
      (await withoutNumbers("texts")).map((line) => line.replace(/^.*px: /, "")),
      Array.from({ length: 4 }, () => '"Laptop" and "End access" overlap'),
    )
  },
)
