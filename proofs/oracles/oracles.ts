/** The proof `oracles`: neither a response nor its duration reveals what an attacker must not learn. */
import { TestServer } from "../../test/support/test-server.ts"
import { Choice } from "../choice.ts"
import { type Attempt, type Figures, part, type Proof } from "../proof.ts"
import type { MailConfig } from "../../src/platform/outgoing/smtp/send-mail.ts"
import { type Make, pairs, type Pair } from "./pairs.ts"
import { MAIL, recoveryPairs } from "./recovery-pairs.ts"
import { compare, medianOf } from "./statistic.ts"
import { Wire } from "./wire.ts"

/** Chance alone exceeds this once in three hundred thousand comparisons. */
const Z_AT_MOST = 4.5
/**
 * A row in memory is found two to four microseconds faster than another row. An attacker cannot use this, because an id
 * of 80 random bits or a token cannot be guessed.
 */
const MICROSECONDS = 10
/**
 * The largest allowed difference for a token, in microseconds. On a slower machine, the limit is a fraction of the
 * response time.
 */
const OF_TOKENS = { part: 1 / 8, most: 25 }
/**
 * The duration of the simplest response on the machine where these limits were measured. A machine of half the speed
 * also needs twice the time to find a row.
 */
const SIMPLEST_MICROSECONDS = 80
/** Each kind needs at least this many requests. With fewer, even a real difference cannot reach `Z_AT_MOST`. */
const TIMES_AT_LEAST = 15
/** The number of requests for the control pair, in which one request commits. */
const CONTROL_TIMES_AT_LEAST = 100
/** How many times longer than the first one each further look at the control pair is: on a busy machine 100 may be few. */
const CONTROL_LOOKS = [4, 16]
/** A server that was just started responds more slowly at first. */
const WARM_UP = 200
/** After this time, rate limits have forgotten earlier attempts. */
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
  const all: readonly (readonly [Make, MailConfig | null])[] = [
    ...pairs.map((make) => [make, null] as const),
    ...recoveryPairs.map((make) => [make, MAIL] as const),
  ]
  for (const [make, mail] of all) {
    let looked = await look(attempt, make, mail, choice)
    answers += looked.answers
    // A suspicious pair is measured again. A real difference appears again, and a random one does not.
    for (const longer of looked.isControl ? CONTROL_LOOKS : [1]) {
      if (looked.problem === null) break
      attempt.say(`${looked.secret}: looked at again`)
      looked = await look(attempt, make, mail, choice, longer)
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
  readonly isControl: boolean
  readonly answers: number
  readonly seen: string
  /** A difference that should not be visible, or a missing difference in the control pair. */
  readonly problem: string | null
}

async function look(
  attempt: Attempt,
  make: Make,
  mail: MailConfig | null,
  choice: Choice,
  longer = 1,
): Promise<Looked> {
  const testServer = await serverOf(attempt, mail)
  const wire = await Wire.open(testServer.url)
  try {
    const slowness = await slownessOf(wire)
    const pair = await make(testServer)
    const { secret, isControl = false } = pair
    const times = longer * Math.max(part(attempt, pair.times), isControl ? CONTROL_TIMES_AT_LEAST : 1)
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
      isControl,
      answers: first.length + second.length,
      seen,
      problem: isDistinguishable === isControl ? null : problem,
    }
  } finally {
    wire.close()
    await testServer.close()
  }
}

/** Returns how many times slower this machine is than the machine of these measurements. The result is at least 1. */
async function slownessOf(wire: Wire): Promise<number> {
  const times: number[] = []
  for (let i = -WARM_UP; i < WARM_UP; i++) {
    const { microseconds } = await wire.time({ method: "GET", path: "/oauth/apps/none/icon" })
    if (i >= 0) times.push(microseconds)
  }
  return Math.max(1, medianOf(times) / SIMPLEST_MICROSECONDS)
}

async function serverOf({ engine }: Attempt, mail: MailConfig | null): Promise<TestServer> {
  const testServer = await TestServer.open({ engine, ...(mail !== null && { mail }) })
  await testServer.set("rate_limit.oauth_anonymous", "off")
  return testServer
}

/** Sends both kinds in a random order that nothing else in the process can follow. */
async function measured(testServer: TestServer, wire: Wire, pair: Pair, times: number, choice: Choice) {
  const [first, second]: [number[], number[]] = [[], []]
  const texts = new Set<string>()
  const batch = pair.batch ?? times
  const warmUp = pair.batch === undefined ? WARM_UP : 0
  for (let i = -warmUp; i < times; i++) {
    if (i >= 0 && i % batch === 0) {
      if (pair.pause === undefined) testServer.clock.advance(THROTTLE_SECONDS)
      else await pair.pause()
    }
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

/** Returns the largest difference that counts as noise, for responses that take `microseconds`. */
function allowed({ isAboutToken = false }: Pair, whole: number): number {
  return isAboutToken
    ? Math.max(MICROSECONDS, Math.min(OF_TOKENS.most, whole * OF_TOKENS.part))
    : MICROSECONDS
}

/** Returns where the first two responses begin to differ. */
function differenceOf(texts: ReadonlySet<string>): string {
  const [one = "", other] = texts
  if (other === undefined) return ""
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60))
  return `\n  different answers:\n  ${around(one)}\n  ${around(other)}`
}
