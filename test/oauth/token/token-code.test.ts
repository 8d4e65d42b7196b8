import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { setAccountEnabled, removeAccount } from "../../../src/accounts/accounts.ts"
import { setAppEnabled } from "../../../src/apps/app.ts"
import {
  basic,
  exchange,
  newVerifier,
  own,
  REDIRECT_URI,
  send,
  signedInBrowser,
} from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import type { TestApp } from "../../support/test-server.ts"
import { assertRefused, assertUncached } from "../../support/answers.ts"
import { issueCode, tokenIdOf } from "../../support/grant.ts"
import { eventKinds, everything, stateOf } from "../../support/stored.ts"
import { DAY } from "../../../src/kernel/time.ts"

const {
  testServer,
  userIds: { Bob: userId },
  app,
  confidential,
} = await fixture({
  rateLimit: "off",
  admins: ["ada"],
  accounts: ["Bob"],
  apps: { app: {}, confidential: { type: "confidential" } },
})
let bob = await signedInBrowser(testServer, "bob")

describe("CODE-1, TOK-1…TOK-9, SVC-3: an exchange answers with all nine members and nothing else", () => {
  const ways: Record<string, () => [TestApp, Record<string, string>, Record<string, string>]> = {
    "TOKEN-5, AUTH-2: a public app": () => [app, own(app), {}],
    "TOKEN-4, AUTH-3: a confidential app, its secret in the body": () => [
      confidential,
      own(confidential),
      {},
    ],
    "TOKEN-4, AUTH-3: a confidential app, by HTTP Basic": () => {
      const { clientId, secret } = confidential
      return [confidential, {}, basic(clientId, secret ?? "")]
    },
  }
  for (const [name, way] of Object.entries(ways)) {
    test(name, async () => {
      const [who, client, headers] = way()
      const { code, verifier } = await issueCode(bob, who)
      const answer = await send(
        testServer,
        "/oauth/token",
        {
          ...client,
          grant_type: "authorization_code",
          code,
          code_verifier: verifier,
          redirect_uri: REDIRECT_URI,
        },
        headers,
      )
      assert.equal(answer.status, 200)
      assertUncached(answer)
      assert.equal(answer.headers.get("access-control-allow-origin"), "*")
      const { access_token, refresh_token, ...rest } = answer.body
      assert.match(String(access_token), /^lka_[\w-]{86}$/)
      assert.match(String(refresh_token), /^lkr_[\w-]{92}$/)
      assert.deepEqual(rest, {
        token_type: "Bearer",
        expires_in: 3600,
        refresh_expires_in: 90 * DAY,
        refresh_token_timeout: 90 * DAY,
        authorization_expires_in: 365 * DAY,
        scope: "account:read workers:read files:read files:write",
        token_id: tokenIdOf(code),
        user_id: userId,
        username: "Bob",
      })
      assert.equal(await stateOf(testServer, tokenIdOf(code)), "active")
      assert.equal((await eventKinds(testServer)).at(-1), "code-exchanged")
    })
  }

  test("LIM-7: expires_in follows the setting", async () => {
    await testServer.set("token.access_seconds", "120")
    const { code, verifier } = await issueCode(bob, app)
    assert.equal((await exchange(testServer, app, code, verifier)).body["expires_in"], 120)
    await testServer.set("token.access_seconds", "3600")
  })
})

describe("TOKEN-1, AUTH-5, ERR-2, ERR-4: an exchange that fails leaves the code usable", () => {
  type Changes = Record<string, string>
  const cases: Record<string, [changes: Changes, error: string]> = {
    "no code": [{ code: "" }, "invalid_request"],
    "no verifier": [{ code_verifier: "" }, "invalid_request"],
    "no redirect URI": [{ redirect_uri: "" }, "invalid_request"],
    "no grant type": [{ grant_type: "" }, "invalid_request"],
    "another verifier": [{ code_verifier: newVerifier().verifier }, "invalid_grant"],
    "the challenge as the verifier": [{ code_verifier: "challenge" }, "invalid_grant"],
    "a verifier of 42 characters": [{ code_verifier: "a".repeat(42) }, "invalid_grant"],
    "a verifier of 129 characters": [{ code_verifier: "a".repeat(129) }, "invalid_grant"],
    "another address": [{ redirect_uri: "http://127.0.0.1:4711/callback" }, "invalid_grant"],
    "the address with a slash more": [{ redirect_uri: `${REDIRECT_URI}/` }, "invalid_grant"],
    "the address in other letters": [{ redirect_uri: REDIRECT_URI.toUpperCase() }, "invalid_grant"],
  }
  for (const [name, [changes, error]] of Object.entries(cases)) {
    test(name, async () => {
      const { code, verifier } = await issueCode(bob, app)
      assertRefused(await exchange(testServer, app, code, verifier, changes), 400, error)
      assert.equal((await exchange(testServer, app, code, verifier)).status, 200)
    })
  }

  test("REDIR-2: another port than that of the authorization", async () => {
    const asked = "http://127.0.0.1:49152/callback"
    const { code, verifier } = await issueCode(bob, app, { redirect_uri: asked })
    for (const redirect_uri of ["http://127.0.0.1:49153/callback", "http://127.0.0.1/callback"]) {
      assertRefused(await exchange(testServer, app, code, verifier, { redirect_uri }), 400, "invalid_grant")
    }
    assert.equal((await exchange(testServer, app, code, verifier, { redirect_uri: asked })).status, 200)
  })

  test("SVC-6: another app, public or confidential", async () => {
    const { code, verifier } = await issueCode(bob, app)
    const other = await testServer.addApp()
    assertRefused(await exchange(testServer, other, code, verifier), 400, "invalid_grant")
    assertRefused(await exchange(testServer, confidential, code, verifier), 400, "invalid_grant")
    assert.equal((await exchange(testServer, app, code, verifier)).status, 200)
  })

  test("ERR-1: a confidential app that is not authenticated, whatever else is right or wrong", async () => {
    const { code, verifier } = await issueCode(bob, confidential)
    const nameOnly = { ...confidential, secret: null }
    const wrong = { ...confidential, secret: "lks_wrong" }
    assertRefused(await exchange(testServer, nameOnly, code, verifier), 401, "invalid_client")
    assertRefused(await exchange(testServer, wrong, code, verifier), 401, "invalid_client")
    assertRefused(await exchange(testServer, wrong, code, "short"), 401, "invalid_client")
    assertRefused(await exchange(testServer, wrong, code, ""), 401, "invalid_client")
    assertRefused(await exchange(testServer, confidential, code, ""), 400, "invalid_request")
    assert.equal((await exchange(testServer, confidential, code, verifier)).status, 200)
  })

  test("a verifier that is padded works, as some installed clients send it", async () => {
    const verifier = `${"a".repeat(43)}=`
    const code_challenge = createHash("sha256").update(verifier).digest("base64url")
    const { code } = await issueCode(bob, app, { code_challenge })
    assert.equal((await exchange(testServer, app, code, verifier)).status, 200)
  })
})

describe("CODE-2, LIM-1: a code lives ten minutes", () => {
  test("one second before the end it works", async () => {
    const { code, verifier } = await issueCode(bob, app)
    testServer.clock.advance(600)
    assert.equal((await exchange(testServer, app, code, verifier)).status, 200)
  })

  test("at the end it does not, and a clock set back revives nothing that was answered as expired", async () => {
    const { code, verifier } = await issueCode(bob, app)
    testServer.clock.advance(601)
    assertRefused(await exchange(testServer, app, code, verifier), 400, "invalid_grant")
    assert.equal(await stateOf(testServer, tokenIdOf(code)), "ended")
    testServer.clock.setWall(testServer.clock.now() - 600)
    assertRefused(await exchange(testServer, app, code, verifier), 400, "invalid_grant")
    testServer.clock.setWall(testServer.clock.now() + 600)
  })

  test("an expiry that only another app asked about is not stored", async () => {
    const { code, verifier } = await issueCode(bob, app)
    const other = await testServer.addApp()
    testServer.clock.advance(601)
    assertRefused(await exchange(testServer, other, code, verifier), 400, "invalid_grant")
    assert.equal(await stateOf(testServer, tokenIdOf(code)), "issued")
  })
})

describe("ERR-2, CODE-1: a text that is no code of ours", () => {
  test("is refused, and the code that it resembles stays usable", async () => {
    const { code, verifier } = await issueCode(bob, app)
    const stored = (await everything(testServer))["credential"]
    const last = code.at(-1) === "A" ? "B" : "A"
    const inside = code[40] === "A" ? "B" : "A"
    for (const text of [
      code.slice(0, -1),
      code.slice(0, -1) + last,
      code.slice(0, 40) + inside + code.slice(41),
      `${code}A`,
      code.slice(4),
      code.replace("lkc_", "lkr_"),
      "x",
      "lkc_".padEnd(79, "0"),
    ])
      assertRefused(await exchange(testServer, app, text, verifier), 400, "invalid_grant", text)
    assert.deepEqual((await everything(testServer))["credential"], stored)
    assert.equal((await exchange(testServer, app, code, verifier)).status, 200)
  })
})

describe("ERR-2, ERR-1: what is disabled or gone while a code waits", () => {
  const from = { address: null, owner: null }

  test("a disabled account: refused, and the code works once it is enabled again", async () => {
    const { code, verifier } = await issueCode(bob, app)
    await setAccountEnabled(testServer.latchkey, "bob", false, from)
    assertRefused(await exchange(testServer, app, code, verifier), 400, "invalid_grant")
    await setAccountEnabled(testServer.latchkey, "bob", true, from)
    assert.equal((await exchange(testServer, app, code, verifier)).status, 200)
    bob = await signedInBrowser(testServer, "bob")
  })

  test("a removed account: refused for good, also after another takes its name", async () => {
    await testServer.addAccount("dora")
    const dora = await signedInBrowser(testServer, "dora")
    const { code, verifier } = await issueCode(dora, app)
    await removeAccount(testServer.latchkey, "dora", from)
    assertRefused(await exchange(testServer, app, code, verifier), 400, "invalid_grant")
    await testServer.addAccount("dora")
    assertRefused(await exchange(testServer, app, code, verifier), 400, "invalid_grant")
  })

  test("a disabled app: failed authentication, and the code works once it is enabled again", async () => {
    const { code, verifier } = await issueCode(bob, app)
    await setAppEnabled(testServer.latchkey, app.clientId, false, from)
    assertRefused(await exchange(testServer, app, code, verifier), 401, "invalid_client")
    await setAppEnabled(testServer.latchkey, app.clientId, true, from)
    assert.equal((await exchange(testServer, app, code, verifier)).status, 200)
  })
})
