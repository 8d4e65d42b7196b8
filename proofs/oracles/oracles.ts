/** Proof `oracles`: neither an answer nor its duration reveals what a stranger must not learn. */
import { TestServer } from "../../test/support/test-server.ts"
import { Choice } from "../choice.ts"
import { type Attempt, type Figures, part, type Proof } from "../proof.ts"
import { pairs, type Pair } from "./pairs.ts"
import { compare, medianOf } from "./statistic.ts"
import { Wire } from "./wire.ts"

/** Chance alone passes this once in three hundred thousand comparisons. */
const Z_AT_MOST = 4.5
/**
 * A row that is in memory already is found two to four microseconds before one that is not. An attacker cannot guess an id of 80
 * random bits, or a token, in order to ask about it.
 */
const MICROSECONDS = 10
/** The largest difference for a token, in microseconds, also on a slower machine. */
const OF_TOKENS = { part: 1 / 8, most: 25 }
/** What the simplest answer takes where all of that was measured. A machine of half the speed takes twice as long for a row, too. */
const SIMPLEST_MICROSECONDS = 80
/** With fewer of each, not even what is always slower makes such a z. */
const TIMES_AT_LEAST = 15
/** Difference of the control pair: a refresh commits. Large enough for a busy machine. */
const CONTROL_TIMES_AT_LEAST = 100
/** A server that was just started answers slower from one request to the next. */
const WARM_UP = 200
/** What the throttles forget in. */
const THROTTLE_SECONDS = 601

export const oracles: Proof = {
  name: "oracles",
  promise: "Answers and times tell a stranger nothing about accounts, apps, tokens and codes",
  engines: ["sqlite"],
  prove,
}

async function prove(attempt: Attempt): Promise<Figures> {
  const choice = new Choice(attempt.seed)
  const figures: Record<string, number | string> = {}
  const reports: string[] = []
  let answers = 0
  for (const make of pairs) {
    let looked = await look(attempt, make, choice)
    answers += looked.answers
    if (looked.problem !== null) {
      // What is there is there again; what chance made is not.
      attempt.say(`${looked.secret}: looked at again`)
      looked = await look(attempt, make, choice)
      answers += looked.answers
    }
    figures[looked.secret] = looked.seen
    if (looked.problem !== null) reports.push(looked.problem)
  }
  if (reports.length > 0) throw new Error(reports.join("\n"))
  return { answers, ...figures }
}

type Looked = {
  readonly secret: string
  readonly answers: number
  readonly seen: string
  /** What is revealed and must not be, or the other way round. */
  readonly problem: string | null
}

async function look(attempt: Attempt, make: (typeof pairs)[number], choice: Choice): Promise<Looked> {
  const testServer = await serverOf(attempt)
  const wire = await Wire.open(testServer.url)
  try {
    const slowness = await slownessOf(wire)
    const pair = await make(testServer)
    const { secret, isControl = false } = pair
    const times = Math.max(part(attempt, pair.times), isControl ? CONTROL_TIMES_AT_LEAST : 1)
    const { first, second, texts } = await measured(testServer, wire, pair, times, choice)
    const { z, medianDifference } = compare(first, second)
    const whole = medianOf(first)
    const few = times < TIMES_AT_LEAST ? "; too few to show anything: a larger --scale" : ""
    const seen = `z ${z.toFixed(1)}, ${medianDifference.toFixed(0)} µs of ${whole.toFixed(0)} µs, ${times} each${few}`
    attempt.say(`${secret}: ${seen}`)
    const isLate =
      Math.abs(z) > Z_AT_MOST && Math.abs(medianDifference) > allowed(pair, whole / slowness) * slowness
    const isDistinguishable = isLate || texts.size > 1
    const problem = isControl
      ? `${secret}: ${seen}\n  This difference is always there and was not noticed, so the run shows nothing: ` +
        "try again on a machine that does nothing else, or with a larger --scale."
      : `${secret}: ${seen}${differenceOf(texts)}`
    return {
      secret,
      answers: first.length + second.length,
      seen,
      problem: isDistinguishable === isControl ? null : problem,
    }
  } finally {
    wire.close()
    await testServer.close()
  }
}

/** How many times as long as where these bounds were found the simplest of all answers takes here: 1 at the least. */
async function slownessOf(wire: Wire): Promise<number> {
  const times: number[] = []
  for (let i = -WARM_UP; i < WARM_UP; i++) {
    const { microseconds } = await wire.time({ method: "GET", path: "/oauth/apps/none/icon" })
    if (i >= 0) times.push(microseconds)
  }
  return Math.max(1, medianOf(times) / SIMPLEST_MICROSECONDS)
}

async function serverOf({ engine }: Attempt): Promise<TestServer> {
  const testServer = await TestServer.open({ engine })
  await testServer.set("rate_limit.oauth_anonymous", "off")
  return testServer
}

/** Both kinds in turn, in an order that nothing else in the process can follow. */
async function measured(testServer: TestServer, wire: Wire, pair: Pair, times: number, choice: Choice) {
  const [first, second]: [number[], number[]] = [[], []]
  const texts = new Set<string>()
  const batch = pair.batch ?? times
  const warmUp = pair.batch === undefined ? WARM_UP : 0
  for (let i = -warmUp; i < times; i++) {
    if (i >= 0 && i % batch === 0) testServer.clock.advance(THROTTLE_SECONDS)
    const isFirst = choice.chance(0.5)
    for (const kind of isFirst
      ? ([pair.first, pair.second] as const)
      : ([pair.second, pair.first] as const)) {
      const { microseconds, status, text } = await wire.time(await kind())
      if (status === 429) throw new Error(`${pair.secret}: a throttle answered in the place of the service`)
      if (i < 0) continue
      ;(kind === pair.first ? first : second).push(microseconds)
      texts.add(text)
    }
  }
  return { first, second, texts }
}

/** Differences up to this size are noise, for answers that take `microseconds`. */
function allowed({ isAboutToken = false }: Pair, whole: number): number {
  return isAboutToken
    ? Math.max(MICROSECONDS, Math.min(OF_TOKENS.most, whole * OF_TOKENS.part))
    : MICROSECONDS
}

/** Where the first two answers part. */
function differenceOf(texts: ReadonlySet<string>): string {
  const [one = "", other] = texts
  if (other === undefined) return ""
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60))
  return `\n  different answers:\n  ${around(one)}\n  ${around(other)}`
}
