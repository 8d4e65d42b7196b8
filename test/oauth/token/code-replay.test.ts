import { describe, test } from "node:test"
import assert from "node:assert/strict"
import {
  type AppIdentity,
  exchange,
  newVerifier,
  own,
  REDIRECT_URI,
  refresh,
  send,
  signedInBrowser,
} from "../../support/connect.ts"
import { assertRefused } from "../../support/answers.ts"
import { fixture } from "../../support/fixture.ts"
import { issueCode, tokenIdOf } from "../../support/grant.ts"
import { eventKinds, stateOf } from "../../support/stored.ts"
import { DAY } from "../../../src/kernel/time.ts"

const { testServer, app, confidential } = await fixture({
  rateLimit: "off",
  accounts: ["bob"],
  apps: { app: {}, confidential: { type: "confidential" } },
})
let bob = await signedInBrowser(testServer, "bob")

describe("CODE-3: a code that comes again revokes what it minted", () => {
  const wrongs: Record<string, Record<string, string>> = {
    "just as before": {},
    "with another verifier": { code_verifier: newVerifier().verifier },
    "with another address": { redirect_uri: "https://evil.example/" },
  }
  for (const [name, changes] of Object.entries(wrongs)) {
    test(name, async () => {
      const { code, verifier } = await issueCode(bob, app)
      const first = await exchange(testServer, app, code, verifier)
      assertRefused(await exchange(testServer, app, code, verifier, changes), 400, "invalid_grant")
      assert.equal(await stateOf(testServer, tokenIdOf(code)), "revoked")
      assert.equal((await eventKinds(testServer)).at(-1), "code-replayed")
      assertRefused(await refresh(testServer, app, String(first.body["refresh_token"])), 400, "invalid_grant")
      const call = await fetch(`${testServer.url}/api/credential`, {
        headers: { authorization: `Bearer ${String(first.body["access_token"])}` },
      })
      assert.equal(call.status, 401)
    })
  }

  test("after refreshes, and months later", async () => {
    const { code, verifier } = await issueCode(bob, app)
    const first = await exchange(testServer, app, code, verifier)
    testServer.clock.advance(60 * DAY)
    const second = await refresh(testServer, app, String(first.body["refresh_token"]))
    assert.equal(second.status, 200)
    testServer.clock.advance(80 * DAY)
    assertRefused(await exchange(testServer, app, code, verifier), 400, "invalid_grant")
    assert.equal(await stateOf(testServer, tokenIdOf(code)), "revoked")
    assertRefused(await refresh(testServer, app, String(second.body["refresh_token"])), 400, "invalid_grant")
    bob = await signedInBrowser(testServer, "bob")
  })

  test("from another app, or without a client, it revokes nothing", async () => {
    const { code, verifier } = await issueCode(bob, confidential)
    assert.equal((await exchange(testServer, confidential, code, verifier)).status, 200)
    assertRefused(await exchange(testServer, app, code, verifier), 400, "invalid_grant")
    const unproven = { ...confidential, secret: "lks_wrong" }
    assertRefused(await exchange(testServer, unproven, code, verifier), 401, "invalid_client")
    assertRefused(
      await exchange(testServer, { ...confidential, secret: null }, code, verifier),
      401,
      "invalid_client",
    )
    assert.equal(await stateOf(testServer, tokenIdOf(code)), "active")
  })

  test("of a hundred exchanges at once one gets tokens, and the credential ends revoked", async () => {
    const { code, verifier } = await issueCode(bob, app)
    // The requests wait for each other. A request that waited too long gets a 503, has changed nothing and is sent
    // again.
    const decided = async () => {
      for (;;) {
        const answer = await exchange(testServer, app, code, verifier)
        if (answer.status !== 503) return answer
      }
    }
    const answers = await Promise.all(Array.from({ length: 100 }, decided))
    const won = answers.filter(({ status }) => status === 200)
    assert.equal(won.length, 1)
    for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 400, "invalid_grant")
    assert.equal(await stateOf(testServer, tokenIdOf(code)), "revoked")
    assertRefused(await refresh(testServer, app, String(won[0]?.body["refresh_token"])), 400, "invalid_grant")
  })
})

describe("CODE-4: a replay in a malformed request revokes too, and is answered as malformed", () => {
  type Fields = Record<string, string>
  const changes: Record<string, (fields: Fields) => Fields | string> = {
    "an empty redirect_uri": (fields) => ({ ...fields, redirect_uri: "" }),
    "an empty code_verifier": (fields) => ({ ...fields, code_verifier: "" }),
    "no redirect_uri": ({ redirect_uri: _, ...rest }) => rest,
    "no code_verifier": ({ code_verifier: _, ...rest }) => rest,
    "the code alone": ({ redirect_uri: _, code_verifier: __, ...rest }) => rest,
    "code_verifier given twice": (fields) => `${encoded(fields)}&code_verifier=x`,
    "redirect_uri given twice, once empty": (fields) => `${encoded(fields)}&redirect_uri=`,
    "an unknown parameter given twice": (fields) => `${encoded(fields)}&a=1&a=2`,
    "the code given twice, the same": (fields) => `${encoded(fields)}&code=${fields["code"]}`,
    "a verifier that is not UTF-8": ({ code_verifier: _, ...rest }) => `${encoded(rest)}&code_verifier=%ff`,
    "an address with a broken escape": ({ redirect_uri: _, ...rest }) => `${encoded(rest)}&redirect_uri=%zz`,
    "a verifier with a raw space": ({ code_verifier: _, ...rest }) => `${encoded(rest)}&code_verifier=a b`,
    "an unknown parameter with a broken escape": (fields) => `${encoded(fields)}&a=%zz`,
    "more than a hundred parameters": (fields) => `${encoded(fields)}${"&a=1".repeat(101)}`,
  }
  for (const [name, change] of Object.entries(changes)) {
    test(`${name}: consumed, the credential ends`, async () => {
      const { code, verifier } = await issueCode(bob, app)
      const first = await exchange(testServer, app, code, verifier)
      assert.equal(first.status, 200)
      assertRefused(await sendChanged(app, code, verifier, change), 400, "invalid_request")
      assert.equal(await stateOf(testServer, tokenIdOf(code)), "revoked")
      assert.equal((await eventKinds(testServer)).at(-1), "code-replayed")
      assertRefused(await refresh(testServer, app, String(first.body["refresh_token"])), 400, "invalid_grant")
    })

    test(`${name}: not consumed, the code stays usable`, async () => {
      const { code, verifier } = await issueCode(bob, app)
      assertRefused(await sendChanged(app, code, verifier, change), 400, "invalid_request")
      assert.equal((await exchange(testServer, app, code, verifier)).status, 200)
    })

    test(`${name}: from another app, or without its secret, nothing ends`, async () => {
      const { code, verifier } = await issueCode(bob, confidential)
      assert.equal((await exchange(testServer, confidential, code, verifier)).status, 200)
      assertRefused(await sendChanged(app, code, verifier, change), 400, "invalid_request")
      for (const secret of ["lks_wrong", null]) {
        const answer = await sendChanged({ ...confidential, secret }, code, verifier, change)
        const isWellFormed = /^(?:no|an empty|the code alone)/.test(name)
        assertRefused(answer, isWellFormed ? 401 : 400, isWellFormed ? "invalid_client" : "invalid_request")
      }
      assert.equal(await stateOf(testServer, tokenIdOf(code)), "active")
    })
  }

  test("with a malformed verifier or address it is invalid_grant, and the credential ends", async () => {
    for (const wrong of [
      { code_verifier: "too short" },
      { code_verifier: "\n".repeat(500) },
      { redirect_uri: "not an address" },
    ]) {
      const { code, verifier } = await issueCode(bob, app)
      assert.equal((await exchange(testServer, app, code, verifier)).status, 200)
      assertRefused(await exchange(testServer, app, code, verifier, wrong), 400, "invalid_grant")
      assert.equal(await stateOf(testServer, tokenIdOf(code)), "revoked")
    }
  })

  test("months later, from a confidential app by Basic", async () => {
    const { code, verifier } = await issueCode(bob, confidential)
    assert.equal((await exchange(testServer, confidential, code, verifier)).status, 200)
    testServer.clock.advance(80 * DAY)
    const authorization = `Basic ${btoa(`${confidential.clientId}:${confidential.secret}`)}`
    const grant = { grant_type: "authorization_code", code }
    assertRefused(await send(testServer, "/oauth/token", grant, { authorization }), 400, "invalid_request")
    assert.equal(await stateOf(testServer, tokenIdOf(code)), "revoked")
    bob = await signedInBrowser(testServer, "bob")
  })

  test("two different codes are no code: nothing ends", async () => {
    const { code, verifier } = await issueCode(bob, app)
    assert.equal((await exchange(testServer, app, code, verifier)).status, 200)
    const answer = await sendChanged(app, code, verifier, (fields) => `${encoded(fields)}&code=x`)
    assertRefused(answer, 400, "invalid_request")
    assert.equal(await stateOf(testServer, tokenIdOf(code)), "active")
  })

  function sendChanged(
    by: AppIdentity,
    code: string,
    verifier: string,
    change: (fields: Fields) => Fields | string,
  ) {
    const grant = {
      grant_type: "authorization_code",
      code,
      code_verifier: verifier,
      redirect_uri: REDIRECT_URI,
    }
    return send(testServer, "/oauth/token", change({ ...own(by), ...grant }))
  }

  function encoded(fields: Fields): string {
    return new URLSearchParams(fields).toString()
  }
})
