/**
 * The primary is killed and a streaming standby takes over, behind one address. A synchronous standby has everything
 * that was acknowledged. An asynchronous one may not have the last changes.
 */
import { Nodes } from "../../test/nodes/nodes.ts"
import { connectIn, own, refresh, send, signedInBrowser } from "../../test/support/connect.ts"
import { postgresAt } from "../../test/support/database.ts"
import type { PostgresOptions, PostgresServer } from "../../test/support/postgres-server.ts"
import { rowsOf, startPostgres } from "../../test/support/postgres.ts"
import { addAccount, addApp, switchBudgetOff } from "../../test/support/seed.ts"
import { done, type Span } from "../../test/support/spawn.ts"
import { until } from "../../test/support/until.ts"
import { lookAt } from "../mixed/held.ts"
import { pause } from "../mixed/world.ts"
import { Address } from "./address.ts"
import { underLoad } from "./load.ts"

const replicating: PostgresOptions = {
  durable: true,
  settings: { wal_level: "replica", max_wal_senders: "4", wal_keep_size: "512MB" },
}

/** The time of load before each fail-over. */
const LOAD_MILLISECONDS = 2_000
/** The address leads to the standby for this long before it is promoted, as it may with a name in the DNS. */
const READ_ONLY_MILLISECONDS = 700
const RECOVERY_MILLISECONDS = 30_000
const HELD = 5

export async function failOverSynchronously(span: Span, seed: number, times: number) {
  let primary = await startPostgres(span, replicating)
  let standby = await standbyOf(span, primary)
  await waitForStandby(primary)
  const address = await Address.open(span, primary)
  let slowest = 0
  const loaded = await underLoad(span, postgresAt(address.url), seed, async (world) => {
    for (let n = 1; n <= times && !world.isEnough; n++) {
      await pause(LOAD_MILLISECONDS)
      const over = world.disturb(`fail-over ${n}`)
      const begun = performance.now()
      await primary.stop("immediate")
      await takeOver(address, standby)
      const { answered } = world.record
      await until(
        () => world.isEnough || world.record.answered > answered + 20,
        "service resumes",
        RECOVERY_MILLISECONDS,
      )
      slowest = Math.max(slowest, performance.now() - begun)
      over()
      await primary.close()
      primary = standby
      if (n === times) break
      standby = await standbyOf(span, primary)
      await waitForStandby(primary)
    }
    await pause(LOAD_MILLISECONDS)
  })
  return { ...loaded, slowest: Math.round(slowest) }
}

/** Lets commits wait for the standby, and waits until they do. */
async function waitForStandby(primary: PostgresServer): Promise<void> {
  await until(() => isStanding(primary, "state = 'streaming'"), "the standby follows")
  await rowsOf(primary.url(), "ALTER SYSTEM SET synchronous_standby_names = 'standby'")
  await rowsOf(primary.url(), "SELECT pg_reload_conf()")
  await until(() => isStanding(primary, "sync_state = 'sync'"), "commits wait for the standby")
}

async function isStanding(primary: PostgresServer, condition: string): Promise<boolean> {
  return (await rowsOf(primary.url(), `SELECT 1 FROM pg_stat_replication WHERE ${condition}`)).length > 0
}

async function standbyOf(span: Span, primary: PostgresServer): Promise<PostgresServer> {
  const standby = await primary.openStandby()
  span.after(() => standby.close())
  return standby
}

async function takeOver(address: Address, standby: PostgresServer): Promise<void> {
  address.leadTo(standby)
  await pause(READ_ONLY_MILLISECONDS)
  await rowsOf(standby.url(), "SELECT pg_promote(true, 60)")
}

/**
 * The standby misses the last changes. They are undone, including revocations. Everything older works, and the database
 * is in order.
 */
export async function failOverAsynchronously(span: Span) {
  const primary = await startPostgres(span, replicating)
  const standby = await standbyOf(span, primary)
  const address = await Address.open(span, primary)
  const nodes = await Nodes.start(span, { count: 2, database: postgresAt(address.url) })
  await addAccount(nodes.dir, "alice")
  await switchBudgetOff(nodes.dir)
  const app = await addApp(nodes.dir, { type: "public" })
  const alice = await signedInBrowser(nodes, "alice")
  const held = () => Promise.all(Array.from({ length: HELD }, () => connectIn(alice, nodes, app)))
  const [untouched, refreshed, revoked] = [await held(), await held(), await held()]
  const all = "state = 'streaming' AND replay_lsn = pg_current_wal_lsn()"
  await until(() => isStanding(primary, all), "the standby has everything")
  await standby.stop("fast")

  const news = await Promise.all(
    refreshed.map(({ refresh_token }) => refresh(nodes.at(0), app, refresh_token)),
  )
  for (const { refresh_token: token } of revoked)
    await send(nodes.at(1), "/oauth/revoke", { ...own(app), token })
  const connected = await held()
  await primary.stop("immediate")
  await standby.start()
  await takeOver(address, standby)
  await Promise.all(
    nodes.each.map(({ url }) =>
      until(
        async () => (await fetch(`${url}/health`)).status === 200,
        "service resumes",
        RECOVERY_MILLISECONDS,
      ),
    ),
  )

  const accepted = async (tokens: readonly string[]) => {
    const answers = await Promise.all(tokens.map((token, n) => refresh(nodes.at(n), app, token)))
    const odd = answers.find(({ status, body }) => status !== 200 && body["error"] !== "invalid_grant")
    if (odd !== undefined)
      throw new Error(`a refresh was answered ${odd.status}: ${JSON.stringify(odd.body)}`)
    return answers.filter(({ status }) => status === 200).length
  }
  const figures = {
    "credentials that work": await accepted(untouched.map(({ refresh_token }) => refresh_token)),
    "refreshes lost": HELD - (await accepted(news.map(({ body }) => String(body["refresh_token"])))),
    "connections lost": HELD - (await accepted(connected.map(({ refresh_token }) => refresh_token))),
    "revocations undone": (
      await Promise.all(revoked.map(({ access_token }, n) => lookAt(nodes.at(n), access_token)))
    ).filter(({ status }) => status === 200).length,
  }
  if (Object.values(figures).some((count) => count !== HELD))
    throw new Error(`not what the documents say: ${JSON.stringify(figures)}`)
  const found = await done<unknown[]>(nodes.dir, ["verify"])
  if (found.length > 0) throw new Error(`verify finds ${JSON.stringify(found)}`)
  return figures
}
