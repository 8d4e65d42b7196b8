/**
 * A service with an administrator, an ordinary account and their apps. Their credentials have all permissions, few, or
 * none.
 */
import assert from "node:assert/strict"
import type { TokenResponse } from "../../../src/oauth/credential/token-response.rules.ts"
import type { Browser } from "../../support/browser.ts"
import { toLoopback } from "../../support/document-server.ts"
import { type Listening, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD, type TestApp, type TestServer } from "../../support/test-server.ts"
import { openCode, started } from "../../oauth/device/device.ts"
import { grant } from "../../support/grant.ts"

/** Every permission of the API that must be requested. The others are implied. */
const EVERYTHING = [
  ...["account:write", "credentials:write", "apps:write", "files:read"],
  ...["admin:accounts", "admin:apps", "admin:credentials", "admin:settings", "admin:events"],
]

export type World = {
  readonly testServer: TestServer
  readonly app: TestApp
  /** The tokens of the administrator `root`, with every permission and an elevation. */
  readonly full: TokenResponse
  /** The tokens of `root` with the same permissions, without an elevation. */
  readonly plain: TokenResponse
  /** The tokens of the same account, without any permission of the API. */
  readonly bare: TokenResponse
  /** The tokens of the ordinary account `ada`, with every permission that she may have and an elevation. */
  readonly ada: TokenResponse
  readonly browser: Browser
}

/** Opens the world for all tests of a file. */
export async function openWorld(): Promise<World> {
  const {
    testServer,
    root: browser,
    ada: adas,
    app,
  } = await fixture({
    // The guard refuses loopback addresses, so no request leaves this machine.
    resolveName: toLoopback,
    admins: ["root"],
    accounts: ["ada"],
    browsers: ["root", "ada"],
    apps: { app: { permissions: EVERYTHING, stepUp: true } },
  })
  const scope = EVERYTHING.join(" ")
  const world = {
    testServer,
    app,
    browser,
    full: await grant(testServer, browser, app, { scope }),
    plain: await grant(testServer, browser, app, { scope }),
    bare: await grant(testServer, browser, app, { scope: "files:read" }),
    ada: await grant(testServer, adas, app),
  }
  await elevate(testServer, browser, world.full)
  await elevate(testServer, adas, world.ada)
  return world
}

/** Completes a step-up with the password. The account must have no stronger factor. */
export async function elevate(
  testServer: Listening,
  browser: Browser,
  { access_token }: TokenResponse,
): Promise<void> {
  const opened = await send(testServer, "/oauth/step-up", {}, { authorization: `Bearer ${access_token}` })
  const page = await openCode(browser, started(opened.body).userCode)
  const answer = await browser.submit(page, "/oauth/consent", { decision: "authorize", password: PASSWORD })
  assert.equal(answer.status, 200, answer.text)
}

export type ApiAnswer = {
  readonly status: number
  readonly headers: Headers
  /** The body is an empty object if the response has none. */
  readonly body: Record<string, unknown>
}

export type Sent = {
  readonly method: string
  readonly path: string
  /** A text is sent unchanged. Any other value is sent as JSON. */
  readonly body?: unknown
  readonly type?: string
}

export async function ask(
  testServer: TestServer,
  token: string | null,
  { method, path, body, type }: Sent,
): Promise<ApiAnswer> {
  const headers = new Headers()
  if (token !== null) headers.set("authorization", `Bearer ${token}`)
  if (body !== undefined) headers.set("content-type", type ?? "application/json")
  const sent =
    body === undefined || typeof body === "string" || body instanceof Uint8Array
      ? (body as string | Uint8Array<ArrayBuffer> | undefined)
      : JSON.stringify(body)
  const response = await fetch(testServer.url + path, {
    method,
    headers,
    ...(sent !== undefined && { body: sent }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) }
}

/** Checks that the response has the form of an error and must not be cached. */
export function assertError(
  answer: ApiAnswer,
  code: number,
  status: string,
  message?: RegExp | string,
): void {
  const seen = JSON.stringify(answer.body)
  assert.deepEqual(Object.keys(answer.body), ["error"], seen)
  const error = answer.body["error"] as Record<string, unknown>
  assert.deepEqual(Object.keys(error), ["code", "status", "message"], seen)
  assert.deepEqual([answer.status, error["code"], error["status"]], [code, code, status], seen)
  assert.equal(answer.headers.get("cache-control"), "no-store")
  assert.equal(answer.headers.get("access-control-allow-origin"), "*")
  assert.equal(
    answer.headers.get("service-elevation-required"),
    status === "FAILED_PRECONDITION" ? "1" : null,
  )
  if (typeof message === "string") assert.equal(error["message"], message)
  else if (message !== undefined) assert.match(String(error["message"]), message)
}
