/**
 * Measures the figures of docs/performance.md that are not throughput:
 *
 *   npm run bench:figures -- [--only journey,felt,writes,footprint,nodes] [--rounds N] [--seconds N] [--starts 20]
 *                            [--alone] [--work DIR] [--json FILE]
 *
 * `felt` has neither rounds nor seconds. `footprint` starts a server twice in each round, and Latchkey on each engine
 * --starts times in all; with --rounds, there are no starts beyond those of the rounds unless --starts asks for them.
 * With --alone, Hydra and Keycloak are left out. Parts of FILE that this run does not measure stay as they are.
 * `npm run bench:report` writes docs/performance/figures.json into the page.
 */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import {
  amount,
  chosen,
  count,
  flagsOf,
  optional,
  readJson,
  resultFile,
  workDirectory,
  writeJson,
} from "../command.ts"
import { machineOf } from "../machine.ts"
import { say } from "../measure.ts"
import { stampNow } from "../stamp.ts"
import type { Context } from "./context.ts"
import { measureFootprint } from "./footprint/footprint.ts"
import { measureJourneys } from "./journey/journey.ts"
import { measureFelt } from "./felt/felt.ts"
import { full, type Length, tiny } from "./lengths.ts"
import { measureWrites } from "./writes/writes.ts"
import { measureNodes } from "./nodes.ts"
import { type AllFigures, parts } from "./results.ts"

const asked = flagsOf({
  only: { type: "string" },
  rounds: { type: "string" },
  seconds: { type: "string" },
  starts: { type: "string" },
  alone: { type: "boolean", default: false },
  tiny: { type: "boolean", default: false },
  work: { type: "string" },
  json: { type: "string" },
})
const measures: { readonly [P in (typeof parts)[number]]: (context: Context) => Promise<object> } = {
  journey: measureJourneys,
  felt: measureFelt,
  writes: measureWrites,
  footprint: measureFootprint,
  nodes: measureNodes,
}
const wanted = chosen("only", asked.only, parts)
const length = lengthOf(asked.tiny ? tiny : full)
resultFile(asked.json)
const base = workDirectory("figures", asked.work)

for (const part of wanted) {
  say(part)
  const measured = await measure(part)
  console.dir(measured, { depth: null })
  if (asked.json !== undefined) await save(asked.json, { [part]: measured })
}

async function measure(part: (typeof parts)[number]): Promise<object> {
  const begun = performance.now()
  const work = join(base, part)
  mkdirSync(work)
  const context: Context = {
    work,
    length,
    withPeers: !asked.alone && !asked.tiny,
    missing: [],
    postgres: null,
  }
  const measured = await measures[part](context)
  return {
    ...stampNow(),
    minutes: Math.round((performance.now() - begun) / 6000) / 10,
    machine: machineOf(work),
    postgres: context.postgres,
    missing: context.missing,
    ...measured,
  }
}

/** Other parts of the file stay as they are. */
async function save(file: string, measured: { readonly [part: string]: object }): Promise<void> {
  await writeJson(file, { ...readJson<AllFigures>(file), ...measured })
}

function lengthOf({ journey, felt, writes, footprint, nodes }: Length): Length {
  const rounds = optional(count, "rounds", asked.rounds)
  const seconds = optional(amount, "seconds", asked.seconds)
  const starts = optional(count, "starts", asked.starts) ?? (rounds === undefined ? footprint.starts : 0)
  const changed = { ...(rounds !== undefined && { rounds }), ...(seconds !== undefined && { seconds }) }
  return {
    journey: { ...journey, ...changed },
    felt,
    writes: { ...writes, ...changed },
    footprint: { ...footprint, ...changed, starts },
    nodes: { ...nodes, ...changed },
  }
}
