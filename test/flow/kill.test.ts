/** What was answered is on disk: a server killed in the middle of refreshes, again and again, loses nothing. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { type AppIdentity, connectIn, type Listening, refresh, signedInBrowser } from "../support/connect.ts"
import { addAccount, addApp, switchBudgetOff } from "../support/furnish.ts"
import { done, newDirectory, SpawnedServer } from "../support/spawn.ts"

const ROUNDS = 20
const CREDENTIALS = 6

/** What one app was told last, and what it did not hear the answer to. */
type Holder = { refreshToken: string; accessToken: string; acknowledged: number; unanswered: number }

test("CRED-1, SVC-2: killed twenty times under refreshes, the server has lost no token that it answered with", async (t) => {
  const dir = newDirectory(t)
  await addAccount(dir, "alice")
  await switchBudgetOff(dir)
  const app = await addApp(dir, { type: "public" })
  let server = await SpawnedServer.start(t, dir)
  const holders = await newHolders(server, app)

  for (let round = 0; round < ROUNDS; round++) {
    const before = holders.map(({ acknowledged }) => acknowledged)
    const killed = server
    // Another moment each time: after 12, 19, 26 … answers of this round.
    let left = CREDENTIALS * 2 + round * 7
    const answered = () => {
      if (--left === 0) killed.signal("SIGKILL")
    }
    await Promise.all(holders.map((holder) => refreshUntilGone(killed, app, holder, answered)))
    assert.deepEqual(await killed.exited, { code: null, signal: "SIGKILL" })
    assert.ok(holders.some(({ acknowledged }, i) => acknowledged > (before[i] ?? 0)))

    server = await SpawnedServer.start(t, dir)
    for (const [i, holder] of holders.entries()) await expectNothingLost(server, app, holder, `${round}/${i}`)
  }

  assert.ok(holders.every(({ unanswered }) => unanswered === ROUNDS))
  await server.stop()
  assert.deepEqual(await done(dir, ["verify"]), [])
})

async function newHolders(server: SpawnedServer, app: AppIdentity): Promise<Holder[]> {
  const browser = await signedInBrowser(server, "alice")
  const connected = await Promise.all(
    Array.from({ length: CREDENTIALS }, () => connectIn(browser, server, app)),
  )
  return connected.map(({ access_token, refresh_token }) => ({
    refreshToken: refresh_token,
    accessToken: access_token,
    acknowledged: 0,
    unanswered: 0,
  }))
}

/** Refreshes without a pause until the server is gone. */
async function refreshUntilGone(
  server: Listening,
  app: AppIdentity,
  holder: Holder,
  answered: () => void,
): Promise<void> {
  for (;;) {
    const answer = await refresh(server, app, holder.refreshToken).catch(() => null)
    if (answer === null) return void holder.unanswered++
    take(holder, answer)
    holder.acknowledged++
    answered()
  }
}

/**
 * Both tokens of the last answer work. Where a later answer was lost, the refresh token has been retired by it; inside
 * its window it yields that very answer.
 */
async function expectNothingLost(
  server: Listening,
  app: AppIdentity,
  holder: Holder,
  where: string,
): Promise<void> {
  const headers = { authorization: `Bearer ${holder.accessToken}` }
  const { status } = await fetch(`${server.url}/api/credential`, { headers })
  assert.equal(status, 200, `access token, ${where}`)
  const answer = await refresh(server, app, holder.refreshToken)
  assert.equal(answer.status, 200, `refresh token, ${where}: ${JSON.stringify(answer.body)}`)
  take(holder, answer)
}

function take(holder: Holder, { status, body }: Awaited<ReturnType<typeof refresh>>): void {
  assert.equal(status, 200, JSON.stringify(body))
  holder.refreshToken = String(body["refresh_token"])
  holder.accessToken = String(body["access_token"])
}
