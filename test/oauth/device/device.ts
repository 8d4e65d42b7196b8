/** The steps by which a device gets a credential. A test can change any step. */
import assert from "node:assert/strict"
import type { TokenResponse } from "../../../src/oauth/credential/token-response.rules.ts"
import type { Browser } from "../../support/browser.ts"
import { type AppIdentity, type Listening, own, send } from "../../support/connect.ts"

export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"

export type Started = {
  readonly deviceCode: string
  readonly userCode: string
  /** The id of the credential that the grant may become. */
  readonly tokenId: string
}

/** Starts a device authorization, which must succeed. */
export async function startDevice(
  testServer: Listening,
  app: AppIdentity,
  more: Record<string, string> = {},
): Promise<Started> {
  const answer = await send(testServer, "/oauth/device-authorization", { ...own(app), ...more })
  if (answer.status !== 200) throw new Error(`device authorization answered ${JSON.stringify(answer.body)}`)
  return started(answer.body)
}

export function started(body: Record<string, unknown>): Started {
  const { device_code: deviceCode, user_code: userCode } = body
  assert.ok(typeof deviceCode === "string" && typeof userCode === "string")
  return { deviceCode, userCode, tokenId: deviceCode.slice(4, 30) }
}

export function poll(
  testServer: Listening,
  app: AppIdentity,
  { deviceCode }: Pick<Started, "deviceCode">,
  headers: Record<string, string> = {},
) {
  const grant = { grant_type: DEVICE_GRANT, device_code: deviceCode }
  return send(testServer, "/oauth/token", { ...own(app), ...grant }, headers)
}

/** Polls. The poll must return tokens. */
export async function fetched(
  testServer: Listening,
  app: AppIdentity,
  grant: Started,
): Promise<TokenResponse> {
  const answer = await poll(testServer, app, grant)
  if (answer.status !== 200) throw new Error(`the poll answered ${JSON.stringify(answer.body)}`)
  return answer.body as unknown as TokenResponse
}

/** Opens the page of a code, for the account that is signed in to the browser. */
export function openCode(browser: Browser, userCode: string) {
  return browser.get(`/oauth/device?user_code=${encodeURIComponent(userCode)}`)
}

/** Opens the page of the code and answers it once. */
export async function answerDevice(
  browser: Browser,
  { userCode }: Pick<Started, "userCode">,
  decision: string | readonly string[],
) {
  const page = await openCode(browser, userCode)
  assert.equal(page.status, 200, page.text)
  return browser.submit(page, "/oauth/consent", { decision })
}

export function headingOf({ text }: { readonly text: string }): string {
  const [, heading = ""] = /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(text) ?? []
  return heading
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()
}
