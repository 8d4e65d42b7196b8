/** Tests how a resource is compared, whichever spelling a client sends. README.md, "Clients and front door". */
import { test } from "node:test"
import assert from "node:assert/strict"
import { authorizePath, exchange, newVerifier, own, refresh, send } from "../support/connect.ts"
import { answerDevice, DEVICE_GRANT, startDevice } from "../oauth/device/device.ts"
import { fixture } from "../support/fixture.ts"
import { call, introspected } from "../support/signed-in.ts"
import { assertRefused } from "../support/answers.ts"
import { textOf } from "../platform/ui/markup.ts"

const MCP = "https://mcp.example.com"
const SPELLINGS = [MCP, `${MCP}/`, "HTTPS://MCP.Example.COM", `${MCP}:443`, `${MCP}:443/`]
const OTHERS = [`${MCP}//`, `${MCP}/mcp`, "http://mcp.example.com", `${MCP}:8443`, `${MCP}.evil`, `${MCP}/?`]

const { testServer, ada, app, server } = await fixture({
  resourceServers: new Map([
    [MCP, { name: "Team tools", jwt: null }],
    ["https://files.example/a", { name: "Files", jwt: null }],
  ]),
  rateLimit: "off",
  accounts: ["ada"],
  browsers: ["ada"],
  apps: { app: {}, server: { type: "confidential", resourceServer: true } },
})
await testServer.addServiceAccount("ci")
const bound = await testServer.addBoundApp("ci")

async function audience(body: Readonly<Record<string, unknown>>): Promise<unknown> {
  return (await introspected(testServer, server, String(body["access_token"]))).body["aud"]
}

async function granted(resource: string | null): Promise<Readonly<Record<string, unknown>>> {
  const { verifier, challenge } = newVerifier()
  const page = await ada.get(authorizePath(app, challenge, resource === null ? {} : { resource }))
  if (resource !== null) assert.ok(textOf(page.text).includes("Works at Team tools"), resource)
  const answer = await ada.submit(page, "/oauth/consent", { decision: "authorize" })
  const code = new URL(answer.location ?? "").searchParams.get("code") ?? ""
  return (await exchange(testServer, app, code, verifier, resource === null ? {} : { resource })).body
}

for (const spelling of SPELLINGS) {
  test(`getprobo/probo #1865: authorize, exchange, refresh and its repeat: ${spelling}`, async () => {
    const held = await granted(spelling)
    assert.deepEqual(await audience(held), [MCP])
    for (const written of SPELLINGS) {
      const again = await refresh(testServer, app, String(held["refresh_token"]), { resource: written })
      assert.equal(again.status, 200, written)
      assert.deepEqual(await audience(again.body), [MCP])
    }
  })

  test(`getprobo/probo #1865: device authorization, poll and client_credentials: ${spelling}`, async () => {
    const device = await startDevice(testServer, app, { resource: spelling })
    await answerDevice(ada, device, "authorize")
    const ask = {
      ...own(app),
      grant_type: DEVICE_GRANT,
      device_code: device.deviceCode,
      resource: `${MCP}/`,
    }
    assert.deepEqual(await audience((await send(testServer, "/oauth/token", ask)).body), [MCP])
    const service = { ...own(bound), grant_type: "client_credentials", resource: spelling }
    assert.deepEqual(await audience((await send(testServer, "/oauth/token", service)).body), [MCP])
  })
}

test("getprobo/probo #1865: a consent without a resource is narrowed to the configured spelling", async () => {
  const held = await granted(null)
  const narrowed = await refresh(testServer, app, String(held["refresh_token"]), { resource: `${MCP}/` })
  assert.deepEqual(await audience(narrowed.body), [MCP])
})

test("getprobo/probo #1865: two spellings in one request are one resource", async () => {
  const form = new URLSearchParams({ ...own(bound), grant_type: "client_credentials", resource: MCP })
  form.append("resource", `${MCP}/`)
  assert.deepEqual(await audience((await send(testServer, "/oauth/token", form.toString())).body), [MCP])
})

test("getprobo/probo #1865: another port, path, query, scheme or host stays another resource", async () => {
  for (const resource of OTHERS) {
    const back = await ada.get(authorizePath(app, newVerifier().challenge, { resource }))
    assert.equal(new URL(back.location ?? "").searchParams.get("error"), "invalid_target", resource)
  }
  const longer = await ada.get(
    authorizePath(app, newVerifier().challenge, { resource: "https://files.example/a/" }),
  )
  assert.equal(new URL(longer.location ?? "").searchParams.get("error"), "invalid_target")
  const held = await granted(MCP)
  for (const resource of OTHERS)
    assertRefused(
      await refresh(testServer, app, String(held["refresh_token"]), { resource }),
      400,
      "invalid_target",
    )
})

test("getprobo/probo #1865: without a list, consent, refresh and the service's own API compare alike", async (t) => {
  const open = await fixture({
    rateLimit: "off",
    accounts: ["bob"],
    browsers: ["bob"],
    apps: { app: {} },
    span: t,
  })
  const { verifier, challenge } = newVerifier()
  const resource = open.testServer.issuer.toUpperCase()
  const page = await open.bob.get(authorizePath(open.app, challenge, { resource }))
  const answer = await open.bob.submit(page, "/oauth/consent", { decision: "authorize" })
  const code = new URL(answer.location ?? "").searchParams.get("code") ?? ""
  const held = (await exchange(open.testServer, open.app, code, verifier)).body
  assert.equal((await call(open.testServer, "/api/account", String(held["access_token"]))).status, 200)
  const { issuer } = open.testServer
  const next = await refresh(open.testServer, open.app, String(held["refresh_token"]), { resource: issuer })
  assert.equal((await call(open.testServer, "/api/account", String(next.body["access_token"]))).status, 200)
})
