/** Factors as the tests of HTTP need them: a code for now, a second step taken, an app enrolled. */
import { HOTP, Secret } from "otpauth"
import { addTotp } from "../../../src/accounts/factors/totp.ts"
import { Browser } from "../../support/browser.ts"
import type { Authenticator, Said } from "../../support/authenticator.ts"
import { type TestServer, PASSWORD } from "../../support/test-server.ts"

/** The code of a secret, `steps` steps of thirty seconds from now. */
export function codeAt(testServer: TestServer, secret: string, steps = 0): string {
  const counter = Math.floor(testServer.clock.now() / 30) + steps
  return HOTP.generate({ secret: Secret.fromBase32(secret), counter, digits: 6, algorithm: "SHA1" })
}

/** Whether it is right at some step around now: of another step or another secret, it may be so by chance. */
export function isRightCode(testServer: TestServer, secret: string, code: string): boolean {
  return [-1, 0, 1].some((steps) => codeAt(testServer, secret, steps) === code)
}

/** Six digits that are right at no step around now. */
export function wrongCode(testServer: TestServer, secret: string): string {
  const wrong = ["000000", "111111", "222222", "333333"].find(
    (code) => !isRightCode(testServer, secret, code),
  )
  if (wrong === undefined) throw new Error("every code is right")
  return wrong
}

/** A new account with a one-time password; answers its secret. */
export async function accountWithTotp(testServer: TestServer, username: string): Promise<string> {
  await testServer.addAccount(username)
  const added = await addTotp(testServer.latchkey, username, { address: null })
  if (!added.ok) throw new Error(added.error)
  return added.value.secret
}

/** A browser that gave the right password, and the page of the second step that it got. */
export async function halfSignedIn(testServer: TestServer, username: string) {
  const browser = new Browser(testServer.url)
  const page = await browser.signIn(username, PASSWORD)
  if (page.status !== 200) throw new Error(`sign-in answered ${page.status}`)
  return { browser, page }
}

/** Whether the browser is signed in, as the account page sees it. */
export async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.get("/account")).status === 200
}

export async function kindsOf(testServer: TestServer): Promise<readonly string[]> {
  return (await testServer.store.events({}, { limit: 50 })).map(({ kind }) => kind)
}

/** The options that a page asks a passkey with. */
export function passkeyOptions(text: string): string {
  const written = /data-options="([^"]*)"/.exec(text)?.[1]
  if (written === undefined) throw new Error("the page asks for no passkey")
  return written.replaceAll("&quot;", '"').replaceAll("&amp;", "&")
}

/** Adds a passkey of `authenticator` to the account that is signed in. */
export async function addPasskey(
  testServer: TestServer,
  browser: Browser,
  authenticator: Authenticator,
  said: Partial<Said> = {},
) {
  const path = "/account/security/passkey"
  const page = await browser.get(path)
  const response = authenticator.create(passkeyOptions(page.text), { origin: testServer.issuer, ...said })
  return browser.submit(page, path, { response, name: "Key" })
}
