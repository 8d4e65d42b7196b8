/** Tests known flaws of other servers in device grants and consent. README.md, "Device, consent, step-up". */
import { beforeEach, test } from "node:test"
import assert from "node:assert/strict"
import { updateApp } from "../../src/apps/app.ts"
import { Browser, hiddenFields } from "../support/browser.ts"
import { basic, authorizePath, exchange, newVerifier, own, REDIRECT_URI, send } from "../support/connect.ts"
import { assertRefused, returned } from "../support/answers.ts"
import { answerDevice, fetched, openCode, poll, startDevice } from "../oauth/device/device.ts"
import { fixture } from "../support/fixture.ts"
import { grant } from "../support/grant.ts"
import { everything } from "../support/stored.ts"
import { OPERATOR } from "../support/test-server.ts"

const CONSENT = "/oauth/consent"

const { testServer, bob, eve, app, other, server } = await fixture({
  rateLimit: "off",
  admins: ["root"],
  accounts: ["bob", "eve"],
  browsers: ["bob", "eve"],
  apps: { app: {}, other: { name: "Other" }, server: { type: "confidential" } },
})
beforeEach(() => testServer.clock.advance(6))

/** Returns what an attack could have caused: credentials and answers to device grants. */
async function given(): Promise<unknown> {
  const { credential, device_grant } = await everything(testServer)
  return { credential, device_grant }
}

async function assertNothingGiven(attack: () => Promise<unknown>): Promise<void> {
  const stored = await given()
  await attack()
  assert.deepEqual(await given(), stored)
}

async function assertPending(pending: Parameters<typeof poll>[2], who = app): Promise<void> {
  testServer.clock.advance(6)
  assertRefused(await poll(testServer, who, pending), 400, "authorization_pending")
}

test("CVE-2026-45337, GHSA-cq3f-vc6p-68fh: being signed in is not enough to answer a code: the form of that very page is", async () => {
  const started = await startDevice(testServer, app)
  const page = await openCode(bob, started.userCode)
  const fields = hiddenFields(page.text, CONSENT)
  const eves = hiddenFields((await eve.get("/account")).text, "/sign-out")
  await assertNothingGiven(async () => {
    for (const decision of ["authorize", "refuse"]) {
      const answers = [
        await eve.post(CONSENT, { ...fields, decision }),
        await eve.post(CONSENT, { ...fields, csrf: eves["csrf"] ?? "", decision }),
        await eve.post(CONSENT, { csrf: eves["csrf"] ?? "", user_code: started.userCode, decision }),
        await eve.post(CONSENT, { csrf: eves["csrf"] ?? "", device_code: started.deviceCode, decision }),
        await new Browser(testServer.url).post(CONSENT, { ...fields, decision }),
      ]
      for (const { status } of answers) assert.equal(status, 403)
    }
  })
  await assertPending(started)
  await bob.submit(page, CONSENT, { decision: "authorize" })
  assert.equal((await fetched(testServer, app, started)).username, "bob")
})

test("better-auth #9993: polls that arrive together redeem a device code once", async () => {
  for (const who of [app, server]) {
    const started = await startDevice(testServer, who)
    await answerDevice(bob, started, "authorize")
    const count = (await everything(testServer))["credential"]?.length ?? 0
    const answers = await Promise.all(Array.from({ length: 30 }, () => poll(testServer, who, started)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 400, "invalid_grant")
    assert.equal((await everything(testServer))["credential"]?.length, count + 1)
  }
})

test("CVE-2024-52287: a poll gets what was approved, whatever it asks for itself", async () => {
  const started = await startDevice(testServer, app, { scope: "account:read" })
  const link = `/oauth/device?user_code=${started.userCode}&scope=files:write+admin:accounts`
  const page = await bob.get(link)
  await bob.submit(page, CONSENT, { decision: "authorize", scope: "files:write", granted: "files:write" })
  const fields = { ...own(app), device_code: started.deviceCode, scope: "files:write admin:accounts" }
  const grant_type = "urn:ietf:params:oauth:grant-type:device_code"
  const answer = await send(testServer, "/oauth/token", { ...fields, grant_type })
  assert.deepEqual([answer.status, answer.body["scope"]], [200, "account:read"])
})

test("CVE-2024-38371: what an app may ask for, and an account may give, holds in the device flow as well", async () => {
  const admin = await testServer.addApp({ permissions: ["files:read", "admin:accounts"] })
  for (const scope of [
    "files:write",
    "admin:settings",
    "account:read",
    "files:read admin:events",
    "nonsense",
  ])
    assertRefused(
      await send(testServer, "/oauth/device-authorization", { ...own(admin), scope }),
      400,
      "invalid_scope",
    )
  const started = await startDevice(testServer, admin, { scope: "files:read admin:accounts" })
  await answerDevice(bob, started, "authorize")
  const tokens = await fetched(testServer, admin, started)
  assert.equal(tokens.scope.includes("admin:"), false)
  const shrunk = await startDevice(testServer, admin)
  await answerDevice(bob, shrunk, "authorize")
  await updateApp(testServer.latchkey, admin.clientId, { removePermissions: ["files:read"] }, OPERATOR)
  assert.equal((await fetched(testServer, admin, shrunk)).scope, "")
})

test("authentik #20828, authentik #21700, ferriskey #1238, authkestra #145: a confidential app proves itself at every step of the device flow", async () => {
  const started = await startDevice(testServer, server)
  await answerDevice(bob, started, "authorize")
  await assertNothingGiven(async () => {
    for (const secret of [null, "", "lks_wrong", server.clientId]) {
      const who = { ...server, secret }
      assertRefused(await send(testServer, "/oauth/device-authorization", own(who)), 401, "invalid_client")
      assertRefused(await poll(testServer, who, started), 401, "invalid_client")
    }
    const nameless = { grant_type: "urn:ietf:params:oauth:grant-type:device_code" }
    const answer = await send(testServer, "/oauth/token", { ...nameless, device_code: started.deviceCode })
    assertRefused(answer, 400, "invalid_request")
    for (const header of [basic(server.clientId, ""), basic("", server.secret ?? "")]) {
      const { client_id: _ } = own(server)
      assertRefused(await send(testServer, "/oauth/device-authorization", {}, header), 401, "invalid_client")
    }
  })
  await fetched(testServer, server, started)
})

test("CVE-2023-2585: what was consented to one app is no other's", async () => {
  const [mine, victims] = [await startDevice(testServer, other), await startDevice(testServer, app)]
  await answerDevice(bob, victims, "authorize")
  const page = await openCode(eve, mine.userCode)
  const fields = hiddenFields(page.text, CONSENT)
  await eve.post(CONSENT, {
    ...fields,
    decision: "authorize",
    client_id: app.clientId,
    user_code: victims.userCode,
  })
  assertRefused(await poll(testServer, other, victims), 400, "invalid_grant")
  assertRefused(await poll(testServer, app, mine), 400, "invalid_grant")
  const [theirs, ours] = [await fetched(testServer, app, victims), await fetched(testServer, other, mine)]
  assert.deepEqual([theirs.username, ours.username], ["bob", "eve"])
  // An earlier approval does not answer the next code of the same app.
  await assertPending(await startDevice(testServer, app))
})

test("keycloak #26100, GitHub HEAD bypass (2019): no link and no method but a click answers anything, whatever there is to approve", async () => {
  const empty = await testServer.addApp({ permissions: ["admin:accounts"] })
  const started = await startDevice(testServer, app, { scope: "openid" })
  const nothing = await startDevice(testServer, empty, { scope: "admin:accounts" })
  const page = await openCode(bob, started.userCode)
  const consent = await bob.get(authorizePath(app, newVerifier().challenge))
  await assertNothingGiven(async () => {
    for (const { text } of [page, consent]) {
      const form = { ...hiddenFields(text, CONSENT), decision: "authorize" }
      const fields = new URLSearchParams(form).toString()
      const cookie = ["session", "browser"].map(
        (name) => `latchkey_${name}=${bob.cookie(`latchkey_${name}`)}`,
      )
      const headers = { cookie: cookie.join("; "), origin: testServer.url, "sec-fetch-site": "same-origin" }
      for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        for (const path of [CONSENT, "/oauth/device", "/oauth/authorize"]) {
          const url = `${testServer.url}${path}?${fields}&user_code=${started.userCode}`
          const answer = await fetch(url, { method, headers, redirect: "manual" })
          assert.notEqual(answer.status, 303, `${method} ${path}`)
        }
      }
      // A POST with another content type is refused, and so is a POST whose fields are in the URL.
      for (const path of [`${CONSENT}?${fields}`, `/oauth/authorize?${fields}`, `/oauth/device?${fields}`]) {
        const more = { "x-http-method-override": "GET", "content-type": "application/x-www-form-urlencoded" }
        const answer = await fetch(testServer.url + path, {
          method: "POST",
          headers: { ...headers, ...more },
          body: "_method=GET",
          redirect: "manual",
        })
        assert.notEqual(answer.status, 303, path)
      }
    }
    await openCode(bob, nothing.userCode)
    await bob.get(`/oauth/device?user_code=${nothing.userCode}&decision=authorize`)
  })
  await assertPending(started)
  await assertPending(nothing, empty)
})

test("better-auth #10135: another app's code is answered as a code that there is not, and nothing of it is revealed", async () => {
  const started = await startDevice(testServer, app, { scope: "files:write" })
  await answerDevice(bob, started, "authorize")
  const pending = await startDevice(testServer, app)
  const unknown = await poll(testServer, other, { deviceCode: "lkd_nonsense" })
  for (const code of [started, pending]) {
    for (const scope of [undefined, "files:write", "admin:accounts"]) {
      const answer = await send(testServer, "/oauth/token", {
        ...own(other),
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        device_code: code.deviceCode,
        ...(scope !== undefined && { scope }),
      })
      assert.deepEqual([answer.status, answer.body], [400, unknown.body])
    }
  }
  await fetched(testServer, app, started)
})

test("CVE-2018-15758: the form that approves cannot alter what is approved", async () => {
  const page = await bob.get(authorizePath(app, newVerifier().challenge, { scope: "account:read" }))
  const fields = hiddenFields(page.text, CONSENT)
  assert.deepEqual(Object.keys(fields).toSorted(), ["csrf", "ticket"])
  const verifier = newVerifier()
  const mine = await bob.get(authorizePath(app, verifier.challenge, { scope: "account:read" }))
  const answer = await bob.submit(mine, CONSENT, {
    decision: "authorize",
    scope: "files:write admin:accounts",
    "scope.files:write": "true",
    granted: ["files:write", "admin:accounts"],
    client_id: other.clientId,
    user_id: "0",
    code_challenge: "x",
    state: "forged",
    installation_name: "forged",
  })
  const { code = "", state } = returned(answer, REDIRECT_URI)
  assert.equal(state, "st/ate +1")
  const tokens = await exchange(testServer, app, code, verifier.verifier, { scope: "files:write" })
  assert.deepEqual([tokens.body["scope"], tokens.body["username"]], ["account:read", "bob"])
})

test("CVE-2018-15758: two decisions, two tickets or two anti-forgery values are no answer", async () => {
  const page = await bob.get(authorizePath(app, newVerifier().challenge))
  const { ticket = "", csrf = "" } = hiddenFields(page.text, CONSENT)
  const second = hiddenFields((await bob.get(authorizePath(other, newVerifier().challenge))).text, CONSENT)
  await assertNothingGiven(async () => {
    for (const twice of [
      { ticket: [ticket, second["ticket"] ?? ""] },
      { csrf: [csrf, csrf] },
      { ticket: ["", ticket] },
    ]) {
      const answer = await bob.post(CONSENT, { ticket, csrf, decision: "authorize", ...twice })
      assert.deepEqual([answer.status, answer.location], [400, null])
    }
    const refused = await bob.post(CONSENT, { ticket, csrf, decision: ["authorize", "authorize"] })
    assert.equal(returned(refused, REDIRECT_URI)["error"], "access_denied")
  })
})

test("Hydra #753, Hydra #770, CVE-2022-39222, GHSA-vh7g-p26c-j2cw: what one browser was asked, no other answers or collects", async () => {
  // Eve begins the flow. She makes Bob approve what she was shown.
  const mine = newVerifier()
  const eves = await eve.get(authorizePath(app, mine.challenge))
  const bobs = hiddenFields((await bob.get("/account")).text, "/sign-out")
  const { ticket = "" } = hiddenFields(eves.text, CONSENT)
  await assertNothingGiven(async () => {
    for (const csrf of [bobs["csrf"] ?? "", hiddenFields(eves.text, CONSENT)["csrf"] ?? ""]) {
      const answer = await bob.post(CONSENT, { ticket, csrf, decision: "authorize" })
      assert.deepEqual([answer.status, answer.location], [403, null])
    }
  })
  // Bob decides in his own browser. Nothing is left for Eve's browser to fetch.
  const page = await bob.get(authorizePath(app, mine.challenge))
  const fields = hiddenFields(page.text, CONSENT)
  const approved = await bob.submit(page, CONSENT, { decision: "authorize" })
  assert.match(approved.location ?? "", /code=/)
  for (const browser of [eve, new Browser(testServer.url)]) {
    const answer = await browser.post(CONSENT, { ...fields, decision: "authorize" })
    assert.deepEqual([answer.status, answer.location], [403, null])
  }
  const again = await bob.post(CONSENT, { ...fields, decision: "authorize" })
  assert.deepEqual([again.status, again.location], [409, null])
})

test("CVE-2023-34246, CVE-2026-27124, GHSA-6x8h-498w-gv8c, cloudflare/ai #51: consent is asked every time: none is remembered, for this app or one that looks like it", async () => {
  await grant(testServer, bob, app)
  await grant(testServer, bob, server)
  const twin = await testServer.addApp({ name: "Paperclip" })
  const habits: Record<string, string>[] = [
    {},
    { prompt: "none" },
    { approval_prompt: "auto" },
    { skip_consent: "true", trusted: "1", decision: "authorize", consent: "authorize" },
    { response_mode: "query", ticket: "x", csrf: "x" },
  ]
  await assertNothingGiven(async () => {
    for (const who of [app, server, twin]) {
      for (const more of habits) {
        const page = await bob.get(authorizePath(who, newVerifier().challenge, more))
        assert.deepEqual([page.status, page.location], [200, null])
        assert.match(page.text, /name="decision"/)
      }
    }
  })
})

test("CVE-2026-79652: there is no grant and no response type without consent", async () => {
  await assertNothingGiven(async () => {
    const grants = [
      ...["password", "Client_Credentials", "implicit", "Refresh_token", "authorization_code ", "ciba"],
      ...["token-exchange", "jwt-bearer", "saml2-bearer"].map(
        (name) => `urn:ietf:params:oauth:grant-type:${name}`,
      ),
    ]
    const more = {
      username: "bob",
      password: "correct horse battery staple",
      assertion: "e30.e30.",
      scope: "account:read",
    }
    for (const who of [app, server])
      for (const grant_type of grants)
        assertRefused(
          await send(testServer, "/oauth/token", { ...own(who), ...more, grant_type }),
          400,
          "unsupported_grant_type",
        )
    for (const response_type of [
      "token",
      "id_token",
      "code token",
      "code id_token",
      "none",
      "CODE",
      "code ",
    ]) {
      const page = await bob.get(authorizePath(app, newVerifier().challenge, { response_type }))
      assert.equal(returned(page, REDIRECT_URI)["error"], "unsupported_response_type")
      assert.equal(page.location?.includes("#"), false)
    }
  })
})

test("Storm-2372: the page shows the signs of a stranger's code, and says what to do", async () => {
  const started = await startDevice(testServer, app, { installation_name: "IT support" })
  testServer.clock.advance(120)
  const { text } = await openCode(bob, started.userCode)
  const shown = text.slice(text.indexOf("</style>"))
  for (const words of ["Paperclip", "IT support", started.userCode, "127.0.0.1", "2 minutes"])
    assert.ok(shown.includes(words), words)
  assert.match(shown, /sent|message|someone/i)
})
