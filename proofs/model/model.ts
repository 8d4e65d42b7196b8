/** Compares random histories with the model. A seed repeats them, and a failing history is shortened. */
import fc from "fast-check"
import { type Attempt, type Figures, part, type Proof } from "../proof.ts"
import { type Drawn, history } from "./draw.ts"
import { type Counts, noCounts, playHistory } from "./history.ts"
import { Stage } from "./stage.ts"

/** This many histories take about ten minutes on two idle cores, at two or three a second. */
const HISTORIES = 1500
/**
 * After this many histories, a new service is started. Its clock only moves ahead and must stay within the range of
 * numbers.
 */
const HISTORIES_A_STAGE = 50
/** This many histories run at the same time, each with its own service and clock. */
const AT_ONCE = 3
/** How many attempts are made to shorten a failing history. */
const SHRINKS_AT_MOST = 150
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
    let played = 0
    let failed: { readonly nth: number; readonly why: string } | null = null
    const property = fc.asyncProperty(history, async (one) => {
      if (failed !== null && tries-- <= 0) return
      const nth = failed?.nth ?? played++
      try {
        await playHistory(stage, nth === 0 ? withRestart(one) : one, counts)
      } catch (problem) {
        failed ??= { nth, why: wordsOf(problem) }
        throw problem
      }
    })
    const checked = await fc.check(property, { seed, numRuns })
    if (checked.failed) {
      const { numRuns: nth, numShrinks: shrunk, errorInstance } = checked
      throw new Error(
        `history ${nth}, shrunk ${shrunk} times:\n${wordsOf(errorInstance)}${asFirstSeen(failed)}\n  ${alone(engine, seed)}`,
      )
    }
    return stage.restarts
  } finally {
    await stage.close()
  }
}

/** Adds a restart in the middle of the first history of each round, so that every run has one. */
function withRestart(drawn: readonly Drawn[]): readonly Drawn[] {
  const middle = Math.floor(drawn.length / 2)
  const restart = { kind: "restart", of: 0, which: 0, how: 0 } as const
  return [...drawn.slice(0, middle), restart, ...drawn.slice(middle)]
}

const wordsOf = (problem: unknown) => (problem instanceof Error ? problem.message : String(problem))

/** Returns the last part of the message. The shortened history may have failed for another reason. */
function asFirstSeen(failed: { readonly why: string } | null): string {
  return failed === null ? "" : `\n  as it was seen first:\n${failed.why.split("\n").slice(-6).join("\n")}`
}

function alone(engine: string, seed: number): string {
  const scale = HISTORIES_A_STAGE / HISTORIES
  return `this round alone: npm run prove -- --only model --engine ${engine} --seed ${seed} --scale ${scale.toFixed(4)}`
}

function inLine({ histories, operations, batches }: Counts, whole: number): string {
  return `${histories} of ${whole} histories, ${operations} operations, ${batches} batches`
}
