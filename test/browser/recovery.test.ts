/** Tests e-mail and a forgotten password in a real browser, from the link in a real mail. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { setEmailByOperator } from "../../src/accounts/email/email.ts"
import { Chromium, needsChromium, signIn } from "../support/chromium.ts"
import { fixture } from "../support/fixture.ts"
import { assertAccessible } from "../support/look.ts"
import { linkIn, MailServer } from "../support/mail-server.ts"
import { press, watched } from "../support/person.ts"
import { wholeFile } from "../support/spawn.ts"
import { OPERATOR } from "../support/test-server.ts"

const file = wholeFile()

const mails = await MailServer.open()
file.after(() => mails.close())
const { testServer } = await fixture({ mail: mails.config(), span: file })
const chromium = new Chromium(file)

const linkTo = async (path: string) => {
  await testServer.latchkey.background.idle()
  await testServer.sendMails()
  const mail = mails.mails.findLast(({ text }) => text?.includes(`${path}?link=`))
  return testServer.url + linkIn(mail ?? assert.fail(`no mail leads to ${path}`), path)
}

test("RECOVER-3 a forgotten password, and no Referer has the secret of the link", needsChromium, async () => {
  await testServer.addAccount("paula")
  await setEmailByOperator(testServer.latchkey, "paula", "paula@example.org", OPERATOR)
  const page = await chromium.page()
  const complaints = watched(page)
  const referers: string[] = []
  page.on("request", (request) => referers.push(request.headers()["referer"] ?? ""))
  await page.goto(`${testServer.url}/sign-in`)
  await page.getByRole("link", { name: "Forgot your password?" }).click()
  await page.getByRole("textbox", { name: "Username or e-mail address" }).fill("Paula@example.org")
  await press(page, "Send the link")
  await page.getByRole("heading", { name: "Look at your mail" }).waitFor()
  const link = await linkTo("/recover")
  await page.goto(link)
  await assertAccessible(page)
  await page.getByRole("textbox", { name: "New password" }).fill("paula has a new password")
  await press(page, "Set the password and sign in")
  await page.waitForURL(`${testServer.url}/account`)
  const secret = new URL(link).searchParams.get("link") ?? ""
  assert.deepEqual(
    referers.filter((referer) => referer.includes(secret)),
    [],
  )
  assert.ok(referers.includes(`${testServer.url}/`))
  assert.deepEqual(complaints, [])
})

test("EMAIL-4 an address is changed, and the former one takes it back", needsChromium, async () => {
  await testServer.addAccount("olga")
  await setEmailByOperator(testServer.latchkey, "olga", "olga@example.org", OPERATOR)
  const thief = await chromium.page()
  await signIn(thief, testServer, "olga")
  await thief.goto(`${testServer.url}/account/email`)
  await thief.getByRole("textbox", { name: "New e-mail address" }).fill("thief@example.org")
  await press(thief, "Send the link to confirm")
  await thief.goto(await linkTo("/email/confirm"))
  await press(thief, "Confirm this address")
  await thief.getByText("Your address is confirmed").first().waitFor()

  const olga = await chromium.page()
  await olga.goto(await linkTo("/email/restore"))
  await olga.getByText("olga@example.org").waitFor()
  await assertAccessible(olga)
  await press(olga, "Take this address back")
  await olga.getByText("Your address is back").first().waitFor()
  await thief.goto(`${testServer.url}/account`)
  await thief.getByRole("button", { name: "Sign in" }).waitFor()
  assert.equal(
    (await testServer.store.read({ emailByKey: "olga@example.org" })).emailByKey?.address,
    "olga@example.org",
  )
})
