/**
 * Tests known flaws of other servers in registration and the management of clients. README.md, "Clients and front
 * door".
 */
import { test } from "node:test"
import assert from "node:assert/strict"
import { setAppEnabled } from "../../src/apps/app.ts"
import { addTotp } from "../../src/accounts/factors/totp.ts"
import { authorizePath, exchange, newVerifier, own, REDIRECT_URI, send } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import type { TestApp } from "../support/test-server.ts"
import { ask } from "../admin/api/api-world.ts"
import { assertRefused, returned } from "../support/answers.ts"
import { grant, issueCode } from "../support/grant.ts"
import { register, registered, TOOL } from "../apps/registration/register.ts"
import { everything } from "../support/stored.ts"
import { OPERATOR } from "../support/test-server.ts"

const EVERYTHING = [
  ...["account:write", "credentials:write", "apps:write"],
  ...["admin:accounts", "admin:apps", "admin:credentials", "admin:settings", "admin:events"],
]

const {
  testServer,
  userIds: { root: rootId },
  root,
  eve,
  ops,
} = await fixture({
  rateLimit: "off",
  settings: { "registration.open": "on" },
  admins: ["root"],
  accounts: ["eve"],
  browsers: ["root", "eve"],
  apps: { ops: { name: "Console", permissions: EVERYTHING, stepUp: true } },
})

/** The access tokens of the administrator, with every permission, and of eve, with all that she may have. */
const request = { scope: EVERYTHING.join(" ") }
const roots = (await grant(testServer, root, ops, request)).access_token
const eves = (await grant(testServer, eve, ops, request)).access_token

async function clients(): Promise<unknown> {
  return (await everything(testServer))["client"]
}

test("CVE-2026-22752: who registers itself gives itself nothing: no rights, no trust, no id", async () => {
  const wishes = {
    client_id: ops.clientId,
    client_secret: "mine",
    client_name: "Wishes",
    verified: true,
    resource_server: true,
    step_up: true,
    enabled: true,
    owner: "root",
    owner_id: rootId,
    registered_by: "administrator",
    ceiling: ["admin:accounts"],
    permissions: ["admin:accounts"],
  }
  const { clientId, secret, answer } = await registered(testServer, {
    ...TOOL,
    ...wishes,
    scope: "account:read admin:accounts files:write",
    token_endpoint_auth_method: "client_secret_basic",
  })
  assert.notEqual(clientId, ops.clientId)
  assert.match(secret ?? "", /^lks_/)
  assert.equal(String(answer["scope"]).includes("admin:"), false)
  for (const member of ["verified", "resource_server", "step_up"])
    assert.notEqual(answer[member], true, member)
  const app: TestApp = { ...ops, clientId, secret }
  for (const scope of ["admin:accounts", "account:read admin:accounts", "admin:settings"]) {
    const page = await root.get(authorizePath(app, newVerifier().challenge, { scope }))
    assert.equal(returned(page, REDIRECT_URI)["error"], "invalid_scope")
  }
  const asked = await send(testServer, "/oauth/introspect", { ...own(app), token: roots })
  assert.deepEqual([asked.status, asked.body["error"]], [403, "unauthorized_client"])
  const tokens = await grant(testServer, root, app)
  const stepUp = await send(
    testServer,
    "/oauth/step-up",
    {},
    { authorization: `Bearer ${tokens.access_token}` },
  )
  assertRefused(stepUp, 403, "access_denied")
  for (const scope of ["admin:accounts", "admin:settings admin:events"])
    assert.equal((await register(testServer, { ...TOOL, scope })).status, 400)
})

test("GHSA-86j7-9j95-vpqj, GHSA-9h47-pqcx-hjr4: what a client says of itself does not weaken what is asked of it", async () => {
  const weak = {
    code_challenge_methods: ["plain"],
    code_challenge_method: "plain",
    require_pkce: false,
    id_token_signed_response_alg: "none",
    request_object_signing_alg: "none",
    response_types: ["code"],
    require_redirect_uri: false,
  }
  const { clientId } = await registered(testServer, { ...TOOL, ...weak, client_name: "Weak" })
  const app: TestApp = { ...ops, clientId, secret: null }
  const right = authorizePath(app, newVerifier().challenge)
  for (const path of [
    right.replace("S256", "plain"),
    right.replace(/&code_challenge=[^&]*/, ""),
    right.replace(/&code_challenge_method=[^&]*/, ""),
    `${right}&request=eyJhbGciOiJub25lIn0.e30.`,
  ]) {
    const page = await root.get(path)
    if (path.includes("&request=")) assert.equal(page.status, 200)
    else assert.equal(returned(page, REDIRECT_URI)["error"], "invalid_request", path)
  }
  const answer = await fetch(`${testServer.url}/.well-known/oauth-authorization-server`)
  const metadata = (await answer.json()) as Record<string, unknown>
  assert.deepEqual(metadata["code_challenge_methods_supported"], ["S256"])
  assert.equal(JSON.stringify(metadata).includes('"plain"'), false)
  for (const response_types of [["token"], ["none"], ["id_token"]])
    assert.equal((await register(testServer, { ...TOOL, response_types })).status, 400)
  const both = await registered(testServer, {
    ...TOOL,
    client_name: "Both",
    response_types: ["code", "token"],
  })
  assert.deepEqual(both.answer["response_types"], ["code"])
  for (const token_endpoint_auth_method of ["private_key_jwt", "tls_client_auth", "NONE", "null"])
    assert.equal((await register(testServer, { ...TOOL, token_endpoint_auth_method })).status, 400)
})

test("CVE-2026-9705: registering again brings no disabled app back", async () => {
  const words = { ...TOOL, client_name: "Comes back" }
  const first = await registered(testServer, words)
  await setAppEnabled(testServer.latchkey, first.clientId, false, OPERATOR)
  const again = await registered(testServer, words)
  assert.notEqual(again.clientId, first.clientId)
  for (const [method, path] of [
    ["PUT", `/oauth/register/${first.clientId}`],
    ["PUT", "/oauth/register"],
    ["PATCH", "/oauth/register"],
    ["GET", `/oauth/register/${first.clientId}`],
    ["DELETE", `/oauth/register/${first.clientId}`],
  ] as const) {
    const answer = await ask(testServer, roots, {
      method,
      path,
      ...(method.startsWith("P") && { body: { ...words, client_id: first.clientId, enabled: true } }),
    })
    assert.ok(answer.status === 404 || answer.status === 405, `${method} ${path} ${answer.status}`)
  }
  const page = await root.get(
    authorizePath({ clientId: first.clientId, secret: null }, newVerifier().challenge),
  )
  assert.deepEqual([page.status, page.location], [400, null])
})

test("CVE-2026-41427, GHSA-xr8f-h2gw-9xh6, GHSA-jmcv-4jfc-6qqj: an account cannot manage the apps of others, by API or by page", async () => {
  const [mine] = [await testServer.addApp({ type: "confidential", name: "Roots own" })]
  const stored = await clients()
  const body = { client_name: "Taken", redirect_uris: ["https://evil.example/"], verified: true }
  for (const space of ["/api/apps", "/api/admin/apps"]) {
    const path = `${space}/${mine.clientId}`
    const attempts = [
      { method: "GET", path },
      { method: "PATCH", path, body },
      { method: "DELETE", path },
      { method: "POST", path: `${path}/secret`, body: {} },
      { method: "PUT", path: `${path}/icon`, body: "x", type: "image/png" },
      { method: "DELETE", path: `${path}/icon` },
      ...(space.includes("admin") ? [{ method: "POST", path: space, body }] : []),
    ]
    for (const attempt of attempts) {
      for (const [token, allowed] of [
        [eves, [400, 403, 404, 415]],
        [null, [401]],
        ["lka_wrong", [401]],
      ] as const) {
        const { status } = await ask(testServer, token, attempt)
        assert.ok(allowed.includes(status as never), `${attempt.method} ${attempt.path} ${status}`)
      }
    }
  }
  const page = await eve.get("/account/apps")
  for (const path of [
    "/account/apps/app",
    "/account/apps/edit",
    "/account/apps/secret",
    "/console/apps/app",
  ]) {
    const shown = await eve.get(`${path}?client_id=${mine.clientId}&id=${mine.clientId}&app=${mine.clientId}`)
    assert.ok([303, 403, 404].includes(shown.status), `${path} ${shown.status}`)
    assert.equal(shown.text.includes("Roots own"), false, path)
  }
  for (const path of [
    "/account/apps/edit",
    "/account/apps/secret",
    "/account/apps/remove",
    "/account/apps/enable",
  ])
    await eve.submit(page, path, {
      app: mine.clientId,
      client_id: mine.clientId,
      id: mine.clientId,
      name: "Taken",
    })
  assert.deepEqual(await clients(), stored)
})

test("GHSA-xxwr-vvr3-2g9f, CVE-2026-41427: an account cannot raise its own rights or those of its apps", async () => {
  const account = await ask(testServer, eves, { method: "GET", path: "/api/account" })
  for (const more of [
    { admin: true },
    { enabled: false },
    { user_id: rootId },
    { password: "x".repeat(20) },
  ]) {
    const answer = await ask(testServer, eves, {
      method: "PATCH",
      path: "/api/account",
      body: { username: "eve", ...more },
    })
    assert.ok(answer.status === 200 || answer.status === 400, JSON.stringify(answer.body))
  }
  assert.deepEqual((await ask(testServer, eves, { method: "GET", path: "/api/account" })).body, account.body)

  const app = {
    client_type: "public",
    client_name: "Eves",
    redirect_uris: [REDIRECT_URI],
    scope: "account:read",
  }
  const made = await ask(testServer, eves, { method: "POST", path: "/api/apps", body: app })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const path = `/api/apps/${String(made.body["client_id"])}`
  const stored = await clients()
  for (const body of [
    { verified: true },
    { resource_server: true },
    { scope: "account:read admin:accounts" },
    { owner: "root" },
    { registered_by: "administrator" },
    { client_type: "confidential" },
    { client_id: ops.clientId },
  ])
    assert.equal(
      (await ask(testServer, eves, { method: "PATCH", path, body })).status,
      400,
      JSON.stringify(body),
    )
  assert.deepEqual(await clients(), stored)
  for (const body of [
    { ...app, scope: "admin:accounts" },
    { ...app, verified: true },
  ])
    assert.equal((await ask(testServer, eves, { method: "POST", path: "/api/apps", body })).status, 400)
})

test("GHSA-m9h4-7j9c-55x9: no permission to look shows a secret, or the digest of one", async () => {
  const server = await testServer.addApp({ type: "confidential", name: "Server", resourceServer: true })
  assert.ok((await addTotp(testServer.latchkey, "eve", OPERATOR)).ok)
  await issueCode(root, server)
  const description = (await (await fetch(`${testServer.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>
  }
  const lists = Object.keys(description.paths).filter(
    (path) => !path.includes("{") && "get" in (description.paths[path] ?? {}),
  )
  assert.ok(lists.length > 8, `only ${lists.length}`)
  const paths = [...lists, `/api/admin/apps/${server.clientId}`, `/api/admin/accounts/${rootId}/factors`]
  for (const path of paths) {
    const { status, body } = await ask(testServer, roots, { method: "GET", path })
    if (path === "/api/openapi.json") continue
    // Invitations need a recent factor.
    assert.equal(status, path === "/api/admin/invitations" ? 400 : 200, path)
    const text = JSON.stringify(body)
    assert.doesNotMatch(
      text,
      /lk[arcds]_[\w-]{20}|[\w-]{43}|scrypt|argon|[A-Z2-7]{32}|"[a-z_]*(?:hash|secret|nonce)"/,
      path,
    )
  }
  const pages = ["apps", "accounts", "invitations", "credentials", "settings"]
  for (const path of pages.map((name) => `/console/${name}`)) {
    const { status, text } = await root.get(path)
    assert.equal(status, 200, path)
    const shown = text.slice(text.indexOf("</style>")).replaceAll(/name="csrf" value="[^"]*"/g, "")
    assert.doesNotMatch(shown, /lk[arcds]_[\w-]{20}|scrypt|argon/, path)
  }
})

test("CVE-2024-29891, GHSA-hr5w-cwwq-2v4m: what is brought as a picture is served as a picture or not at all", async () => {
  const app = {
    client_type: "public",
    client_name: "Pictured",
    redirect_uris: [REDIRECT_URI],
    scope: "account:read",
  }
  const made = await ask(testServer, eves, { method: "POST", path: "/api/apps", body: app })
  const path = `/api/apps/${String(made.body["client_id"])}/icon`
  const script = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'
  for (const [type, body] of [
    ["image/svg+xml", script],
    ["image/png", script],
    ["image/gif", "GIF89a<script>alert(1)</script>"],
    ["text/html", script],
    ["image/png; text/html", "<!doctype html><script>alert(1)</script>"],
  ] as const) {
    const { status } = await ask(testServer, eves, { method: "PUT", path, body, type })
    assert.ok(status === 400 || status === 415, `${type} ${status}`)
  }
  const icon = await fetch(`${testServer.url}/oauth/apps/${String(made.body["client_id"])}/icon`)
  assert.equal(icon.status, 404)
  assert.match(icon.headers.get("content-type") ?? "", /^application\/json/)
})

test("CVE-2026-22752, GHSA-wx5f-576r-gpcx: an unregistered app is refused everywhere", async () => {
  const unregistered = { clientId: "0".repeat(26), secret: null }
  const { code, verifier } = await issueCode(root, ops)
  for (const answer of [
    await exchange(testServer, unregistered, code, verifier),
    await send(testServer, "/oauth/device-authorization", own(unregistered)),
    await send(testServer, "/oauth/revoke", { ...own(unregistered), token: roots }),
    await send(testServer, "/oauth/introspect", { ...own(unregistered), token: roots }),
  ])
    assertRefused(answer, 401, "invalid_client")
  assert.equal((await exchange(testServer, ops, code, verifier)).status, 200)
})
