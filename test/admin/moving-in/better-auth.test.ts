/**
 * The tables of a real better-auth 1.7.25 with `@better-auth/oauth-provider` 1.7.5, which
 * `proofs/moving-in/make-better-auth.js` has printed.
 */
import { test } from "node:test"
import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { importFile } from "../../../src/admin/moving-in/import.ts"
import { Browser } from "../../support/browser.ts"
import { testClock } from "../../support/clock.ts"
import { refresh } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"

type Tables = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
type Made = {
  readonly tables: Tables
  readonly known: Readonly<Record<"password" | "client_secret" | "used" | "live", string>>
}

const { tables, known } = JSON.parse(
  readFileSync(join(import.meta.dirname, "better-auth.json"), "utf8"),
) as Made
const [client] = tables["oauthClient"] ?? []
const app = { clientId: String(client?.["clientId"]), secret: known.client_secret }

const { testServer } = await fixture({ clock: testClock(Date.parse("2026-11-27T00:00:00Z") / 1000) })

async function imported(all: Tables) {
  const file = join(testServer.dir, "better-auth.json")
  writeFileSync(file, JSON.stringify(all))
  const given = { source: "better-auth", file, isDryRun: false } as const
  const nothing = () => undefined
  const answer = await importFile(testServer.latchkey, given, nothing, nothing)
  return answer.ok ? answer.value : assert.fail(answer.error)
}

test("MOVE-7 only a live token moves in; one for a single API, or bound to a key, does not", async () => {
  const [used, live] = tables["oauthRefreshToken"] ?? []
  const resources = JSON.stringify(["https://api.example"])
  const rows = [used, { ...live, resources }, { ...live, confirmation: '{"jkt":"x"}' }]
  const answer = await imported({ oauthRefreshToken: rows.map((row) => ({ ...row })) })
  assert.equal(answer.tokens, 0)
  assert.deepEqual(
    answer.skipped.map(({ reason }) => reason),
    ["It is for one API alone. Here it would be for every API.", "It is bound to a key of the app."],
  )
})

test("MOVE-2, MOVE-6, MOVE-7 people keep their passwords, and the app its secret and its token", async () => {
  const answer = await imported(tables)
  assert.deepEqual([answer.accounts, answer.apps, answer.tokens, answer.skipped], [2, 2, 1, []])
  for (const name of ["ada", "bob@example.org"])
    assert.equal((await new Browser(testServer.url).signIn(name, known.password)).status, 303)
  const again = await imported(tables)
  assert.deepEqual([again.accounts, again.apps, again.tokens, again.present], [0, 0, 0, 5])

  const wrong = await refresh(testServer, { ...app, secret: "x".repeat(32) }, known.live)
  assert.deepEqual([wrong.status, wrong.body["error"]], [401, "invalid_client"])
  assert.equal((await refresh(testServer, app, known.used)).body["error"], "invalid_grant")
  const { status, body } = await refresh(testServer, app, known.live)
  assert.deepEqual([status, body["username"], body["scope"]], [200, "ada", "account:read"])
  assert.equal(body["user_id"], tables["user"]?.[0]?.["id"])
  assert.deepEqual(await testServer.store.verify(), [])
})

test("MOVE-8 a second factor that stays behind is reported", async () => {
  const user = { id: "guarded", username: "guarded", twoFactorEnabled: 1 }
  const { skipped } = await imported({ user: [user] })
  assert.deepEqual(
    skipped.map(({ what, name }) => `${what} ${name}`),
    ["password guarded", "one-time password guarded"],
  )
})
