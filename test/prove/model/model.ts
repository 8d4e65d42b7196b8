/** Random histories against the model: reproducible by their seed, shrunk where they fail. */
import fc from "fast-check"
import { type Attempt, type Figures, part, type Proof } from "../proof.ts"
import { history } from "./draw.ts"
import { type Counts, noCounts, playHistory } from "./history.ts"
import { Stage } from "./stage.ts"

const HISTORIES = 2000
/** After so many histories there is a new service: the clock never stops, and must not leave the numbers that it is kept in. */
const HISTORIES_A_STAGE = 50
/** At the same time, each on a service of its own with a clock of its own. */
const AT_ONCE = 3
/** A history that fails is made shorter in so many tries. */
const SHRINKS_AT_MOST = Number(process.env["SHRINKS"] ?? 400)
const SAY_EVERY_MS = 20_000

export const model: Proof = {
  name: "model",
  promise: "every answer of every history is what the documents say, in some order of what was done at once",
  engines: ["sqlite", "postgres"],
  prove,
}

async function prove(attempt: Attempt): Promise<Figures> {
  const histories = part(attempt, HISTORIES)
  const counts = noCounts()
  const total = { restarts: 0 }
  const begun = performance.now()
  const telling = setInterval(() => attempt.say(inLine(counts, histories)), SAY_EVERY_MS)
  try {
    const rounds = Array.from({ length: Math.ceil(histories / HISTORIES_A_STAGE) }, (_, n) => ({
      seed: attempt.seed + n,
      numRuns: Math.min(HISTORIES_A_STAGE, histories - n * HISTORIES_A_STAGE),
    }))
    const players = Array.from({ length: Math.min(AT_ONCE, rounds.length) }, async () => {
      for (let round = rounds.shift(); round !== undefined; round = rounds.shift())
        total.restarts += await playRound(attempt, round, counts)
    })
    await Promise.all(players)
  } finally {
    clearInterval(telling)
  }
  const seconds = Math.round((performance.now() - begun) / 1000)
  return {
    histories: counts.histories,
    operations: counts.operations,
    "answers compared": counts.answers,
    "parallel batches": counts.batches,
    "batches that several orders explain": counts.ambiguous,
    restarts: total.restarts,
    seconds,
  }
}

type Round = { readonly seed: number; readonly numRuns: number }

async function playRound({ engine }: Attempt, { seed, numRuns }: Round, counts: Counts): Promise<number> {
  const stage = await Stage.open(engine)
  try {
    let tries = SHRINKS_AT_MOST
    let hasFailed = false
    const property = fc.asyncProperty(history, async (one) => {
      if (hasFailed && tries-- <= 0) return
      try {
        await playHistory(stage, one, counts)
      } catch (problem) {
        hasFailed = true
        throw problem
      }
    })
    const checked = await fc.check(property, { seed, numRuns })
    if (checked.failed) {
      const why = checked.errorInstance instanceof Error ? checked.errorInstance.message : "it failed"
      throw new Error(
        `history ${checked.numRuns} of seed ${seed}, shrunk ${checked.numShrinks} times:\n${why}`,
      )
    }
    return stage.restarts
  } finally {
    await stage.close()
  }
}

function inLine({ histories, operations, batches }: Counts, whole: number): string {
  return `${histories} of ${whole} histories, ${operations} operations, ${batches} batches`
}
