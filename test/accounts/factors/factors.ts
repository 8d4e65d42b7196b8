/** Helpers for factors in HTTP tests: the current code, a completed second step, and an enrolled authenticator. */
import { HOTP, Secret } from "otpauth"
import { addTotp } from "../../../src/accounts/factors/totp.ts"
import { Browser } from "../../support/browser.ts"
import type { Authenticator, Said } from "../../support/authenticator.ts"
import { type TestServer, PASSWORD, OPERATOR } from "../../support/test-server.ts"

/** Returns the code of a secret. `steps` is the number of thirty-second steps from now. */
export function codeAt(testServer: TestServer, secret: string, steps = 0): string {
  const counter = Math.floor(testServer.clock.now() / 30) + steps
  return HOTP.generate({ secret: Secret.fromBase32(secret), counter, digits: 6, algorithm: "SHA1" })
}

/** Whether a code is valid at any step around now. A code of another step or secret may be valid by chance. */
export function isRightCode(testServer: TestServer, secret: string, code: string): boolean {
  return [-1, 0, 1].some((steps) => codeAt(testServer, secret, steps) === code)
}

/** Returns six digits that are valid at no step around now. */
export function wrongCode(testServer: TestServer, secret: string): string {
  const wrong = ["000000", "111111", "222222", "333333"].find(
    (code) => !isRightCode(testServer, secret, code),
  )
  if (wrong === undefined) throw new Error("every code is right")
  return wrong
}

/** Adds an account with a one-time password. Returns its secret. */
export async function accountWithTotp(testServer: TestServer, username: string): Promise<string> {
  await testServer.addAccount(username)
  const added = await addTotp(testServer.latchkey, username, OPERATOR)
  if (!added.ok) throw new Error(added.error)
  return added.value.secret
}

/** Returns a browser that has sent the right password, and the page of the second step. */
export async function halfSignedIn(testServer: TestServer, username: string) {
  const browser = new Browser(testServer.url)
  const page = await browser.signIn(username, PASSWORD)
  if (page.status !== 200) throw new Error(`sign-in answered ${page.status}`)
  return { browser, page }
}

export async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.get("/account")).status === 200
}

export async function kindsOf(testServer: TestServer): Promise<readonly string[]> {
  return (await testServer.store.events({}, { limit: 50 })).map(({ kind }) => kind)
}

export function passkeyOptions(text: string): string {
  const written = /data-options="([^"]*)"/.exec(text)?.[1]
  if (written === undefined) throw new Error("the page asks for no passkey")
  return written.replaceAll("&quot;", '"').replaceAll("&amp;", "&")
}

/** Adds a passkey of `authenticator` to the signed-in account. */
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
