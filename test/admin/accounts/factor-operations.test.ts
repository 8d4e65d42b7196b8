import assert from "node:assert/strict"
import { test } from "node:test"
import { addTotp } from "../../../src/accounts/factors/totp.ts"
import { send, signedInBrowser } from "../../support/connect.ts"
import { openCode, started } from "../../oauth/device/device.ts"
import { codeAt, halfSignedIn } from "../../accounts/factors/factors.ts"
import { fixture } from "../../support/fixture.ts"
import { grant } from "../../support/grant.ts"
import { call } from "../../support/signed-in.ts"
import { OPERATOR } from "../../support/test-server.ts"

const { testServer, app } = await fixture({
  admins: ["ada"],
  accounts: ["bob"],
  apps: { app: { permissions: ["account:write"], stepUp: true } },
})
const held = await grant(testServer, await signedInBrowser(testServer, "ada"), app)
const added = await addTotp(testServer.latchkey, "ada", OPERATOR)
assert.ok(added.ok)
const secret = added.value.secret

type Listed = { readonly factors: readonly { readonly id: string; readonly kind: string }[] }

async function listed(): Promise<Listed["factors"]> {
  const answer = await call(testServer, "/api/factors", held.access_token)
  assert.equal(answer.status, 200)
  return (answer.body as unknown as Listed).factors
}

function remove(id: string, token = held.access_token) {
  const headers = { authorization: `Bearer ${token}` }
  return fetch(`${testServer.url}/api/factors/${id}`, { method: "DELETE", headers })
}

test("API-6 the account's factors are listed without their secrets", async () => {
  const [factor] = await listed()
  assert.deepEqual(Object.keys(factor ?? {}), ["id", "kind", "name", "added_at", "used_at"])
  assert.equal(factor?.kind, "totp")
  assert.ok(!JSON.stringify(factor).includes(secret))
  const one = await call(testServer, `/api/factors/${factor?.id}`, held.access_token)
  assert.deepEqual([one.status, one.body], [200, factor])
})

test("API-6, API-9 a factor of another account is one that there is not", async () => {
  const { access_token } = await grant(testServer, await signedInBrowser(testServer, "bob"), app)
  const [factor] = await listed()
  for (const id of [factor?.id, "01k3v7m2q8xj5c9d4e6f7g8h9j", "x"]) {
    const answer = await call(testServer, `/api/factors/${id}`, access_token)
    assert.equal(answer.status, 404)
    assert.deepEqual(answer.body, {
      error: { code: 404, status: "NOT_FOUND", message: "There is no such factor." },
    })
  }
})

test("API-7 a factor is removed only while the credential is elevated", async () => {
  const [factor] = await listed()
  const refused = await remove(factor?.id ?? "")
  assert.equal(refused.status, 400)
  assert.equal(refused.headers.get("service-elevation-required"), "1")
  const { error } = (await refused.json()) as { error: Record<string, unknown> }
  assert.equal(error["status"], "FAILED_PRECONDITION")
  assert.equal((await listed()).length, 1)

  const bearer = { authorization: `Bearer ${held.access_token}` }
  const ceremony = started((await send(testServer, "/oauth/step-up", {}, bearer)).body)
  const browser = await signInWithCode()
  const page = await openCode(browser, ceremony.userCode)
  const code = codeAt(testServer, secret)
  await browser.submit(page, "/oauth/consent", { decision: "authorize", code })

  for (const id of ["nothing", "0".repeat(26)]) {
    const none = await remove(id)
    assert.equal(none.status, 404)
    await none.text()
  }
  assert.equal((await remove(factor?.id ?? "")).status, 204)
  assert.deepEqual(await listed(), [])
})

/** Signs ada in with both steps. The code of the next step is not used yet. */
async function signInWithCode() {
  const { browser, page } = await halfSignedIn(testServer, "ada")
  const answer = await browser.submit(page, "/sign-in/code", { code: codeAt(testServer, secret) })
  assert.equal(answer.status, 303)
  testServer.clock.advance(60)
  return browser
}
