/** What every proxy must do in every state of a token, a route, the service and the gate. */
import assert from "node:assert/strict"
import type { TokenResponse } from "../../../src/oauth/credential/token-response.rules.ts"
import { IDENTITY_HEADERS } from "../../../src/gate/identity.rules.ts"
import { tokenIdOf } from "../../support/grant.ts"
import { until } from "../../support/until.ts"
import { wellFormed } from "../../kit/tokens.ts"
import { type GuardedApp, MANY_PERMISSIONS, valuesOf } from "./guarded-app.ts"
import type { RunningProxy } from "./proxy.ts"
import type { Received, Sent } from "./wire.ts"

const METADATA = 'resource_metadata="https://api.example/.well-known/oauth-protected-resource"'

/** Sends a request. Returns the response, and whether it reached the app. */
export async function through(
  { arrived }: GuardedApp,
  proxy: RunningProxy,
  sent: Sent,
): Promise<Received & { readonly reached: number }> {
  const before = arrived.length
  const received = await proxy.send(sent)
  return { ...received, reached: arrived.length - before }
}

async function refuses(
  guarded: GuardedApp,
  proxy: RunningProxy,
  sent: Sent,
  status: number,
  ...challenge: readonly RegExp[]
): Promise<Received> {
  const received = await through(guarded, proxy, sent)
  const what = `${proxy.name}: ${JSON.stringify(sent)}`
  assert.equal(received.status, status, what)
  assert.equal(received.reached, 0, what)
  const [said = "", ...more] = received.headers.get("www-authenticate") ?? []
  assert.deepEqual(more, [], what)
  for (const part of challenge) assert.match(said, part, what)
  return received
}

/** A token that works, then one of each kind that does not. */
export async function checkTokens(guarded: GuardedApp, proxy: RunningProxy): Promise<void> {
  const { api } = guarded
  const held = await api.grant()
  const path = "/files/1?a=%2f"
  const allowed = await through(guarded, proxy, { path, token: held.access_token })
  assert.equal(allowed.status, 200, proxy.name)
  assert.equal(allowed.body.includes('{"from":"app"}'), true)
  assertIdentity(guarded, held)
  await refuses(guarded, proxy, { path }, 401, /scope="files:read"/, new RegExp(METADATA))
  const unknown = { path, token: wellFormed() }
  await refuses(guarded, proxy, unknown, 401, /error="invalid_token"/, new RegExp(METADATA))
  await refuses(guarded, proxy, { path, token: "lka_nonsense" }, 401, /error="invalid_token"/)
  const lacking = { path: "/accounts", token: held.access_token }
  await refuses(guarded, proxy, lacking, 403, /error="insufficient_scope"/, /scope="account:write"/)
  const elevated = { method: "DELETE", path: "/files/1", token: held.access_token }
  const asked = await refuses(guarded, proxy, elevated, 403, /error="insufficient_user_authentication"/)
  assert.deepEqual(asked.headers.get("service-elevation-required"), ["1"])
  const { error } = JSON.parse(bodyOf(asked)) as { error: { code: number; status: string } }
  assert.deepEqual([error.code, error.status], [403, "FAILED_PRECONDITION"])
  await api.elevate(held)
  const isElevated = async () => (await through(guarded, proxy, elevated)).status === 200
  await until(isElevated, "the elevation is felt", 3000)
  await refuses(guarded, proxy, { path: "/other", token: held.access_token }, 403)
  await refuses(guarded, proxy, { method: "PUT", path: "/files/1", token: held.access_token }, 403)
  const late = await api.grant()
  api.testServer.clock.advance(3601)
  await refuses(guarded, proxy, { path, token: late.access_token }, 401, /error="invalid_token"/)
  await api.revoke(held)
  const isRefused = async () => (await through(guarded, proxy, { path, token: held.access_token })).status
  await until(async () => (await isRefused()) === 401, "the revocation is felt", 1000)
}

/** A token with many permissions, also beside long headers of the client: no identity header is pushed out. */
export async function checkManyPermissions(
  guarded: GuardedApp,
  proxies: readonly RunningProxy[],
): Promise<void> {
  const { api, arrived } = guarded
  const app = await api.testServer.addApp({ permissions: MANY_PERMISSIONS })
  const { access_token: token } = await api.grant(app)
  for (const proxy of proxies)
    for (const length of [0, 4000, 8000, 12_000, 15_000, 20_000]) {
      const headers = [["X-Long", "a".repeat(length)]] as const
      const { status, reached } = await through(guarded, proxy, { path: "/files/1", token, headers })
      const what = `${proxy.name}, ${length}: ${status}`
      assert.equal(reached, status === 200 ? 1 : 0, what)
      if (length === 0) assert.equal(status, 200, what)
      const last = status === 200 ? arrived.at(-1) : undefined
      if (last === undefined) continue
      const [permissions = ""] = valuesOf(last, "Latchkey-Permissions")
      const had = new Set(permissions.split(" "))
      assert.ok(
        MANY_PERMISSIONS.every((name) => had.has(name)),
        what,
      )
      for (const name of IDENTITY_HEADERS.slice(0, 6))
        assert.equal(valuesOf(last, name).length, 1, `${what}: ${name}`)
    }
}

/** The last request that reached the app carries each identity header once, as the gate set it. */
function assertIdentity({ arrived }: GuardedApp, held: TokenResponse): void {
  const last = arrived.at(-1) ?? assert.fail("nothing reached the app")
  assert.equal(last.url, "/files/1?a=%2f")
  const [account, username, client, credential, permissions, groups] = IDENTITY_HEADERS.map((name) =>
    valuesOf(last, name),
  )
  assert.match(account?.join() ?? "", /^[^,]{10,}$/)
  assert.deepEqual(username, ["bob"])
  assert.match(client?.join() ?? "", /^[^,]{10,}$/)
  assert.deepEqual(credential, [tokenIdOf(held.access_token)])
  assert.match(permissions?.join() ?? "", /files:write/)
  assert.deepEqual(groups, ["on-call staff"])
  assert.deepEqual(valuesOf(last, "Latchkey-Gate-Secret"), [])
}

/** A public route, its identity headers, and the metadata of the host. */
export async function checkPublic(guarded: GuardedApp, proxy: RunningProxy): Promise<void> {
  for (const token of [undefined, wellFormed()]) {
    const sent = { path: "/public", ...(token !== undefined && { token }) }
    assert.equal((await through(guarded, proxy, sent)).status, 200, proxy.name)
    const last = guarded.arrived.at(-1) ?? assert.fail("nothing reached the app")
    for (const name of IDENTITY_HEADERS)
      assert.equal(valuesOf(last, name).join(""), "", `${proxy.name} ${name}`)
  }
  const path = "/.well-known/oauth-protected-resource"
  const metadata = await through(guarded, proxy, { path })
  assert.equal(metadata.status, 200, proxy.name)
  assert.equal(metadata.reached, 0)
  assert.equal((JSON.parse(bodyOf(metadata)) as { resource: string }).resource, "https://api.example")
}

/** Nothing passes while the service does not answer. The status of an outage is never one of a missing permission. */
export async function checkServiceSlow(guarded: GuardedApp, proxies: readonly RunningProxy[]): Promise<void> {
  const held = [guarded.api.front.hold(), guarded.api.front.hold()]
  const token = (await guarded.api.grant()).access_token
  await Promise.all(proxies.map((proxy) => refuses(guarded, proxy, { path: "/files/1", token }, 503)))
  for (const { letGo } of held) letGo()
}

export async function checkServiceDown(guarded: GuardedApp, proxies: readonly RunningProxy[]): Promise<void> {
  const token = (await guarded.api.grant()).access_token
  const path = "/files/1"
  guarded.api.front.goDown()
  for (const proxy of proxies) {
    const { headers } = await refuses(guarded, proxy, { path, token }, 503)
    // Envoy makes its own response of what it takes for a fault.
    if (proxy.kind !== "envoy") assert.match(headers.get("retry-after")?.join() ?? "", /^\d+$/, proxy.name)
    assert.equal((await through(guarded, proxy, { path: "/public" })).status, 200, proxy.name)
  }
  guarded.api.front.isDown = false
}

export async function checkGateKilled(guarded: GuardedApp, proxies: readonly RunningProxy[]): Promise<void> {
  const token = (await guarded.api.grant()).access_token
  await guarded.killGate()
  const sents = [{ path: "/files/1", token }, { path: "/public" }]
  const tries = proxies.flatMap((proxy) => sents.map((sent) => ({ proxy, sent })))
  await Promise.all(
    tries.map(({ proxy, sent }) => refuses(guarded, proxy, sent, proxy.kind === "caddy" ? 502 : 503)),
  )
  await guarded.startGate()
  for (const proxy of proxies)
    await until(
      async () => (await through(guarded, proxy, { path: "/files/1", token })).status === 200,
      `${proxy.name} finds the gate again`,
    )
}

/** A gate that has stopped without ending makes a proxy wait, and then refuse. */
export async function checkGateHangs(guarded: GuardedApp, proxies: readonly RunningProxy[]): Promise<void> {
  guarded.signalGate("SIGSTOP")
  const statuses = await Promise.all(
    proxies.map((proxy) => through(guarded, proxy, { path: "/public" }).then(({ status }) => status)),
  )
  guarded.signalGate("SIGCONT")
  assert.deepEqual(
    statuses,
    proxies.map(({ kind }) => (kind === "caddy" ? 504 : 503)),
  )
}

/** Returns the body, also of a chunked response of one chunk. */
function bodyOf({ headers, body }: Received): string {
  return headers.get("transfer-encoding")?.[0] === "chunked" ? (body.split("\r\n")[1] ?? "") : body
}
