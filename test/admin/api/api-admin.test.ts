/**
 * Tests the operations of administrators on accounts, credentials, settings and events, and those of account holders on
 * their own data.
 */
import assert from "node:assert/strict"
import { test } from "node:test"
import { Browser } from "../../support/browser.ts"
import { PASSWORD } from "../../support/test-server.ts"
import { signedInBrowser } from "../../support/connect.ts"
import { isSignedIn } from "../../accounts/factors/factors.ts"
import { grant } from "../../support/grant.ts"
import { ask, assertError, elevate, openWorld } from "./api-world.ts"

const world = await openWorld()

type Body = Readonly<Record<string, unknown>>

function call(method: string, path: string, body?: unknown, token = world.full.access_token) {
  return ask(world.testServer, token, { method, path, ...(body !== undefined && { body }) })
}

async function done(
  method: string,
  path: string,
  body?: unknown,
  token = world.full.access_token,
): Promise<Body> {
  const answer = await call(method, path, body, token)
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return answer.body
}

const rows = (body: Body) => body["items"] as readonly Body[]
const add = (username: string) => done("POST", "/api/admin/accounts", { username, password: PASSWORD })

test("API-13: an account is renamed by its holder, and to no name that is taken", async () => {
  const { ada } = world
  const renamed = await done("PATCH", "/api/account", { username: " Ada Lovelace " }, ada.access_token)
  assert.equal(renamed["username"], "Ada Lovelace")
  assert.deepEqual(Object.keys(renamed), ["user_id", "username", "admin", "groups", "created_at", "language"])
  assertError(
    await call("PATCH", "/api/account", { username: "ROOT" }, ada.access_token),
    409,
    "ALREADY_EXISTS",
  )
  assertError(
    await call("PATCH", "/api/account", { username: "" }, ada.access_token),
    400,
    "INVALID_ARGUMENT",
    /empty/,
  )
  assertError(
    await call("PATCH", "/api/account", { admin: true }, ada.access_token),
    400,
    "INVALID_ARGUMENT",
    /"admin" is not a member of this body/,
  )
  assert.equal((await done("PATCH", "/api/account", {}, ada.access_token))["username"], "Ada Lovelace")
  await done("PATCH", "/api/account", { username: "ada" }, ada.access_token)
})

test("API-14: accounts are added, found, changed and removed", async () => {
  const added = await add("Grace")
  const path = `/api/admin/accounts/${String(added["user_id"])}`
  assert.deepEqual([added["username"], added["admin"], added["enabled"]], ["Grace", false, true])
  assert.deepEqual(await done("GET", path), added)
  assert.ok(await isSignedIn(await signedInBrowser(world.testServer, "grace")))
  const found = rows(await done("GET", "/api/admin/accounts?name_begins=GR"))
  assert.deepEqual(found, [added])
  const changed = await done("PATCH", path, { username: "Grace H.", enabled: false })
  assert.deepEqual(changed, { ...added, username: "Grace H.", enabled: false })
  assert.deepEqual(rows(await done("GET", "/api/admin/accounts?enabled=0")), [changed])
  await done("PATCH", path, { enabled: true })
  assert.equal((await call("DELETE", path)).status, 204)
  assertError(await call("GET", path), 404, "NOT_FOUND")
  assertError(await call("DELETE", path), 404, "NOT_FOUND")
})

test("API-14: a name that is taken, an invalid name and a password that is too weak", async () => {
  const taken = { username: "ROOT", password: PASSWORD }
  assertError(await call("POST", "/api/admin/accounts", taken), 409, "ALREADY_EXISTS")
  const nameless = { username: "a\u0000b", password: PASSWORD }
  assertError(
    await call("POST", "/api/admin/accounts", nameless),
    400,
    "INVALID_ARGUMENT",
    /^body\.username: /,
  )
  const weak = { username: "somename", password: "somename" }
  assertError(await call("POST", "/api/admin/accounts", weak), 400, "INVALID_ARGUMENT", /^body\.password: /)
  const short = { username: "somename", password: "short" }
  assertError(
    await call("POST", "/api/admin/accounts", short),
    400,
    "INVALID_ARGUMENT",
    /^body\.password is too short/,
  )
})

test("API-14: a change of an account is made whole, or not at all", async () => {
  const path = `/api/admin/accounts/${String((await add("whole"))["user_id"])}`
  const first = await done("GET", path)
  assertError(await call("PATCH", path, { enabled: false, username: "root" }), 409, "ALREADY_EXISTS")
  assert.deepEqual(await done("GET", path), first)
  const both = await done("PATCH", path, { admin: true, username: "Whole" })
  assert.deepEqual([both["admin"], both["username"]], [true, "Whole"])
  await done("PATCH", path, { admin: false })
})

test("API-14: the last enabled administrator stays one", async () => {
  const path = `/api/admin/accounts/${world.full.user_id}`
  for (const body of [{ admin: false }, { enabled: false }, { username: "other", admin: false }])
    assertError(await call("PATCH", path, body), 409, "CONFLICT", /last enabled administrator/)
  assertError(await call("DELETE", path), 409, "CONFLICT", /last enabled administrator/)
  assert.equal((await done("GET", path))["username"], "root")
})

test("API-10: administration is granted and withdrawn while elevated, everything else of an account also without", async () => {
  const { testServer, plain } = world
  const path = `/api/admin/accounts/${String((await add("helper"))["user_id"])}`
  const asPlain = (body: unknown) => call("PATCH", path, body, plain.access_token)
  assertError(await asPlain({ admin: true }), 400, "FAILED_PRECONDITION")
  assertError(await asPlain({ admin: true, username: 5 }), 400, "FAILED_PRECONDITION")
  assert.equal((await done("GET", path))["admin"], false)
  assert.equal((await asPlain({ username: "Helper 2", enabled: true })).status, 200)
  assert.equal((await call("PATCH", path, { admin: true })).status, 200)
  assertError(await asPlain({ admin: false }), 400, "FAILED_PRECONDITION")
  assert.equal((await call("PATCH", path, { admin: false })).status, 200)
  const kinds = (await testServer.store.events({}, { limit: 5 })).map(({ kind }) => kind)
  assert.ok(kinds.includes("administration-granted") && kinds.includes("administration-withdrawn"))
})

test("API-14: a new password signs every browser out, and the old one signs in no more", async () => {
  const { testServer } = world
  const path = `/api/admin/accounts/${String((await add("forgetful"))["user_id"])}`
  const browser = await signedInBrowser(testServer, "forgetful")
  assert.equal((await call("PUT", `${path}/password`, { password: "another password of hers" })).status, 204)
  assert.equal(await isSignedIn(browser), false)
  assert.notEqual((await new Browser(testServer.url).signIn("forgetful", PASSWORD)).status, 303)
  assert.equal(
    (await new Browser(testServer.url).signIn("forgetful", "another password of hers")).status,
    303,
  )
})

test("API-14, CRED-3: an administrator sees the credentials of all accounts, and revokes them", async () => {
  const { testServer, app, ada, plain } = world
  const ofAda = `/api/admin/credentials?user_id=${ada.user_id}`
  const listed = rows(await done("GET", ofAda))
  assert.deepEqual(
    listed.map((row) => row["token_id"]),
    [ada.token_id],
  )
  assert.deepEqual(await done("GET", `/api/admin/credentials/${ada.token_id}`), listed[0])
  const browser = await signedInBrowser(testServer, "ada")
  const other = await grant(testServer, browser, app)
  const path = `/api/admin/credentials/${other.token_id}`
  assertError(await call("DELETE", path, undefined, plain.access_token), 400, "FAILED_PRECONDITION")
  assert.equal((await call("DELETE", path)).status, 204)
  assertError(await call("GET", "/api/account", undefined, other.access_token), 401, "UNAUTHENTICATED")
  assert.equal((await done("GET", path))["state"], "revoked")
  const live = rows(await done("GET", `${ofAda}&live=1`)).map((row) => row["token_id"])
  assert.deepEqual(live, [ada.token_id])
  const why = await done("GET", `${path}/explanation`)
  assert.deepEqual([why["state"], why["because"], why["blockers"]], ["revoked", "administrator", ["revoked"]])
})

test("API-5, API-10: a credential ends itself without elevation, and no stranger's at all", async () => {
  const { testServer, browser, app, full } = world
  const scope = "credentials:write"
  const own = await grant(testServer, browser, app, { scope })
  const another = await grant(testServer, browser, app, { scope })
  const end = (id: string) => call("DELETE", `/api/credentials/${id}`, undefined, own.access_token)
  assertError(await end(another.token_id), 400, "FAILED_PRECONDITION")
  await elevate(testServer, browser, own)
  assertError(await end(world.ada.token_id), 404, "NOT_FOUND")
  assertError(await call("GET", `/api/credentials/${world.ada.token_id}/explanation`), 404, "NOT_FOUND")
  assert.equal((await end(another.token_id)).status, 204)
  assert.equal((await end(own.token_id)).status, 204)
  assertError(await end(own.token_id), 401, "UNAUTHENTICATED")
  assert.equal((await call("GET", "/api/credential", undefined, full.access_token)).status, 200)
})

test("API-14, RATE-3: settings are read, set and put back", async () => {
  const { testServer } = world
  const path = "/api/admin/settings/token.access_seconds"
  const first = await done("GET", path)
  assert.deepEqual([first["value"], first["default"], first["is_default"]], ["3600", "3600", true])
  const set = await done("PUT", path, { value: " 120 " })
  assert.deepEqual([set["value"], set["is_default"]], ["120", false])
  testServer.clock.advance(1)
  const { expires_in } = await grant(testServer, world.browser, world.app, { scope: "account:read" })
  assert.equal(expires_in, 120)
  assertError(await call("PUT", path, { value: "1" }), 400, "INVALID_ARGUMENT", /whole number of seconds/)
  assertError(await call("PUT", path, { value: 120 }), 400, "INVALID_ARGUMENT", "body.value is not a string.")
  assert.deepEqual(await done("DELETE", path), first)
  const keys = rows(await done("GET", "/api/admin/settings")).map((row) => row["key"])
  assert.ok(keys.includes("registration.open") && keys.includes("rate_limit.oauth_anonymous"))
})

test("API-14, API-12: events are read newest first, by kind and by whom, a page at a time", async () => {
  const { ada, testServer } = world
  await signedInBrowser(testServer, "ada")
  const all = rows(await done("GET", `/api/admin/events?limit=500`)).map((row) => Number(row["id"]))
  assert.deepEqual(
    all,
    all.toSorted((a, b) => b - a),
  )
  const kinds = rows(await done("GET", "/api/admin/events?kind=signed-in,consented")).map(
    (row) => row["kind"],
  )
  assert.deepEqual([...new Set(kinds)].toSorted(), ["consented", "signed-in"])
  const ofAda = rows(await done("GET", `/api/admin/events?user_id=${ada.user_id}&kind=signed-in`))
  assert.ok(ofAda.length > 0 && ofAda.every((row) => row["user_id"] === ada.user_id))
  const seen: number[] = []
  let path = "/api/admin/events?limit=7"
  for (let pages = 0; pages < 100; pages++) {
    const page = await done("GET", path)
    seen.push(...rows(page).map((row) => Number(row["id"])))
    if (page["next"] === null) break
    path = `/api/admin/events?limit=7&after=${String(page["next"])}`
  }
  assert.deepEqual(seen, all)
})

test("API-13: the account holder's own activity, without the address of an administrator", async () => {
  const { ada } = world
  await done("PATCH", `/api/admin/accounts/${ada.user_id}`, { username: "Ada" })
  const items = rows(await done("GET", "/api/account/activity", undefined, ada.access_token))
  const changed = items.find((row) => row["kind"] === "account-changed")
  assert.deepEqual([changed?.["address"], changed?.["by_other"]], [null, true])
  const signedIn = items.find((row) => row["kind"] === "signed-in")
  assert.deepEqual([signedIn?.["address"], signedIn?.["by_other"]], ["127.0.0.1", false])
  assert.ok(items.every((row) => !("user_id" in row || "actor_id" in row)))
  const ids = new Set(items.map((row) => row["id"]))
  const theirs = rows(await done("GET", `/api/admin/events?user_id=${ada.user_id}&limit=500`)).map(
    (row) => row["id"],
  )
  assert.ok([...ids].every((id) => theirs.includes(id)))
})

test("API-13: the browsers of the account are listed, and signed out one by one", async () => {
  const { testServer, ada } = world
  const sessions = async () => rows(await done("GET", "/api/account/sessions", undefined, ada.access_token))
  const first = (await sessions()).length
  testServer.clock.advance(1)
  const browser = await signedInBrowser(testServer, "ada")
  const [newest, ...others] = await sessions()
  assert.equal(others.length, first)
  assert.equal(newest?.["signed_in_at"], testServer.clock.now())
  const path = `/api/account/sessions/${String(newest["id"])}`
  assertError(await call("DELETE", path), 404, "NOT_FOUND")
  assert.equal((await call("DELETE", path, undefined, ada.access_token)).status, 204)
  assert.equal(await isSignedIn(browser), false)
  assertError(await call("DELETE", path, undefined, ada.access_token), 404, "NOT_FOUND")
})

test("API-4, API-12: the credentials of the account come a page at a time, newest first", async () => {
  const { testServer, browser, app } = world
  const made: string[] = []
  for (let i = 0; i < 3; i++)
    made.push((await grant(testServer, browser, app, { scope: "account:read" })).token_id)
  const page = await done("GET", "/api/credentials?limit=2")
  const ids = (body: Body) => (body["credentials"] as Body[]).map((row) => row["token_id"])
  assert.deepEqual(ids(page), made.toReversed().slice(0, 2))
  const following = await done("GET", `/api/credentials?limit=2&after=${String(page["next"])}`)
  assert.equal(ids(following)[0], made[0])
})

test("API-14: the audit trail says which administrator did it", async () => {
  const { full } = world
  const path = `/api/admin/accounts/${String((await add("watched"))["user_id"])}`
  await done("PATCH", path, { enabled: false })
  await done("PUT", "/api/admin/settings/step_up.window_seconds", { value: "900" })
  await done("POST", "/api/admin/apps", { client_type: "public", client_name: "Watched" })
  for (const kind of ["account-added", "account-disabled", "setting-changed", "app-registered"]) {
    const [row] = rows(await done("GET", `/api/admin/events?kind=${kind}&limit=1`))
    assert.deepEqual(
      [row?.["actor_id"], row?.["actor"], row?.["address"]],
      [full.user_id, "root", "127.0.0.1"],
    )
  }
})

test("API-14: two administrators who withdraw each other at one moment leave one", async () => {
  const { full, testServer } = world
  const other = await done("POST", "/api/admin/accounts", {
    username: "rival",
    password: PASSWORD,
    admin: true,
  })
  const ids = [full.user_id, String(other["user_id"])]
  const answers = await Promise.all(
    ids.map((id) => call("PATCH", `/api/admin/accounts/${id}`, { admin: false, enabled: true })),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  const left = await testServer.store.accounts({ limit: 10 }, { admin: true, enabled: true })
  assert.equal(left.length, 1)
})
