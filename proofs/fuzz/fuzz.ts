/**
 * Sends hostile input: requests that are spoiled on purpose, on connections that follow no rule.
 *
 * 1. There are several worlds, one after the other. Each has accounts, apps and credentials, and the valid requests
 * that they allow. Many spoiled requests are derived from these and sent from many addresses. Spoiled requests are also
 * sent for grants that must survive them.
 * 2. Meanwhile, some connections never end, and others request /health.
 * 3. The same happens with every rate limit enabled, from three addresses.
 * 4. The end checks connections, memory and the log.
 *
 * `LATCHKEY_FUZZ_CASE=N` sends only case N of the seed and shows the result.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { until } from "../../test/support/until.ts"
import { databaseIn } from "../../test/support/database.ts"
import { done, SpawnedServer, within } from "../../test/support/spawn.ts"
import { type Attempt, type Figures, part, type Proof } from "../proof.ts"
import { type Case, Cases } from "./cases.ts"
import { Census } from "./census.ts"
import { Connection } from "./connection.ts"
import { PAGES_AT_MOST } from "./crawl.ts"
import type { Draft } from "./draft.ts"
import { newKeeper, tryGrants } from "./grants.ts"
import { Lane } from "./lane.ts"
import { Ledger } from "./ledger.ts"
import { INSPECTED, liveMiB } from "./live-memory.ts"
import { MADE_UP } from "./oracle.ts"
import { slowOnes, trySlow } from "./slow.ts"
import { validRequests } from "./valid.ts"
import { CONFIGURATION, newWorld, type World } from "./world.ts"

const REQUESTS = 1_000_000
/** The fraction of requests that are sent with every rate limit enabled. */
const HELD_BACK = 0.1
const LANES = 32
/** `fetch` keeps this many connections for later use. */
const OWN_SOCKETS = 10
const TOGETHER = 12
/** A world is replaced after this many requests. */
const WORLD_REQUESTS = 25_000
/** One page is checked for this many requests, up to a maximum number of pages. */
const PAGE_REQUESTS = 50
/** This small limit is reached at once. The normal limit would take an afternoon. */
const SMALL_BUDGET = "5/60"
const FEW_ADDRESSES = 1
/** The fraction of a world's requests that is used for each kind of grant. */
const GRANT_REQUESTS = 0.03

/**
 * The number of slow connections of each kind. In a short run, those that wait for the service's own timeouts are left
 * out.
 */
const SLOW = 100
const SLOW_TOGETHER = 25
/** This many characters are shown from the log of a service that ended. */
const SAID_LAST = 8000
const PROGRESS_MILLISECONDS = 20_000
const PATIENT_FROM_SCALE = 0.1
/**
 * The allowed growth of live memory between the first world and the end of the run. Bounded tables may still fill in
 * this time, and they take 95 MiB when all are full (docs/operating.md). A leak of 34 bytes per request would exceed
 * this limit.
 */
const LIVE_MEBIBYTES_MORE = 32

export const fuzz: Proof = {
  name: "fuzz",
  promise: "No input makes the service fail, hang, grow, or say what it should not",
  engines: ["sqlite"],
  prove,
}

function prove(attempt: Attempt): Promise<Figures> {
  return within(async (span) => {
    await databaseIn(attempt.work, attempt.engine)
    writeFileSync(join(attempt.work, "latchkey.yaml"), CONFIGURATION)
    const environment = { LATCHKEY_TRUSTED_PROXIES: "127.0.0.0/8", ...INSPECTED }
    const server = await SpawnedServer.start(span, attempt.work, environment)
    const run = new Run(attempt, server)
    const progress = setInterval(() => attempt.say(run.progress), PROGRESS_MILLISECONDS)
    span.after(() => clearInterval(progress))
    const only = process.env["LATCHKEY_FUZZ_CASE"]
    return Promise.race([only === undefined ? run.all() : run.one(Number(only)), ended(server)])
  })
}

/** Rejects with the last output if the service ends before it is stopped. */
async function ended(server: SpawnedServer): Promise<never> {
  const { code, signal } = await server.exited
  throw new Error(`the service ended with ${code ?? signal}: ${server.stderr.slice(-SAID_LAST)}`)
}

class Run {
  readonly #attempt: Attempt
  readonly #server: SpawnedServer
  readonly #port: number
  readonly #ledger: Ledger
  readonly #census: Census
  readonly #secrets = new Set<string>()
  #slow = 0
  #worlds = 0
  #next = 0
  /** The live memory in MiB after the first world. */
  #liveEarly = 0
  #last: { readonly world: World; readonly drafts: readonly Draft[] } | null = null

  constructor(attempt: Attempt, server: SpawnedServer) {
    this.#attempt = attempt
    this.#server = server
    this.#port = Number(new URL(server.url).port)
    this.#ledger = new Ledger(attempt)
    this.#census = new Census(server.pid, this.#port)
  }

  async all(): Promise<Figures> {
    const { say } = this.#attempt
    const total = part(this.#attempt, REQUESTS)
    const begun = performance.now()
    const sockets = this.#census.sockets
    this.#census.begin()
    const slow = this.#sendSlowly()
    slow.catch((problem: unknown) => say(`BROKEN: ${String(problem)}`))
    const unbounded = Math.ceil(total * (1 - HELD_BACK))
    while (this.#next < unbounded) await this.#inNewWorld(Math.min(WORLD_REQUESTS, unbounded - this.#next))
    await this.#heldBack(total - unbounded)
    say("waiting for the slow ones")
    if (this.#ledger.problems.size > 0)
      throw new Error(`${this.#ledger.broken} times:\n${[...this.#ledger.problems.values()].join("\n\n")}`)
    await slow
    await this.#census.end()
    await until(
      () => this.#census.sockets <= sockets + OWN_SOCKETS,
      "every connection is closed at the end",
      20_000,
    )
    this.#checkLog()
    const live = await liveMiB(this.#server)
    this.#checkMemory(live)
    const seconds = (performance.now() - begun) / 1000
    return {
      ...this.#ledger.figures,
      worlds: this.#worlds,
      "endless or slow connections": this.#slow,
      "slowest answer to GET /health beside it, ms": Math.round(this.#census.slowestHealth),
      "answers a second": Math.round(this.#ledger.answers / seconds),
      "memory in the second tenth, MiB": this.#census.memory(0.1, 0.2),
      "memory in the last tenth, MiB": this.#census.memory(0.9, 1),
      "memory at its peak, MiB": this.#census.peak,
      "of it alive after the first world, MiB": this.#liveEarly,
      "of it alive at the end, MiB": live,
    }
  }

  get progress(): string {
    const { answers, broken, problems } = this.#ledger
    const wrong = broken === 0 ? "" : `, BROKEN ${broken} times: ${[...problems.keys()].join("; ")}`
    return `${answers} answers, ${this.#slow} slow connections, ${this.#census.now} MiB${wrong}`
  }

  get #place() {
    const { url } = this.#server
    return { url, origin: url, hasServer: this.#attempt.engine === "postgres" }
  }

  /** Sends only one case. */
  async one(number: number): Promise<Figures> {
    const world = await newWorld(this.#place, this.#attempt.work, 0)
    const one = new Cases(this.#attempt.seed, this.#port, await validRequests(world, PAGES_AT_MOST)).at(
      number,
    )
    this.#attempt.say(`${one.name}: ${JSON.stringify(one.bytes)}`)
    const connection = await Connection.open(this.#port)
    connection.write(one.bytes)
    const answer = await connection.answer(one.method, 5000)
    this.#attempt.say(
      answer === null || answer === undefined ? "no answer" : `${answer.head}\n\n${answer.body}`,
    )
    connection.close()
    await new Lane(this.#port, this.#ledger).send([one], world)
    return this.#ledger.figures
  }

  async #inNewWorld(count: number): Promise<void> {
    const { work, seed, say } = this.#attempt
    const server = this.#place
    const world = await newWorld(server, work, this.#worlds++)
    const drafts = await validRequests(world, Math.ceil(count / PAGE_REQUESTS))
    const keeper = await newKeeper(server, work, this.#worlds)
    for (const secret of [...world.secrets, keeper.person.session, keeper.kept.access_token, keeper.jwt])
      this.#secrets.add(secret)
    this.#last = { world, drafts }
    const lane = new Lane(this.#port, this.#ledger)
    const run = { server, port: this.#port, seed, ledger: this.#ledger }
    const from = this.#next
    const grants = tryGrants(run, lane, world, keeper, drafts, from, Math.ceil(count * GRANT_REQUESTS))
    await Promise.all([
      this.#send(new Cases(seed, this.#port, drafts), count, world),
      grants.catch((problem: unknown) => this.#ledger.keep(problem)),
    ])
    lane.close()
    await this.#checkKept(keeper.kept.access_token)
    if (this.#worlds === 1) this.#liveEarly = await liveMiB(this.#server)
    say(`${drafts.length} valid requests were spoiled: ${this.progress}`)
  }

  /** Sends this many requests in the last world, with the rate limits of a few addresses. */
  async #heldBack(count: number): Promise<void> {
    if (this.#last === null) return
    const { world, drafts } = this.#last
    await done(this.#attempt.work, ["setting", "set", "rate_limit.oauth_anonymous", SMALL_BUDGET])
    await until(() => this.#isHeldBack(), "the budget is in force")
    await this.#send(new Cases(this.#attempt.seed, this.#port, drafts, FEW_ADDRESSES), count, world)
    this.#attempt.say(`${this.#ledger.heldBack} answers with a wait`)
  }

  async #isHeldBack(): Promise<boolean> {
    const answer = await fetch(`${this.#server.url}/oauth/revoke`, { method: "POST" })
    await answer.text()
    return answer.status === 429
  }

  async #send(cases: Cases, count: number, world: World): Promise<void> {
    const end = this.#next + count
    const take = () => {
      const taken: Case[] = []
      while (taken.length < TOGETHER && this.#next < end) taken.push(cases.at(this.#next++))
      return taken
    }
    const work = async () => {
      const lane = new Lane(this.#port, this.#ledger)
      try {
        for (let left: readonly Case[] = take(); left.length > 0; left = left.length === 0 ? take() : left)
          left = await lane.send(left, world).catch((problem: unknown) => {
            this.#ledger.keep(problem)
            lane.close()
            return []
          })
      } finally {
        lane.close()
      }
    }
    await Promise.all(Array.from({ length: LANES }, work))
  }

  async #sendSlowly(): Promise<void> {
    const isPatient = this.#attempt.scale >= PATIENT_FROM_SCALE
    const times = Math.max(2, part(this.#attempt, SLOW))
    const tries = slowOnes
      .filter((one) => isPatient || !one.isPatient)
      .flatMap((one) => Array.from({ length: times }, () => one))
    const work = async () => {
      for (let one = tries.pop(); one !== undefined; one = tries.pop()) {
        await trySlow(one, this.#port)
        this.#slow++
      }
    }
    await Promise.all(Array.from({ length: isPatient ? SLOW_TOGETHER * 8 : SLOW_TOGETHER }, work))
  }

  /** Checks a credential that no request concerned. */
  async #checkKept(token: string): Promise<void> {
    const answer = await fetch(`${this.#server.url}/api/credential`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (answer.status !== 200 && answer.status !== 403)
      throw new Error(`an untouched credential answers ${answer.status} ${await answer.text()}`)
    await answer.text()
  }

  #checkLog(): void {
    const { stderr } = this.#server
    for (const secret of this.#secrets)
      if (secret !== "" && stderr.includes(secret)) throw new Error(`the log holds ${secret.slice(0, 8)}…`)
    const token = stderr.match(/(?<![\w-])lk[arcds]_[\w-]{30,}/g)?.find((text) => !MADE_UP.test(text))
    if (token !== undefined) throw new Error(`the log holds ${token.slice(0, 8)}…`)
    const jwt = /eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{40,}/.exec(stderr)
    if (jwt !== null) throw new Error(`the log holds ${jwt[0].slice(0, 24)}…`)
    const fault = stderr.split("\n").find((line) => /"level":(?:"error"|"fatal")|"fault/.test(line))
    if (fault !== undefined) throw new Error(`a fault in the log: ${fault.slice(0, 2000)}`)
  }

  /**
   * Checks memory. The service may take what it needs at first, but it must not grow after that, however long the run
   * lasts. Live memory shows what a request or connection leaves behind. Resident memory also includes garbage and
   * reused blocks.
   */
  #checkMemory(live: number): void {
    if (!(live <= this.#liveEarly + LIVE_MEBIBYTES_MORE))
      throw new Error(`${this.#liveEarly} MiB were alive after the first world, ${live} at the end`)
    if (this.#attempt.scale < PATIENT_FROM_SCALE) return
    const [early, late] = [this.#census.memory(0.1, 0.3), this.#census.memory(0.9, 1)]
    if (late > early * 1.25 + 32) throw new Error(`memory grew from ${early} to ${late} MiB`)
  }
}
