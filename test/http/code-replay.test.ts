import { after, before, describe, test } from "node:test"
import assert from "node:assert/strict"
import type { Browser } from "../support/browser.ts"
import { exchange, newVerifier, refresh, signedInBrowser } from "../support/connect.ts"
import { House, type TestApp } from "../support/house.ts"
import { assertRefused } from "./answers.ts"
import { issueCode, tokenIdOf } from "./grant.ts"
import { eventKinds, stateOf } from "./stored.ts"

const DAY = 86_400

let house: House
let bob: Browser
let app: TestApp
let confidential: TestApp

before(async () => {
  house = await House.open()
  await house.set("rate_limit.oauth_anonymous", "off")
  await house.addAccount("bob")
  bob = await signedInBrowser(house, "bob")
  app = await house.addApp()
  confidential = await house.addApp({ type: "confidential" })
})
after(() => house.close())

describe("CODE-3: a code that comes again revokes what it minted", () => {
  const wrongs: Record<string, Record<string, string>> = {
    "just as before": {},
    "with another verifier": { code_verifier: newVerifier().verifier },
    "with another address": { redirect_uri: "https://evil.example/" },
  }
  for (const [name, changes] of Object.entries(wrongs)) {
    test(name, async () => {
      const { code, verifier } = await issueCode(bob, app)
      const first = await exchange(house, app, code, verifier)
      assertRefused(await exchange(house, app, code, verifier, changes), 400, "invalid_grant")
      assert.equal(await stateOf(house, tokenIdOf(code)), "revoked")
      assert.equal((await eventKinds(house)).at(-1), "code-replayed")
      assertRefused(await refresh(house, app, String(first.body["refresh_token"])), 400, "invalid_grant")
      const call = await fetch(`${house.url}/api/credential`, {
        headers: { authorization: `Bearer ${String(first.body["access_token"])}` },
      })
      assert.equal(call.status, 401)
    })
  }

  test("after refreshes, and months later", async () => {
    const { code, verifier } = await issueCode(bob, app)
    const first = await exchange(house, app, code, verifier)
    house.clock.advance(60 * DAY)
    const second = await refresh(house, app, String(first.body["refresh_token"]))
    assert.equal(second.status, 200)
    house.clock.advance(80 * DAY)
    assertRefused(await exchange(house, app, code, verifier), 400, "invalid_grant")
    assert.equal(await stateOf(house, tokenIdOf(code)), "revoked")
    assertRefused(await refresh(house, app, String(second.body["refresh_token"])), 400, "invalid_grant")
    bob = await signedInBrowser(house, "bob")
  })

  test("from another app, or from nobody in particular, it revokes nothing", async () => {
    const { code, verifier } = await issueCode(bob, confidential)
    assert.equal((await exchange(house, confidential, code, verifier)).status, 200)
    assertRefused(await exchange(house, app, code, verifier), 400, "invalid_grant")
    const unproven = { ...confidential, secret: "lks_wrong" }
    assertRefused(await exchange(house, unproven, code, verifier), 401, "invalid_client")
    assertRefused(
      await exchange(house, { ...confidential, secret: null }, code, verifier),
      401,
      "invalid_client",
    )
    assert.equal(await stateOf(house, tokenIdOf(code)), "active")
  })

  test("without its parameters it is a malformed request, which revokes nothing", async () => {
    const { code, verifier } = await issueCode(bob, app)
    assert.equal((await exchange(house, app, code, verifier)).status, 200)
    assertRefused(await exchange(house, app, code, verifier, { redirect_uri: "" }), 400, "invalid_request")
    assert.equal(await stateOf(house, tokenIdOf(code)), "active")
  })

  test("of a hundred exchanges at once one gets tokens, and the credential ends revoked", async () => {
    const { code, verifier } = await issueCode(bob, app)
    // They wait for one another. Whoever waited too long was told so, and nothing was decided for it: it asks again.
    const decided = async () => {
      for (;;) {
        const answer = await exchange(house, app, code, verifier)
        if (answer.status !== 503) return answer
      }
    }
    const answers = await Promise.all(Array.from({ length: 100 }, decided))
    const won = answers.filter(({ status }) => status === 200)
    assert.equal(won.length, 1)
    for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 400, "invalid_grant")
    assert.equal(await stateOf(house, tokenIdOf(code)), "revoked")
    assertRefused(await refresh(house, app, String(won[0]?.body["refresh_token"])), 400, "invalid_grant")
  })
})
