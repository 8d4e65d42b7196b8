/** The versions of PostgreSQL, PgBouncer and a fail-over, each under mixed load whose every response is checked. */
import { within } from "../../test/support/spawn.ts"
import { type Attempt, type Figures, part, type Proof } from "../proof.ts"
import { failOverAsynchronously, failOverSynchronously } from "./fail-over.ts"
import { poolerMissing, poolings, tryPooling } from "./pooler.ts"
import { figuresOf, installVersion, tryVersion, versions } from "./versions.ts"

/** The length of the load on each version and through each pooler. */
const SECONDS = 60
const FAIL_OVERS = 10

export const postgres: Proof = {
  name: "postgres",
  promise: "on every version, through PgBouncer and a fail-over, what was answered is not lost",
  engines: ["postgres"],
  prove,
}

async function prove(attempt: Attempt): Promise<Figures> {
  const { work, seed, say } = attempt
  const seconds = part(attempt, SECONDS)
  const all: Record<string, number | string> = {}
  for (const version of versions) {
    say(`PostgreSQL ${version}`)
    Object.assign(all, await tryVersion(await installVersion(work, version), seed, seconds))
  }
  const missing = poolerMissing()
  if (missing !== null) all["PgBouncer: left out"] = missing
  for (const pooling of missing === null ? poolings : []) {
    say(`PgBouncer of ${pooling.debian}, ${pooling.mode} mode`)
    Object.assign(all, await tryPooling(work, seed, seconds, pooling))
  }
  return { ...all, ...(await failOver(attempt)) }
}

/** Fails over to a synchronous standby several times, and once to an asynchronous one. */
export async function failOver(attempt: Attempt): Promise<Figures> {
  const { seed, say } = attempt
  const times = part(attempt, FAIL_OVERS)
  say(`${times} times, a synchronous standby takes over`)
  const { slowest, ...loaded } = await within((span) => failOverSynchronously(span, seed, times))
  say("an asynchronous standby takes over")
  const missed = await within(failOverAsynchronously)
  return {
    "fail-over to a synchronous standby: times": times,
    ...figuresOf("fail-over to a synchronous standby", loaded),
    "fail-over to a synchronous standby: longest pause, ms": slowest,
    ...Object.fromEntries(
      Object.entries(missed).map(([name, count]) => [`fail-over to a standby that lags: ${name}`, count]),
    ),
  }
}
