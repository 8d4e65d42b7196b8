/** Tests known flaws of other servers in PKCE. README.md, "Code, PKCE, redirect". */
import { test } from "node:test"
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import {
  basic,
  authorizePath,
  exchange,
  newVerifier,
  own,
  REDIRECT_URI,
  send,
  signedInBrowser,
} from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import type { TestApp } from "../support/test-server.ts"
import { assertRefused, returned } from "../support/answers.ts"
import { startDevice, poll, answerDevice } from "../oauth/device/device.ts"
import { type IssuedCode, issueCode, tokenIdOf } from "../support/grant.ts"
import { stateOf } from "../support/stored.ts"

const { testServer, tool, server } = await fixture({
  rateLimit: "off",
  accounts: ["bob"],
  apps: { tool: {}, server: { type: "confidential" } },
})
let bob = await signedInBrowser(testServer, "bob")

/** Returns the fields of a correct exchange. */
function rightly(app: TestApp, { code, verifier }: IssuedCode): Record<string, string> {
  const grant = { grant_type: "authorization_code", code, code_verifier: verifier }
  return { ...own(app), ...grant, redirect_uri: REDIRECT_URI }
}

/** Checks that no attempt so far has used up the code. */
async function assertUnused(app: TestApp, { code, verifier }: IssuedCode): Promise<void> {
  assert.equal(await stateOf(testServer, tokenIdOf(code)), "issued")
  assert.equal((await exchange(testServer, app, code, verifier)).status, 200)
}

test("CVE-2023-48228: leaving code_verifier out does not leave PKCE out", async () => {
  for (const app of [tool, server]) {
    const issued = await issueCode(bob, app)
    const { code_verifier: verifier = "", ...without } = rightly(app, issued)
    const attempts = [
      { ...without },
      { ...without, code_verifier: "" },
      { ...without, Code_verifier: verifier },
      { ...without, "code_verifier[]": verifier },
      { ...without, code_challenge_method: "plain" },
    ] as Record<string, string>[]
    for (const fields of attempts)
      assertRefused(await send(testServer, "/oauth/token", fields), 400, "invalid_request")
    const inAddress = `/oauth/token?code_verifier=${verifier}`
    assertRefused(await send(testServer, inAddress, without), 400, "invalid_request")
    await assertUnused(app, issued)
  }
})

test("CVE-2023-48228: of two verifiers neither is taken, be one of them right or empty", async () => {
  const issued = await issueCode(bob, tool)
  const right = new URLSearchParams(rightly(tool, issued)).toString()
  for (const second of ["", "x", newVerifier().verifier, issued.verifier]) {
    for (const body of [`${right}&code_verifier=${second}`, `code_verifier=${second}&${right}`])
      assertRefused(await send(testServer, "/oauth/token", body), 400, "invalid_request")
  }
  await assertUnused(tool, issued)
})

test("CVE-2024-23647, CVE-2025-4144, GHSA-qgp8-v765-qxx9, CVE-2024-22258: no code is given without a challenge that a verifier has to meet", async () => {
  const { challenge, verifier } = newVerifier()
  const ways: Record<string, string>[] = [
    { code_challenge: "" },
    { code_challenge_method: "" },
    { code_challenge_method: "plain" },
    { code_challenge_method: "PLAIN", code_challenge: verifier },
    { code_challenge_method: "s256" },
    { code_challenge_method: "S256 " },
    { code_challenge_method: "S256,plain" },
    { code_challenge_method: "none" },
    { code_challenge: "x" },
    { code_challenge: `${challenge}=` },
    { code_challenge: createHash("sha256").update(verifier).digest("hex") },
  ]
  for (const app of [tool, server]) {
    for (const way of ways) {
      const page = await bob.get(authorizePath(app, challenge, way))
      assert.equal(returned(page, REDIRECT_URI)["error"], "invalid_request", JSON.stringify(way))
    }
    for (const name of ["code_challenge", "code_challenge_method"]) {
      const right = authorizePath(app, challenge)
      const without = right.replace(new RegExp(`&${name}=[^&]*`), "")
      assert.notEqual(without, right)
      for (const path of [without, `${right}&${name}=plain`, `${right}&${name}=`])
        assert.equal(returned(await bob.get(path), REDIRECT_URI)["error"], "invalid_request", path)
    }
  }
})

test("CVE-2024-23647: what was bound at authorization is not rebound by the consent form or at the exchange", async () => {
  const mine = newVerifier()
  const page = await bob.get(authorizePath(tool, newVerifier().challenge))
  const forged = { code_challenge: mine.challenge, code_challenge_method: "plain" }
  const answer = await bob.submit(page, "/oauth/consent", { decision: "authorize", ...forged })
  const code = new URL(answer.location ?? "").searchParams.get("code") ?? ""
  assertRefused(await exchange(testServer, tool, code, mine.verifier, forged), 400, "invalid_grant")
  assert.equal(await stateOf(testServer, tokenIdOf(code)), "issued")
})

test("CVE-2026-26247: the method is kept with the code, through a restart too: nothing but the verifier's digest fits", async () => {
  const { verifier, challenge } = newVerifier()
  const page = await bob.get(authorizePath(tool, challenge))
  const answer = await bob.submit(page, "/oauth/consent", { decision: "authorize" })
  const code = new URL(answer.location ?? "").searchParams.get("code") ?? ""
  await testServer.restart()
  for (const wrong of [challenge, newVerifier().verifier, `${verifier}=`, verifier.toUpperCase()]) {
    for (const code_challenge_method of ["plain", "S256"]) {
      const more = { code_challenge_method, code_challenge: wrong }
      assertRefused(await exchange(testServer, tool, code, wrong, more), 400, "invalid_grant")
    }
  }
  await assertUnused(tool, { code, verifier })
  bob = await signedInBrowser(testServer, "bob")
})

test("twenty #22548, authorizer #603: PKCE takes no secret's place: a confidential app needs both, at every grant", async () => {
  const issued = await issueCode(bob, server)
  const { client_secret: _, ...secretless } = rightly(server, issued)
  const started = await startDevice(testServer, server)
  await answerDevice(bob, started, "authorize")
  const wrong = [
    await send(testServer, "/oauth/token", secretless),
    await send(testServer, "/oauth/token", { ...secretless, client_secret: "" }),
    await send(testServer, "/oauth/token", { ...secretless, client_secret: issued.verifier }),
    await send(testServer, "/oauth/token", { ...secretless, client_secret: server.clientId }),
    await send(testServer, "/oauth/token", secretless, basic(server.clientId, "")),
    await send(testServer, "/oauth/token", { ...secretless, client_id: server.clientId.toUpperCase() }),
    await poll(testServer, { ...server, secret: null }, started),
  ]
  for (const answer of wrong) assertRefused(answer, 401, "invalid_client")
  assert.equal((await poll(testServer, server, started)).status, 200)
  await assertUnused(server, issued)
})

test("authorizer #603: a secret does not replace the verifier, and an arbitrary verifier is refused", async () => {
  const issued = await issueCode(bob, server)
  const { code_verifier: _, ...without } = rightly(server, issued)
  assertRefused(await send(testServer, "/oauth/token", without), 400, "invalid_request")
  for (const verifier of ["x", "x".repeat(43), newVerifier().verifier, "undefined", "null", "true"])
    assertRefused(await exchange(testServer, server, issued.code, verifier), 400, "invalid_grant")
  await assertUnused(server, issued)
})

test("authorizer #603: no text of a request runs over into what is stored beside it", async () => {
  const odd = "https://app.example/callback?to=a::b@@c,d;e=1"
  const app = await testServer.addApp({ redirectUris: [odd] })
  const state = 'x::y@@z|\u0000,{"code_challenge":"1"}&client_id=evil;é'
  const more = { redirect_uri: odd, state, installation_name: 'a::b@@c|d","scope":["admin:accounts"]' }
  const { verifier, challenge } = newVerifier()
  const page = await bob.get(authorizePath(app, challenge, more))
  const answer = await bob.submit(page, "/oauth/consent", { decision: "authorize" })
  const response = returned(answer, odd)
  assert.equal(response["state"], state)
  const code = response["code"] ?? ""
  assertRefused(
    await exchange(testServer, app, code, verifier, { redirect_uri: odd.split("::")[0] ?? "" }),
    400,
    "invalid_grant",
  )
  const tokens = await exchange(testServer, app, code, verifier, { redirect_uri: odd })
  assert.equal(tokens.status, 200)
  assert.equal(String(tokens.body["scope"]).includes("admin:"), false)
})
