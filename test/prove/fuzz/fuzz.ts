/** Hostile input: a million requests that were spoiled on purpose, on connections that keep to no rule. */
import { readdirSync } from "node:fs"
import { usageOf } from "../../../bench/server-process.ts"
import { databaseIn } from "../../support/database.ts"
import { SpawnedServer, within } from "../../support/spawn.ts"
import { type Attempt, type Figures, part, type Proof } from "../proof.ts"
import { type Case, Cases } from "./cases.ts"
import { Lane } from "./lane.ts"
import { Ledger } from "./ledger.ts"
import { validRequests } from "./valid.ts"
import { newWorld, type World } from "./world.ts"

const REQUESTS = 1_000_000
const LANES = 24
const TOGETHER = 12
/** A world is spoiled after so many. */
const EPOCH = 20_000

export const fuzz: Proof = {
  name: "fuzz",
  promise: "No input makes the service fail, hang, grow, or say what it should not",
  engines: ["sqlite"],
  prove,
}

async function prove(attempt: Attempt): Promise<Figures> {
  return within(async (span) => {
    const { work: dir, engine, seed, say } = attempt
    await databaseIn(dir, engine)
    const server = await SpawnedServer.start(span, dir, { LATCHKEY_TRUSTED_PROXIES: "127.0.0.0/8" })
    const { url, pid } = server
    const listening = { url, origin: url }
    const port = Number(new URL(url).port)
    const ledger = new Ledger(seed)
    const total = part(attempt, REQUESTS)
    const begun = performance.now()
    for (let from = 0, number = 0; from < total; from += EPOCH, number++) {
      const world = await newWorld(listening, dir, number)
      const drafts = await validRequests(world)
      const cases = new Cases(seed, port, drafts)
      if (number === 0) say(`${drafts.length} valid requests to begin with`)
      await epoch(cases, from, Math.min(total, from + EPOCH), port, ledger, world)
      const seconds = (performance.now() - begun) / 1000
      say(
        `${ledger.answers} answers, ${Math.round(ledger.answers / seconds)}/s, ${Math.round(usageOf(pid).residentMiB)} MiB, cpu ${((usageOf(pid).cpuSeconds * 1000) / ledger.answers).toFixed(2)} ${(process.cpuUsage().user / 1000 / ledger.answers).toFixed(2)}`,
      )
    }
    if (ledger.problems.size > 0)
      throw new Error(`${ledger.broken} times:\n${[...ledger.problems.values()].join("\n\n")}`)
    console.log(readdirSync(`/proc/${pid}/fd`).length)
    return { answers: ledger.answers, ...Object.fromEntries(ledger.classes), connections: ledger.connections }
  })
}

async function epoch(
  cases: Cases,
  from: number,
  to: number,
  port: number,
  ledger: Ledger,
  world: World,
): Promise<void> {
  let next = from
  const take = () => {
    const taken: Case[] = []
    while (taken.length < TOGETHER && next < to) taken.push(cases.at(next++))
    return taken
  }
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      const lane = new Lane(port, ledger)
      let left: readonly Case[] = take()
      try {
        while (left.length > 0) {
          left = await lane.send(left, world).catch((problem: unknown) => {
            ledger.keep(problem)
            lane.close()
            return []
          })
          if (left.length === 0) left = take()
        }
      } finally {
        lane.close()
      }
    }),
  )
}
