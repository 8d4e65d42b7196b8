/** Tests `latchkey login` until a browser opens. */
import { test, type TestContext } from "node:test"
import assert from "node:assert/strict"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { addApp } from "../support/seed.ts"
import { LATCHKEY, newDirectory, SpawnedServer } from "../support/spawn.ts"
import { type Ended, Terminal } from "./terminal.ts"

const UNKNOWN = "0".repeat(26)
const ASKS = /Open this in a browser:\n\n {2}(http\S+)/

function login(t: TestContext, issuer: string, clientId: string, ...more: readonly string[]): Terminal {
  return new Terminal(t, LATCHKEY, [
    "login",
    "--issuer",
    issuer,
    "--client-id",
    clientId,
    "--no-browser",
    ...more,
  ])
}

/** Returns how the command ended, if it ended before it opened a browser. */
async function endedAtOnce(terminal: Terminal): Promise<Ended> {
  const asked = terminal.says(ASKS).then((address) => `it waits for a browser at ${address}`)
  const problem = await asked.catch(() => null)
  assert.equal(problem, null)
  return await terminal.ended
}

test("CLI-2: login with an unknown app, or one without the loopback address, says so at once", async (t) => {
  const dir = newDirectory(t)
  const elsewhere = await addApp(dir, { type: "public", redirectUris: ["https://app.example/callback"] })
  const server = await SpawnedServer.start(t, dir)
  for (const clientId of [UNKNOWN, "none", elsewhere.clientId]) {
    const { code, stdout, stderr } = await endedAtOnce(login(t, server.url, clientId))
    assert.deepEqual([code, stdout], [1, ""])
    assert.match(
      stderr,
      new RegExp(`does not know the app ${clientId}, or it is disabled, or http://127\\.0\\.0\\.1/callback`),
    )
  }
  const device = await login(t, server.url, UNKNOWN, "--device").ended
  assert.deepEqual([device.code, device.stdout], [1, ""])
  assert.match(device.stderr, new RegExp(`does not know the app ${UNKNOWN}, it is disabled.*invalid_client`))
})

test("CLI-2: login says why the service sends the browser back without a code", async (t) => {
  const dir = newDirectory(t)
  const app = await addApp(dir, { type: "public", redirectUris: ["http://127.0.0.1/callback"] })
  const server = await SpawnedServer.start(t, dir)
  const { code, stdout, stderr } = await endedAtOnce(
    login(t, server.url, app.clientId, "--scope", "no-such-permission"),
  )
  assert.deepEqual([code, stdout], [1, ""])
  assert.match(stderr, /refuses the sign-in: invalid_scope/)
})

test("CLI-2, RES-1: login asks for a token of the resource that it is given", async (t) => {
  const dir = newDirectory(t)
  const app = await addApp(dir, { type: "public", redirectUris: ["http://127.0.0.1/callback"] })
  const server = await SpawnedServer.start(t, dir)
  const resource = "https://files.example/a"
  const address = await login(t, server.url, app.clientId, "--resource", resource).says(ASKS)
  assert.equal(new URL(address).searchParams.get("resource"), resource)
  const { code, stderr } = await endedAtOnce(login(t, server.url, app.clientId, "--resource", "files#x"))
  assert.equal(code, 1)
  assert.match(stderr, /refuses the sign-in: invalid_target/)
  const device = login(t, server.url, app.clientId, "--device", "--resource", "files#x")
  assert.match((await device.ended).stderr, /invalid_target/)
})

test("CLI-2: a redirect elsewhere is not an answer to the app", async (t) => {
  const issuer = await serviceWith(t, (response) =>
    response.writeHead(303, { location: "/sign-in?error=first" }).end(),
  )
  await login(t, issuer, UNKNOWN).says(ASKS)
})

test("CLI-2: a service that answers the question with anything but an error of the request gets the browser", async (t) => {
  for (const status of [200, 302, 403, 503]) {
    const issuer = await serviceWith(t, (response) => response.writeHead(status).end())
    await login(t, issuer, UNKNOWN).says(ASKS)
  }
  const silent = await serviceWith(t, (response) => response.destroy())
  await login(t, silent, UNKNOWN).says(ASKS)
})

/** Starts a service that has only metadata and an authorization endpoint. */
async function serviceWith(
  t: TestContext,
  answer: (response: Parameters<RequestListener>[1]) => unknown,
): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/authorize")) return void answer(response)
    response.writeHead(200, { "content-type": "application/json" })
    response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize` }))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return issuer
}
