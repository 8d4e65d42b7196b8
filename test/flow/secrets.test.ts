/** No secret that was handed out may be found in what the server stores or logs. Only digests are stored. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Browser } from "../support/browser.ts"
import {
  type AppIdentity,
  authorizePath,
  codeFor,
  exchange,
  newVerifier,
  own,
  refresh,
  send,
} from "../support/connect.ts"
import { ENGINE, everythingIn, keepIn, postgresAt, type TestDatabase } from "../support/database.ts"
import { addApp, addResourceServer } from "../support/seed.ts"
import { PASSWORD } from "../support/test-server.ts"
import { newDirectory, type Span, SpawnedServer } from "../support/spawn.ts"

const STATE = "state-that-must-stay-private"

test("CLIENT-3, TOK-1, TOK-2: after a whole flow, no secret is in the database, its journal, the log or the output", async (t) => {
  const { dir, stored } = await newService(t)
  const app = await addApp(dir, { type: "confidential" })
  const resourceServer = await addResourceServer(dir)
  const server = await SpawnedServer.start(t, dir, { LATCHKEY_LOG_LEVEL: "trace" })
  const secrets = new Map<string, string>()
  const tokenId = await wholeFlow(server, app, resourceServer, (name, secret) => secrets.set(name, secret))
  assert.ok(secrets.size >= 14)

  const whileItRuns = await stored()
  await server.stop()
  const said = { stderr: server.stderr, stdout: server.stdout.replace(server.setupUrl ?? "", "") }
  const texts: Readonly<Record<string, string>> = {
    ...said,
    ...prefixed("running ", whileItRuns),
    ...prefixed("stopped ", await stored()),
  }
  const found = [...secrets].flatMap(([name, secret]) =>
    Object.entries(texts).flatMap(([place, text]) =>
      spellings(secret).some((spelling) => text.includes(spelling)) ? [`${name} in ${place}`] : [],
    ),
  )
  assert.deepEqual(found, [])

  // Public values are found. This shows that the right files were read and that logging was on.
  assert.ok(Object.entries(whileItRuns).some(([, text]) => text.includes(tokenId)))
  assert.ok(texts[`stopped ${ROWS}`]?.includes(tokenId))
  assert.match(said.stderr, /"path":"\/oauth\/token"/)
  assert.match(said.stderr, /"refusal":"/)
})

/** Runs everything that issues a secret and passes each secret to `keep`. Also causes refusals that contain one. */
async function wholeFlow(
  server: SpawnedServer,
  app: AppIdentity,
  resourceServer: AppIdentity,
  keep: (name: string, secret: string) => void,
): Promise<string> {
  keep("client secret", app.secret ?? "")
  keep("secret of the resource server", resourceServer.secret ?? "")
  keep("password", PASSWORD)
  keep("state", STATE)
  const link = new URL(server.setupUrl ?? "").searchParams.get("link") ?? ""
  keep("set-up link", link)

  const browser = new Browser(server.url)
  await browser.submit(await browser.get(server.setupUrl ?? ""), "/setup", {
    link,
    username: "ada",
    password: PASSWORD,
  })
  await browser.submit(await browser.get(server.setupUrl ?? ""), "/setup", {
    link,
    username: "x",
    password: PASSWORD,
  })
  keep("first session", browser.cookie("latchkey_session") ?? "")
  keep("browser cookie", browser.cookie("latchkey_browser") ?? "")
  const wrong = new Browser(server.url)
  await wrong.signIn("ada", `${PASSWORD} wrong`)
  await browser.signIn("ada", PASSWORD)

  const { verifier, challenge } = newVerifier()
  keep("code verifier", verifier)
  const asked = { state: STATE }
  keep(
    "ticket",
    /name="ticket" value="([^"]+)"/.exec(
      (await browser.get(authorizePath(app, challenge, asked))).text,
    )?.[1] ?? "",
  )
  const code = await codeFor(browser, app, challenge, asked)
  keep("code", code)
  await exchange(server, { ...app, secret: "lks_not-the-secret" }, code, verifier)
  await exchange(server, app, code, newVerifier().verifier)
  let tokens = (await exchange(server, app, code, verifier)).body
  const tokenId = String(tokens["token_id"])
  for (const generation of ["1", "2", "3"]) {
    keep(`access token ${generation}`, String(tokens["access_token"]))
    keep(`refresh token ${generation}`, String(tokens["refresh_token"]))
    const answer = await refresh(server, app, String(tokens["refresh_token"]))
    assert.equal(answer.status, 200)
    tokens = answer.body
  }
  const token = String(tokens["access_token"])
  keep("last access token", token)
  keep("last refresh token", String(tokens["refresh_token"]))
  const headers = { authorization: `Bearer ${token}` }
  await fetch(`${server.url}/api/account?access_token=${token}`, { headers })
  await fetch(`${server.url}/nowhere/${token}?token=${token}`, { headers })
  await send(server, "/oauth/introspect", { ...own(resourceServer), token })
  await send(server, `/oauth/revoke?token=${token}`, { ...own(app), token })
  await send(server, "/oauth/revoke", { ...own(app), token: `${token}x` })
  return tokenId
}

/** Returns the secret as it was handed out. For a token, also returns its random part, as text and in hexadecimal. */
function spellings(secret: string): readonly string[] {
  const found = /^lk[acs]_(?:.*)(.{43}).{6}$|^lkr_.{32}(.{43})/.exec(secret)
  const random = found?.[1] ?? found?.[2]
  if (random === undefined) return [secret, encodeURIComponent(secret)]
  return [secret, random, Buffer.from(random, "base64url").toString("hex")]
}

type Texts = Readonly<Record<string, string>>

/** Where the rows are stored. */
const ROWS = ENGINE === "sqlite" ? "latchkey.db" : "tables"

/**
 * Creates a directory, and a function that returns everything stored for it. This is its files, or the tables and logs
 * of PostgreSQL.
 */
async function newService(t: Span): Promise<{ dir: string; stored: () => Promise<Texts> }> {
  const dir = newDirectory(t)
  if (ENGINE === "sqlite") return { dir, stored: () => Promise.resolve(filesOf(dir)) }
  const { startPostgres } = await import("../support/postgres.ts")
  const server = await startPostgres(t)
  const database = postgresAt(server.url())
  keepIn(dir, database)
  return { dir, stored: async () => ({ ...filesOf(dir), ...(await dumped(database)), log: server.log }) }
}

/** Reads the files. The service secret is left out, because it is a secret itself. */
function filesOf(dir: string): Texts {
  const files = readdirSync(dir).filter((name) => name !== "secret.key")
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(dir, name)).toString("latin1")]))
}

/**
 * Returns every value of every row. Bytes are also returned in common encodings. Counters that PostgreSQL stores are
 * included.
 */
async function dumped(database: TestDatabase): Promise<Texts> {
  const tables = { ...(await everythingIn(database)), spent: await database.rows("SELECT * FROM spent") }
  const values = Object.values(tables)
    .flat()
    .flatMap((row) => Object.values(row))
  const texts = values.flatMap((value) =>
    value instanceof Buffer
      ? (["latin1", "hex", "base64url"] as const).map((encoding) => value.toString(encoding))
      : [String(value)],
  )
  return { [ROWS]: texts.join("\n") }
}

function prefixed(prefix: string, texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [prefix + name, text]))
}
