/** Tests the API for an owner's own apps, and the preview of a change. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { addAccount } from "../../../src/accounts/accounts.ts"
import { OWN_APPS_AT_MOST } from "../../../src/kernel/limits.ts"
import { updateApp } from "../../../src/apps/app.ts"
import { OPERATOR, PASSWORD } from "../../support/test-server.ts"
import { refresh, send, signedInBrowser } from "../../support/connect.ts"
import { grant } from "../../support/grant.ts"
import { ownedApp } from "../api/api-requests.ts"
import { ask, assertError, openWorld } from "../api/api-world.ts"

const world = await openWorld()

type Body = Readonly<Record<string, unknown>>

function call(method: string, path: string, body?: unknown, token = world.ada.access_token) {
  return ask(world.testServer, token, { method, path, ...(body !== undefined && { body }) })
}

async function done(
  method: string,
  path: string,
  body?: unknown,
  token = world.ada.access_token,
): Promise<Body> {
  const answer = await call(method, path, body, token)
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return answer.body
}

const asked = {
  client_type: "confidential",
  client_name: "Ledger",
  redirect_uris: ["https://ledger.example/return", "http://127.0.0.1/return"],
  scope: "files:read account:read",
  step_up: true,
}

test("API-13, CLIENT-3: an app of one's own is registered, and its secret shown once", async () => {
  const answer = await call("POST", "/api/apps", asked)
  assert.equal(answer.status, 201)
  const { client_id, client_id_issued_at: _, client_secret, ...registered } = answer.body
  assert.match(String(client_secret), /^lks_/)
  assert.deepEqual(registered, {
    ...asked,
    scope: "account:read files:read",
    verified: false,
    resource_server: false,
    enabled: true,
    owner: "ada",
    token_endpoint_auth_method: "client_secret_basic",
    registered_by: "user",
    icon: false,
  })
  const again = await done("GET", `/api/apps/${String(client_id)}`)
  assert.equal(again["client_secret"], undefined)
  const client = { client_id: String(client_id), client_secret: String(client_secret) }
  const polled = await send(world.testServer, "/oauth/device-authorization", client)
  assert.equal(polled.status, 200, "the secret is the app's")
  assert.ok(!JSON.stringify(await done("GET", "/api/apps")).includes(String(client_secret)))
})

test("API-13: a public app has no secret, and gets none", async () => {
  const app = await done("POST", "/api/apps", { client_type: "public", client_name: "Bare" })
  assert.ok(!("client_secret" in app))
  assertError(await call("POST", `/api/apps/${String(app["client_id"])}/secret`), 409, "CONFLICT")
})

test("API-13: a new secret ends the old one at once", async () => {
  const app = await done("POST", "/api/apps", asked)
  const id = String(app["client_id"])
  const renewed = await done("POST", `/api/apps/${id}/secret`)
  const status = async (secret: unknown) =>
    (
      await send(world.testServer, "/oauth/device-authorization", {
        client_id: id,
        client_secret: String(secret),
      })
    ).status
  assert.deepEqual([await status(app["client_secret"]), await status(renewed["client_secret"])], [401, 200])
})

test("SERVICE-2, API-13: the owner of an app that acts for a service account cannot widen it", async () => {
  const app = await done("POST", "/api/apps", { ...asked, scope: "files:write" })
  const id = String(app["client_id"])
  const path = `/api/apps/${id}`
  await world.testServer.addServiceAccount("bound-ci")
  const bound = { serviceAccountName: "bound-ci" }
  assert.ok((await updateApp(world.testServer.latchkey, id, bound, OPERATOR)).ok)
  for (const scope of ["files:write account:read", "account:read"])
    assertError(
      await call("PATCH", path, { scope }),
      400,
      "INVALID_ARGUMENT",
      "The app acts for a service account. Only an administrator can let it ask for account:read.",
    )
  assert.equal((await done("GET", path))["scope"], "files:write")
  assert.equal((await done("PATCH", path, { scope: "files:read" }))["scope"], "files:read")
  assertError(await call("PATCH", path, { scope: "files:write" }), 400, "INVALID_ARGUMENT", /files:write/)
  const unbound = { serviceAccountName: null }
  assert.ok((await updateApp(world.testServer.latchkey, id, unbound, OPERATOR)).ok)
  const widened = await done("PATCH", path, { scope: "files:read account:read" })
  assert.equal(widened["scope"], "account:read files:read")
})

test("API-13: what is left out of a change stays, and a change that cannot be changes nothing", async () => {
  const app = await done("POST", "/api/apps", asked)
  const path = `/api/apps/${String(app["client_id"])}`
  const { client_secret: _, ...first } = app
  assert.deepEqual(await done("PATCH", path, {}), first)
  assert.deepEqual(await done("PATCH", path, { scope: "account:read" }), { ...first, scope: "account:read" })
  const refused = await call("PATCH", path, {
    client_name: "Other",
    enabled: false,
    redirect_uris: ["http://evil.example/"],
  })
  assertError(refused, 400, "INVALID_ARGUMENT", /evil\.example/)
  assert.deepEqual(await done("GET", path), { ...first, scope: "account:read" })
  const off = await done("PATCH", path, { enabled: false, client_name: "Off" })
  assert.deepEqual([off["enabled"], off["client_name"]], [false, "Off"])
  for (const member of [
    "verified",
    "resource_server",
    "ends_with_session",
    "device_flow",
    "remember_consent",
    "id_token_signed_response_alg",
    "post_logout_redirect_uris",
    "owner",
    "client_type",
    "client_id",
  ])
    assertError(
      await call("PATCH", path, { [member]: true }),
      400,
      "INVALID_ARGUMENT",
      `"${member}" is not a member of this body; see /api/openapi.json.`,
    )
})

test("CLIENT-10, API-14: an administrator sets the switches of another's app, and its record has what departs", async () => {
  const id = String((await done("POST", "/api/apps", asked))["client_id"])
  const admin = world.full.access_token
  const path = `/api/admin/apps/${id}`
  const first = await done("GET", path, undefined, admin)
  assert.deepEqual(["ends_with_session" in first, "device_flow" in first], [false, false])
  const on = await done("PATCH", path, { ends_with_session: true, device_flow: false }, admin)
  assert.deepEqual(on, { ...first, ends_with_session: true, device_flow: false })
  assert.deepEqual(await done("GET", `/api/apps/${id}`), on)
  assert.deepEqual(await done("PATCH", path, { ends_with_session: false, device_flow: true }, admin), first)
})

test("OIDC-10, API-14: an administrator sets what an app has for OpenID Connect, and an owner's new name ends the remembered consent alone", async () => {
  const id = String((await done("POST", "/api/apps", asked))["client_id"])
  const admin = world.full.access_token
  const [path, own] = [`/api/admin/apps/${id}`, `/api/apps/${id}`]
  const first = await done("GET", path, undefined, admin)
  const members = {
    id_token_signed_response_alg: "ES256",
    post_logout_redirect_uris: ["https://notes.example/bye", "http://127.0.0.1:3000/"],
    remember_consent: true,
  }
  const set = await done("PATCH", path, members, admin)
  assert.deepEqual(set, { ...first, ...members })
  const { remember_consent: _, ...kept } = set
  assert.deepEqual(await done("PATCH", own, { client_name: "Other" }), { ...kept, client_name: "Other" })
  for (const uri of [
    "http://notes.example/",
    "com.example.app:/bye",
    "https://*.example/",
    "https://a.example/#",
  ])
    assertError(
      await call("PATCH", path, { post_logout_redirect_uris: [uri] }, admin),
      400,
      "INVALID_ARGUMENT",
      /post-logout redirect URI/,
    )
  assertError(
    await call("PATCH", path, { id_token_signed_response_alg: "none" }, admin),
    400,
    "INVALID_ARGUMENT",
    /RS256/,
  )
  const back = {
    id_token_signed_response_alg: "RS256",
    post_logout_redirect_uris: [],
    remember_consent: false,
  }
  assert.deepEqual(await done("PATCH", path, back, admin), { ...first, client_name: "Other" })
})

test("API-13: what an administrator switched off is not switched on, and nothing else of that request is done", async () => {
  const app = await done("POST", "/api/apps", asked)
  const id = String(app["client_id"])
  await done("PATCH", `/api/admin/apps/${id}`, { enabled: false }, world.full.access_token)
  const disabled = await done("GET", `/api/apps/${id}`)
  assertError(
    await call("PATCH", `/api/apps/${id}`, { client_name: "Other", scope: "", enabled: true }),
    409,
    "CONFLICT",
    /Only an administrator/,
  )
  assert.deepEqual(await done("GET", `/api/apps/${id}`), disabled)
})

test("API-9: an app of another account is answered like an unknown one", async () => {
  const id = await ownedApp(world)
  const asks: readonly (readonly [string, string, unknown?])[] = [
    ["GET", ""],
    ["PATCH", "", { client_name: "Mine" }],
    ["PATCH", "?preview=1", { client_name: "Mine" }],
    ["DELETE", ""],
    ["POST", "/secret"],
    ["DELETE", "/icon"],
    ["GET", "/use"],
    ["GET", "/health"],
  ]
  for (const [method, rest, body] of asks) {
    const theirs = await call(method, `/api/apps/${id}${rest}`, body)
    const unknown = await call(method, `/api/apps/${"0".repeat(26)}${rest}`, body)
    assertError(theirs, 404, "NOT_FOUND")
    assert.deepEqual(theirs.body, unknown.body)
  }
  const still = await done("GET", `/api/apps/${id}`, undefined, world.full.access_token)
  assert.equal(still["client_name"], "Notes")
  const { items } = (await done("GET", "/api/apps")) as { items: { client_id: string }[] }
  assert.ok(items.every(({ client_id }) => client_id !== id))
})

test("API-15, PERM-6: a preview tells what a change would take, and changes nothing", async () => {
  const { testServer, browser, full } = world
  const app = await testServer.addApp({ name: "Shared", permissions: ["account:read", "files:read"] })
  const held = await grant(testServer, browser, app)
  const path = `/api/admin/apps/${app.clientId}`
  const first = await done("GET", path, undefined, full.access_token)
  const seen = await done("PATCH", `${path}?preview=1`, { scope: "account:read" }, full.access_token)
  assert.equal(seen["scope"], "account:read")
  const preview = seen["preview"] as { change: string; live: Body; takes: Body[]; sentences: string[] }
  assert.deepEqual([preview.change, preview.live], ["ceiling", { credentials: 1, accounts: 1, apps: 1 }])
  assert.deepEqual(
    preview.takes.map(({ permission, credentials }) => [permission, credentials]),
    [
      ["workers:read", 1],
      ["files:read", 1],
    ],
  )
  assert.ok(preview.sentences.length > 0)
  const off = await done("PATCH", `${path}?preview=true`, { enabled: false }, full.access_token)
  assert.deepEqual([off["enabled"], (off["preview"] as Body)["change"]], [false, "app-disabled"])
  assert.deepEqual(await done("GET", path, undefined, full.access_token), first)
  const same = await refresh(testServer, app, held.refresh_token)
  assert.equal(same.body["scope"], held.scope)
  assertError(
    await call("PATCH", `${path}?preview=1`, { scope: "nonsense" }, full.access_token),
    400,
    "INVALID_ARGUMENT",
  )
  const changed = await done("PATCH", `${path}?preview=0`, { scope: "account:read" }, full.access_token)
  assert.deepEqual([changed["scope"], "preview" in changed], ["account:read", false])
})

test("API-13, API-15: the owner of an app sees an anonymized count of its users, an administrator the exact one", async () => {
  const { testServer, browser, full } = world
  const { clientId, ...app } = await testServer.addApp({ permissions: ["account:read", "files:read"] })
  await done("PATCH", `/api/admin/apps/${clientId}`, { owner: "ada" }, full.access_token)
  for (let copies = 0; copies < 7; copies++) {
    if (copies === 3) assert.deepEqual(await shownCounts(), [1, 1, 3])
    await grant(testServer, browser, { clientId, ...app })
  }
  assert.deepEqual(await shownCounts(), [5, 5, 7])

  /** Returns the numbers that the owner sees, and those that an administrator sees. */
  async function shownCounts(): Promise<number[]> {
    const path = `/api/apps/${clientId}`
    const use = await done("GET", `${path}/use`)
    const { preview } = await done("PATCH", `${path}?preview=1`, { scope: "account:read" })
    const exact = await done("GET", `/api/admin/apps/${clientId}/use`, undefined, full.access_token)
    const { takes, losing, sentences } = preview as { takes: Body[]; losing: Body; sentences: string[] }
    assert.deepEqual(takes[0]?.["credentials"], losing["credentials"])
    assert.match(
      sentences[0] ?? "",
      /^In all, (?:fewer than|about) 5 live credentials of fewer than 5 accounts/,
    )
    return [use["installations"], losing["credentials"], exact["installations"]].map(Number)
  }
})

test("API-13, CRED-3: a removed app is gone, with every credential that it held", async () => {
  const { testServer, full } = world
  const app = await testServer.addApp({ permissions: ["account:read"] })
  await done("PATCH", `/api/admin/apps/${app.clientId}`, { owner: "ada" }, full.access_token)
  const held = await grant(testServer, world.browser, app)
  const use = await done("GET", `/api/apps/${app.clientId}/use`)
  assert.deepEqual(use, { installations: 1, accounts: 1, is_whole: true })
  assert.equal((await call("DELETE", `/api/apps/${app.clientId}`)).status, 204)
  assertError(await call("GET", "/api/account", undefined, held.access_token), 401, "UNAUTHENTICATED")
  assertError(await call("DELETE", `/api/apps/${app.clientId}`), 404, "NOT_FOUND")
})

test("API-14: an administrator gives an app an owner who is there, and takes it away", async () => {
  const { full } = world
  const id = await ownedApp(world)
  const path = `/api/admin/apps/${id}`
  const given = await done("PATCH", path, { owner: "ADA", verified: true }, full.access_token)
  assert.deepEqual([given["owner"], given["verified"]], ["ada", true])
  assert.equal((await done("GET", `/api/apps/${id}`))["owner"], "ada")
  assertError(
    await call("PATCH", path, { owner: "unknown" }, full.access_token),
    400,
    "INVALID_ARGUMENT",
    /^body\.owner: /,
  )
  assert.equal((await done("PATCH", path, { owner: null }, full.access_token))["owner"], null)
})

test("API-12: lists come a page at a time, each row once", async () => {
  const { testServer } = world
  const added = await addAccount(testServer.latchkey, {
    username: "lister",
    password: PASSWORD,
    admin: false,
    address: null,
  })
  assert.ok(added.ok)
  const ids: string[] = []
  for (let i = 0; i < 5; i++)
    ids.push(
      String(
        (await done("POST", "/api/apps", { client_type: "public", client_name: `Page ${i}` }))["client_id"],
      ),
    )
  const all: string[] = []
  let key: string | null = null
  for (let pages = 0; pages < 20; pages++) {
    const more: string = key === null ? "" : `&after=${key}`
    const page = await done("GET", `/api/apps?limit=2${more}`)
    const items = page["items"] as { client_id: string }[]
    assert.ok(items.length <= 2)
    all.push(...items.map(({ client_id }) => client_id))
    key = page["next"] as string | null
    if (key === null) break
  }
  assert.equal(key, null)
  assert.equal(new Set(all).size, all.length)
  assert.deepEqual(all.slice(-5), ids)
  assert.deepEqual(all, all.toSorted())
})

test("API-13: an icon is set as the must be an image, and taken away", async () => {
  const { testServer, ada } = world
  const id = String((await done("POST", "/api/apps", asked))["client_id"])
  const body = new Uint8Array(
    Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
      "base64",
    ),
  )
  const path = `/api/apps/${id}/icon`
  const set = await ask(testServer, ada.access_token, { method: "PUT", path, body, type: "image/png" })
  assert.deepEqual([set.status, set.body["icon"], set.body["verified"]], [200, true, false])
  assert.equal((await done("DELETE", path))["icon"], false)
  assert.equal((await done("DELETE", path))["icon"], false)
})

test("API-13: an account has room for a hundred apps, and the next one is refused with the reason", async () => {
  const { testServer } = world
  await testServer.addAccount("collector")
  const browser = await signedInBrowser(testServer, "collector")
  const { access_token } = await grant(testServer, browser, world.app, { scope: "apps:write" })
  const next = (i: number) =>
    call("POST", "/api/apps", { client_type: "public", client_name: `App ${i}` }, access_token)
  const answers = await Promise.all(Array.from({ length: OWN_APPS_AT_MOST + 3 }, (_, i) => next(i)))
  const refused = answers.filter(({ status }) => status !== 201)
  assert.equal(refused.length, 3)
  for (const answer of refused) assertError(answer, 409, "CONFLICT")
})
