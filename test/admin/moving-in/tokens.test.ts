import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { createHash, createHmac, randomBytes } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { updateAccount } from "../../../src/accounts/account-by-id.ts"
import { removeApp, setAppEnabled } from "../../../src/apps/app.ts"
import { importFile, type Imported } from "../../../src/admin/moving-in/import.ts"
import { type AppIdentity, own } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { eventKinds } from "../../support/stored.ts"

const YEAR = 365 * 86_400
const SYSTEM_SECRET = "the system secret of the old service"

const { testServer } = await fixture({ admins: ["root"] })

const oldApp: AppIdentity = { clientId: "old-app.1", secret: "0123456789abcdef0123456789abcdef" }
const apps = [
  {
    client_id: oldApp.clientId,
    client_name: "Old app",
    client_secret: oldApp.secret,
    redirect_uris: ["https://app.example/callback", "https://*.app.example/x"],
    scope: "openid files:write account:read nothing:here",
    token_endpoint_auth_method: "client_secret_basic",
  },
  { client_id: "other", client_name: "Other", redirect_uris: [], token_endpoint_auth_method: "none" },
]

const operator = { owner: null, address: null, actorId: null }
const digestOf = (text: string) => createHash("sha256").update(text).digest("hex")

async function imported(
  source: "hydra" | "csv" | "better-auth",
  text: string,
  lines: readonly object[] | null = null,
): Promise<Imported> {
  const [file, tokensFile] = [join(testServer.dir, "export"), join(testServer.dir, "tokens")]
  writeFileSync(file, text)
  if (lines !== null) writeFileSync(tokensFile, lines.map((line) => JSON.stringify(line)).join("\n"))
  const answer = await importFile(
    testServer.latchkey,
    {
      source,
      file,
      isDryRun: false,
      tokensFile: lines === null ? null : tokensFile,
      systemSecret: source === "hydra" ? SYSTEM_SECRET : null,
    },
    () => undefined,
    () => undefined,
  )
  if (!answer.ok) throw new Error(answer.error)
  return answer.value
}

/** A token as Ory Hydra makes it. */
function hydraToken(algorithm = "sha512-256") {
  const key = randomBytes(32)
  const secret = createHash("sha256").update(SYSTEM_SECRET).digest()
  const signature = createHmac(algorithm, secret).update(key).digest("base64url")
  return { text: `ory_rt_${key.toString("base64url")}.${signature}`, signature }
}

function refresh(token: string, more: Record<string, string> = {}, app = oldApp) {
  return fetch(`${testServer.url}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: token, ...own(app), ...more }),
  }).then(async (answer) => ({
    status: answer.status,
    json: (await answer.json()) as Record<string, string>,
  }))
}

const line = (more: object, differing: object = {}) => ({
  client_id: oldApp.clientId,
  user_id: "person-1",
  scope: "files:write",
  ends_at: testServer.clock.now() + 1000 * 86_400,
  ...more,
  ...differing,
})

describe("MOVE-6, MOVE-7: apps and live refresh tokens", () => {
  test("apps keep their ids and long secrets; the report names what stays behind", async () => {
    await imported("csv", "user_id,username,password_hash\nperson-1,person,\n")
    const answer = await imported("hydra", JSON.stringify({ items: apps }))
    assert.equal(answer.apps, 2)
    assert.deepEqual(
      answer.skipped.map(({ what, name }) => `${what} ${name}`),
      ["redirect URI old-app.1", "permission old-app.1"],
    )
    const again = await imported("hydra", JSON.stringify({ items: apps }))
    assert.deepEqual([again.apps, again.present, again.skipped], [0, 2, []])
    const { client } = await testServer.store.read({ client: oldApp.clientId as never })
    assert.deepEqual(client?.redirectUris, ["https://app.example/callback"])
    assert.deepEqual(client?.ceiling.toSorted(), ["account:read", "files:write"])
  })

  test("a public app has no secret, even if the file names one", async () => {
    const withSecret = { ...apps[1], client_id: "public-with-secret", client_secret: "s".repeat(40) }
    assert.equal((await imported("hydra", JSON.stringify([withSecret]))).apps, 1)
    assert.deepEqual(await testServer.store.verify(), [])
  })

  test("MOVE-6 a secret with + and % works in the body, and form-encoded in the header", async () => {
    const [clientId, secret] = ["signs", `${"s".repeat(32)}+%41:x`]
    const app = { ...apps[0], client_id: clientId, client_secret: secret }
    assert.equal((await imported("hydra", JSON.stringify([app]))).apps, 1)
    const asked = async (text: string | null) => {
      const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: "none" })
      if (text === null)
        for (const [name, value] of Object.entries(own({ clientId, secret }))) body.set(name, value)
      const authorization = `Basic ${btoa(text ?? "")}`
      const headers = text === null ? undefined : { authorization }
      const answer = await fetch(`${testServer.url}/oauth/token`, {
        method: "POST",
        body,
        ...(headers && { headers }),
      })
      return ((await answer.json()) as { error: string }).error
    }
    const encoded = encodeURIComponent(secret)
    assert.deepEqual(
      [await asked(null), await asked(`${clientId}:${encoded}`), await asked(`${clientId}:${secret}`)],
      ["invalid_grant", "invalid_grant", "invalid_client"],
    )
  })

  test("a token of Hydra is exchanged once; a lost answer is repeated; later it is reuse", async () => {
    const [token, old, forged] = [hydraToken(), hydraToken("sha256"), hydraToken()]
    const lines = [token, old, forged].map(({ signature }) => line({ signature }))
    const text = JSON.stringify({ items: apps })
    assert.equal((await imported("hydra", text, lines)).tokens, 3)
    assert.deepEqual((await imported("hydra", text, lines)).tokens, 0)

    const wrong = await refresh(token.text, {}, { ...oldApp, secret: "x".repeat(32) })
    assert.deepEqual([wrong.status, wrong.json["error"]], [401, "invalid_client"])
    const otherApp = await refresh(token.text, {}, { clientId: "other", secret: null as never })
    assert.deepEqual([otherApp.status, otherApp.json["error"]], [400, "invalid_grant"])
    const tooWide = await refresh(token.text, { scope: "account:read" })
    assert.deepEqual([tooWide.status, tooWide.json["error"]], [400, "invalid_scope"])

    const first = await refresh(token.text)
    assert.equal(first.status, 200)
    assert.equal(first.json["user_id"], "person-1")
    assert.equal(first.json["scope"], "workers:read files:read files:write")
    testServer.clock.advance(30)
    const repeated = await refresh(token.text)
    assert.equal(repeated.json["refresh_token"], first.json["refresh_token"])
    const next = await refresh(first.json["refresh_token"] ?? "")
    assert.equal(next.status, 200)
    testServer.clock.advance(120)
    assert.equal((await refresh(token.text)).json["error"], "invalid_grant")
    assert.equal((await refresh(next.json["refresh_token"] ?? "")).json["error"], "invalid_grant", "revoked")
    assert.ok((await eventKinds(testServer)).includes("refresh-token-reused"))

    assert.equal((await refresh(old.text)).status, 200, "HMAC-SHA-256 of older versions")
    const [, signature] = forged.text.split(".")
    const other = `ory_rt_${randomBytes(32).toString("base64url")}.${signature}`
    assert.equal((await refresh(other)).json["error"], "invalid_grant", "a MAC without its key opens nothing")
    for (const made of [`hydra ${signature}`, `${signature}`, `.${signature}`])
      assert.equal((await refresh(made)).json["error"], "invalid_grant", "nor does a text made from the MAC")
    assert.equal((await refresh(forged.text)).status, 200)
  })

  test("a token by its digest; its credential ends when the token would have, at most in a year", async () => {
    const now = testServer.clock.now()
    const texts = ["short-lived", "long-lived", "expired", "no-account", "no-app"]
    const [short, long, expired, noAccount, noApp] = texts.map((text) => ({ digest: digestOf(text) }))
    const answer = await imported("csv", "user_id,username,password_hash\nperson-2,person2,\n", [
      line(short ?? {}, { user_id: "person-2", ends_at: now + 86_400 }),
      line(long ?? {}),
      line(expired ?? {}, { ends_at: now }),
      line(noAccount ?? {}, { user_id: "missing" }),
      line(noApp ?? {}, { client_id: "missing" }),
    ])
    assert.deepEqual([answer.accounts, answer.tokens], [1, 2])
    assert.deepEqual(
      answer.skipped.map(({ what }) => what),
      ["password", "token", "token", "token"],
    )
    const endsAt = async (text: string) => {
      const { json } = await refresh(text)
      const { credential } = await testServer.store.read({ credential: json["token_id"] as never })
      return credential?.consent.endsAt
    }
    assert.equal(await endsAt("short-lived"), now + 86_400)
    assert.equal(await endsAt("long-lived"), now + YEAR)
    assert.deepEqual(await testServer.store.verify(), [])
  })

  test("MOVE-3 a token of another source binds to no account or app that has only the same id", async () => {
    const head = "user_id,username,password_hash\n"
    await imported("csv", `${head}42,grace,\n`)
    const others = [
      line({ digest: digestOf("of another 42") }, { user_id: "42" }),
      line({ digest: digestOf("of a twin") }, { user_id: "43" }),
    ]
    const answer = await imported("csv", `${head}42,mallory,\n43,twin,\n43,other,\n`, others)
    assert.deepEqual([answer.accounts, answer.tokens], [1, 0])
    assert.deepEqual(
      answer.skipped.filter(({ what }) => what !== "password").map(({ what, name }) => `${what} ${name}`),
      ["account mallory", "account other", "token 42 old-app.1", "token 43 old-app.1"],
    )
    assert.equal((await refresh("of another 42")).json["error"], "invalid_grant")

    const now = new Date((testServer.clock.now() + 86_400) * 1000).toISOString()
    const file = {
      user: [{ id: "42", username: "grace" }],
      account: [],
      oauthApplication: [
        { clientId: oldApp.clientId, clientSecret: oldApp.secret, name: "Another app", redirectURLs: "" },
      ],
      oauthAccessToken: [
        {
          refreshToken: "of another app",
          refreshTokenExpiresAt: now,
          clientId: oldApp.clientId,
          userId: "42",
          scopes: "account:read",
        },
      ],
    }
    const app = await imported("better-auth", JSON.stringify(file))
    assert.deepEqual([app.apps, app.tokens, app.present], [0, 0, 1])
    assert.match(app.skipped.map(({ reason }) => reason).join("\n"), /app of another name .* "Old app"/)
    assert.equal((await refresh("of another app")).json["error"], "invalid_grant")
    const same = await imported("csv", `${head}42,GRACE,\n`, [
      line({ digest: digestOf("her own") }, { user_id: "42" }),
    ])
    assert.deepEqual([same.present, same.tokens], [1, 1])
    assert.equal((await refresh("her own")).json["user_id"], "42")
  })

  test("its app can revoke a token before and after the exchange", async () => {
    const [early, late] = ["revoked-before", "revoked-later"]
    const lines = [early, late].map((text) =>
      line({ digest: createHash("sha256").update(text).digest("hex") }),
    )
    await imported("csv", "user_id,username,password_hash\n", lines)
    const revoke = (token: string, app = oldApp) =>
      fetch(`${testServer.url}/oauth/revoke`, {
        method: "POST",
        body: new URLSearchParams({ token, ...own(app) }),
      }).then(({ status }) => status)
    assert.equal(await revoke(early, { clientId: "other", secret: null as never }), 401)
    assert.equal(await revoke(early), 200)
    assert.equal((await refresh(early)).json["error"], "invalid_grant")
    const { json } = await refresh(late)
    assert.equal(await revoke(late), 200)
    assert.equal((await refresh(json["refresh_token"] ?? "")).json["error"], "invalid_grant")
  })

  test("while its account or its app is disabled, a token opens nothing and stays unused", async () => {
    const given = "of-a-disabled-account"
    await imported("csv", "user_id,username,password_hash,enabled\nperson-3,person3,,false\n", [
      line({ digest: digestOf(given) }, { user_id: "person-3" }),
    ])
    const from = { address: null, actorId: null }
    const refused = async () => (await refresh(given)).json["error"]
    assert.equal(await refused(), "invalid_grant")
    await updateAccount(testServer.latchkey, "person-3", { enabled: true }, from)
    await setAppEnabled(testServer.latchkey, oldApp.clientId, false, operator)
    assert.equal(await refused(), "invalid_client")
    await setAppEnabled(testServer.latchkey, oldApp.clientId, true, operator)
    const answer = await refresh(given, { scope: "files:read" })
    assert.deepEqual([answer.status, answer.json["scope"]], [200, "workers:read files:read"])
    const wide = await refresh(answer.json["refresh_token"] ?? "")
    assert.equal(wide.json["scope"], "workers:read files:read files:write", "only that token was narrowed")
  })

  test("a token that ends before its exchange opens nothing", async () => {
    const given = "ended-before"
    const endsAt = testServer.clock.now() + 100
    await imported("csv", "user_id,username,password_hash\n", [
      line({ digest: digestOf(given) }, { ends_at: endsAt }),
    ])
    testServer.clock.advance(101)
    assert.equal((await refresh(given)).json["error"], "invalid_grant")
  })

  test("CRED-4 a token that was reported as ended stays ended when the clock is set back", async () => {
    const [reported, unreported] = ["ended-and-reported", "ended-and-not-reported"]
    const endsAt = testServer.clock.now() + 100
    await imported(
      "csv",
      "user_id,username,password_hash\n",
      [reported, unreported].map((given) => line({ digest: digestOf(given) }, { ends_at: endsAt })),
    )
    testServer.clock.advance(101)
    const other = { clientId: "other", secret: null }
    assert.equal((await refresh(unreported, {}, other)).json["error"], "invalid_grant")
    assert.equal((await refresh(reported)).json["error"], "invalid_grant")
    testServer.clock.advance(-90)
    assert.equal((await refresh(reported)).json["error"], "invalid_grant")
    assert.equal((await refresh(unreported)).status, 200)
  })

  test("a token of a service account opens nothing, because such an account has no refresh tokens", async () => {
    const userId = await testServer.addServiceAccount("ci")
    const given = "of-a-service-account"
    await imported("csv", "user_id,username,password_hash\n", [
      line({ digest: digestOf(given) }, { user_id: userId }),
    ])
    assert.equal((await refresh(given)).json["error"], "invalid_grant")
  })

  test("introspection says nothing about a token of another service", async () => {
    const given = "introspected"
    await imported("csv", "user_id,username,password_hash\n", [line({ digest: digestOf(given) })])
    const server = await testServer.addApp({ type: "confidential", resourceServer: true })
    const answer = await fetch(`${testServer.url}/oauth/introspect`, {
      method: "POST",
      body: new URLSearchParams({ token: given, ...own(server) }),
    })
    assert.deepEqual(await answer.json(), { active: false })
    assert.equal((await refresh(given)).status, 200)
  })

  test("no app of the same id gets the tokens of a removed one", async () => {
    const given = "of-a-removed-app"
    await imported("csv", "user_id,username,password_hash\n", [line({ digest: digestOf(given) })])
    assert.equal((await removeApp(testServer.latchkey, oldApp.clientId, operator)).ok, true)
    await imported("hydra", JSON.stringify(apps))
    assert.equal((await refresh(given)).json["error"], "invalid_grant")
  })

  test("simultaneous exchanges of one token get the same pair", async () => {
    const text = "raced-token"
    const digest = createHash("sha256").update(text).digest("hex")
    await imported("csv", "user_id,username,password_hash\n", [line({ digest })])
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(text)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(answers.map(({ json }) => json["refresh_token"])).size, 1)
  })

  test("better-auth: users, passwords, apps and tokens are tables of one file", async () => {
    const file = {
      user: [{ id: "ba-1", email: "ba@example.org", createdAt: "2026-01-02T03:04:05.678Z" }],
      account: [{ userId: "ba-1", providerId: "credential", password: "" }],
      oauthApplication: [
        { clientId: "baApp", clientSecret: oldApp.secret, name: "BA", redirectURLs: "https://ba.example/cb" },
      ],
      oauthAccessToken: [
        {
          refreshToken: "ba-refresh-token",
          refreshTokenExpiresAt: new Date((testServer.clock.now() + 86_400) * 1000).toISOString(),
          clientId: oldApp.clientId,
          userId: "ba-1",
          scopes: "openid account:read",
        },
      ],
    }
    const answer = await imported("better-auth", JSON.stringify(file))
    assert.deepEqual([answer.accounts, answer.apps, answer.tokens], [1, 1, 1])
    const { json } = await refresh("ba-refresh-token")
    assert.equal(json["username"], "ba@example.org")
    const { account } = await testServer.store.read({ account: "ba-1" as never })
    assert.equal(account?.createdAt, Date.parse("2026-01-02T03:04:05Z") / 1000)
  })
})
