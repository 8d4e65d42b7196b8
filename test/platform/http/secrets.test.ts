import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import pino from "pino"
import { rotateAppSecret } from "../../../src/apps/app.ts"
import { offerSetUp } from "../../../src/accounts/set-up/set-up.ts"
import { Browser, hiddenFields } from "../../support/browser.ts"
import { authorizePath, codeFor, exchange, newVerifier, own, refresh, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD, type TestServer, OPERATOR } from "../../support/test-server.ts"
import { call, introspected } from "../../support/signed-in.ts"

const WRONG_PASSWORD = "a password that is wrong"
const STATE = "state-of-the-app-0123456789"

/** The secrets, by their kind. */
const secrets = new Map<string, string>()
const lines: string[] = []

function keep(name: string, value: unknown): string {
  assert.ok(typeof value === "string" && value.length >= 20, name)
  secrets.set(name, value)
  return value
}

const { testServer } = await fixture({
  log: pino({ level: "trace" }, { write: (line: string) => lines.push(line) }),
})
await wholeFlow()
const stored = readdirSync(testServer.dir)
  .map((name) => readFileSync(join(testServer.dir, name), "latin1"))
  .join("\n")

async function setUpAndSignIn(): Promise<Browser> {
  const link = keep("set-up link", await offerSetUp(testServer.latchkey))
  const browser = new Browser(testServer.url)
  const page = await browser.get(`/setup?link=${link}`)
  await browser.submit(page, "/setup", { username: "ada", password: WRONG_PASSWORD.slice(0, 5) })
  const made = await browser.submit(page, "/setup", { username: "ada", password: keep("password", PASSWORD) })
  assert.equal(made.status, 303)
  keep("first session", browser.cookie("latchkey_session"))
  await browser.submit(await browser.get("/account"), "/sign-out", {})
  await browser.signIn("ada", keep("wrong password", WRONG_PASSWORD))
  const signedIn = await browser.signIn("ada", PASSWORD)
  assert.equal(signedIn.status, 303)
  keep("session", browser.cookie("latchkey_session"))
  keep("browser", browser.cookie("latchkey_browser"))
  return browser
}

async function wholeFlow(): Promise<void> {
  const browser = await setUpAndSignIn()
  const first = await testServer.addApp({ type: "confidential", resourceServer: true })
  keep("first client secret", first.secret)
  const rotated = await rotateAppSecret(testServer.latchkey, first.clientId, OPERATOR)
  assert.ok(rotated.ok)
  const app = { ...first, secret: keep("client secret", rotated.value.secret) }

  const { verifier, challenge } = newVerifier()
  keep("verifier", verifier)
  const page = await browser.get(authorizePath(app, challenge, { state: STATE }))
  const { ticket, csrf } = hiddenFields(page.text, "/oauth/consent")
  keep("ticket", ticket)
  keep("anti-forgery token", csrf)
  const code = keep("code", await codeFor(browser, app, challenge, { state: STATE }))
  await exchange(testServer, app, code, keep("wrong verifier", newVerifier().verifier))
  await exchange(
    testServer,
    { ...app, secret: keep("wrong client secret", `lks_${"w".repeat(43)}`) },
    code,
    verifier,
  )
  let { body } = await exchange(testServer, app, code, verifier)
  const pairs = [body]
  for (let n = 0; n < 3; n++) {
    body = (
      await refresh(testServer, app, String(body["refresh_token"]), n === 1 ? { scope: "account:read" } : {})
    ).body
    pairs.push(body)
  }
  pairs.forEach((pair, n) => {
    keep(`access token ${n}`, pair["access_token"])
    keep(`refresh token ${n}`, pair["refresh_token"])
  })
  await useAndMisuse(app, pairs, code, verifier)
}

async function useAndMisuse(
  app: Awaited<ReturnType<TestServer["addApp"]>>,
  pairs: readonly Record<string, unknown>[],
  code: string,
  verifier: string,
): Promise<void> {
  const [access, token] = [String(pairs[3]?.["access_token"]), String(pairs[0]?.["refresh_token"])]
  assert.equal((await call(testServer, "/api/account", access)).status, 200)
  assert.equal((await introspected(testServer, app, access)).body["active"], true)
  for (const path of [
    "/api/account",
    "/nothing",
    "/oauth/authorize",
    "/oauth/token",
    `/${token}`,
    `/api/${access}`,
  ])
    await fetch(`${testServer.url}${path}?access_token=${access}&code=${code}&state=${STATE}&${token}=1`)
  await send(testServer, "/oauth/token", `${token}=1&${token}=2&client_id=${app.clientId}`)
  await send(testServer, "/oauth/token", { client_id: token, client_secret: access })
  await send(
    testServer,
    "/oauth/token",
    {},
    { authorization: `Basic ${btoa(`${app.clientId}:${app.secret}`)}` },
  )
  await exchange(testServer, app, code, verifier)
  testServer.clock.advance(61)
  await refresh(testServer, app, token)
  await send(testServer, "/oauth/revoke", { ...own(app), token })
}

describe("SVC-5, CLIENT-3, TOK-1, TOK-2: no issued secret is stored in plain text", () => {
  test("the flow made all of them, and the log and the tables are not empty", () => {
    assert.equal(secrets.size, 22)
    assert.ok(
      lines.some((line) => line.includes('"refused"')) && lines.some((line) => line.includes("milliseconds")),
    )
    // The four letters alone would appear by chance in one of some thousand databases full of digests.
    assert.ok(!/lka_[0-9a-z]{26}[\w-]{43}/.test(stored) && stored.includes("code-replayed"))
    assert.ok(existsSync(join(testServer.dir, "latchkey.db-wal")), "the log of the database is read too")
  })

  test("in the database and its log", () => {
    for (const [name, value] of secrets) {
      assert.equal(stored.includes(value), false, name)
      assert.equal(stored.includes(innermost(value)), false, `the random part of: ${name}`)
    }
  })

  test("in the service's log, at its finest level", () => {
    const log = lines.join("\n")
    for (const [name, value] of secrets) {
      assert.equal(log.includes(value), false, name)
      assert.equal(log.includes(innermost(value)), false, `the random part of: ${name}`)
    }
    assert.equal(log.includes(STATE), false, "no query string of an authorization is logged")
    assert.equal(log.includes("access_token="), false)
  })
})

/** Returns the part without prefix, id and checksum. */
function innermost(value: string): string {
  if (/^lk[acr]_/.test(value)) return value.slice(36, 60)
  return value.startsWith("lks_") ? value.slice(4, 40) : value
}
