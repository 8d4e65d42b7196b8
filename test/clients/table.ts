/** Runs the same steps with every client, for each way in which its apps can authenticate. */
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { type App, type Client, type Decision, type Held, Refused, type Way } from "./client.ts"
import type { Deployment } from "./deployment.ts"

/** One client waits for its polls, and the others wait for processors. */
const CLIENTS_AT_A_TIME = 3
const WAYS_AT_A_TIME = 4

const ways: Readonly<Record<Way, string>> = {
  public: "a public app",
  basic: "a confidential app by HTTP Basic",
  post: "a confidential app with its secret in the body",
  key: "a confidential app that holds a key",
  registered: "an app that registers itself",
}

/** Registers the steps of every client with the test runner. `place` is called when they run. */
export function goThrough(clients: readonly Client[], deployment: () => Deployment): void {
  describe("clients", { concurrency: CLIENTS_AT_A_TIME }, () => {
    for (const client of clients)
      describe(client.name, { concurrency: WAYS_AT_A_TIME, ...client.needs }, () => {
        for (const way of client.ways)
          describe(ways[way], { concurrency: 1 }, () => stepsOf(client, way, deployment))
        for (const [title, show] of Object.entries(client.more ?? {})) test(title, () => show(deployment()))
      })
  })
}

function stepsOf(client: Client, way: Way, deployment: () => Deployment): void {
  let app: App
  let held: Held

  test("SVC-1, SVC-3, CODE-1, AUTH-2, AUTH-3, AUTH-5, REG-2: it is let in by code and PKCE", async () => {
    app = await client.open(deployment(), way)
    held = await app.connect("authorize")
    await isGood(deployment(), app, held)
  })

  if (client.can.includes("refresh"))
    test("CRED-1, AUTH-7: it refreshes to another pair of the same credential", async () => {
      const before = await deployment().introspected(held.accessToken)
      const next = await refreshed(app, held)
      assert.notEqual(next.accessToken, held.accessToken)
      assert.notEqual(next.refreshToken, held.refreshToken)
      const after = await isGood(deployment(), app, next)
      assert.equal(after["token_id"], before["token_id"])
      assert.equal(after["scope"], before["scope"])
      held = next
    })

  test("AUTHZ-11: refused by its person, it hears of it", () =>
    isRefused(app.connect("refuse"), client.hears ?? "access_denied"))

  test("CRED-3, REV-1: revoked, its access is over, and it hears invalid_grant if it refreshes", async () => {
    await revoke(client, app, held, deployment())
    assert.deepEqual(await deployment().introspected(held.accessToken), { active: false })
    if (client.can.includes("refresh")) await isRefused(refreshed(app, held), "invalid_grant")
  })

  if (client.can.includes("device"))
    test("SVC-4, DG-1…DG-3, DG-6, ERR-7: it is let in, and refused, by device flow", async () => {
      const device = (decision: Decision) => app.device?.(decision) ?? assert.fail("it has no device flow")
      const [got] = await Promise.all([device("authorize"), isRefused(device("refuse"), "access_denied")])
      await isGood(deployment(), app, got)
      await isGood(deployment(), app, await refreshed(app, got))
    })
}

/** Checks what the resource server learns about the token. */
async function isGood(
  deployment: Deployment,
  app: App,
  { accessToken }: Held,
): Promise<Record<string, unknown>> {
  const heard = await deployment.introspected(accessToken)
  assert.equal(heard["active"], true)
  assert.equal(heard["username"], "alice")
  assert.equal(heard["client_id"], app.clientId)
  assert.match(String(heard["scope"]), /^(?:account|notes):read\b/)
  return heard
}

function refreshed(app: App, held: Held): Promise<Held> {
  return app.refresh?.(held) ?? assert.fail("it cannot refresh")
}

async function isRefused(does: Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(does, (error) => {
    if (!(error instanceof Refused)) throw error
    assert.equal(error.code, code)
    return true
  })
}

/** Revokes the access. If the client cannot revoke, the person ends the access. */
async function revoke(client: Client, app: App, held: Held, deployment: Deployment): Promise<void> {
  if (client.can.includes("revocation")) return app.revoke?.(held) ?? assert.fail("it cannot revoke")
  const { token_id: tokenId } = await deployment.introspected(held.accessToken)
  await deployment.endAccess(String(tokenId))
}
