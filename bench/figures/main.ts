/**
 * Measures the figures of docs/performance.md that are not throughput:
 *
 *   npm run bench:figures -- [--only journey,felt,writes,footprint,nodes] [--rounds N] [--seconds N] [--alone]
 *                            [--work DIR] [--json FILE]
 *
 * With --alone, Hydra and Keycloak are left out. Parts of FILE that this run does not measure stay as they are.
 * `npm run bench:report` writes docs/performance/figures.json into the page.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { format } from "prettier"
import { machineOf } from "../machine.ts"
import { say } from "../measure.ts"
import type { Context } from "./context.ts"
import { measureFootprint } from "./footprint/footprint.ts"
import { measureJourneys } from "./journey/journey.ts"
import { measureFelt } from "./felt/felt.ts"
import { full, type Length, tiny } from "./lengths.ts"
import { measureWrites } from "./writes/writes.ts"
import { measureNodes } from "./nodes.ts"
import { type AllFigures, parts } from "./results.ts"

const { values: asked } = parseArgs({
  options: {
    only: { type: "string", default: parts.join(",") },
    rounds: { type: "string" },
    seconds: { type: "string" },
    alone: { type: "boolean", default: false },
    tiny: { type: "boolean", default: false },
    work: { type: "string" },
    json: { type: "string" },
  },
})
const measures: { readonly [P in (typeof parts)[number]]: (context: Context) => Promise<object> } = {
  journey: measureJourneys,
  felt: measureFelt,
  writes: measureWrites,
  footprint: measureFootprint,
  nodes: measureNodes,
}
const wanted = asked.only.split(",")
const unknown = wanted.find((name) => !parts.some((part) => part === name))
if (unknown !== undefined) {
  console.error(`--only: ${parts.join(", ")}; not "${unknown}"`)
  process.exit(2)
}
if (asked.work !== undefined) mkdirSync(asked.work, { recursive: true })
const base = mkdtempSync(join(asked.work ?? tmpdir(), "latchkey-figures-"))
// PostgreSQL may run as another user.
chmodSync(base, 0o711)
process.once("exit", () => rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))

for (const part of parts.filter((one) => wanted.includes(one))) {
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
    length: lengthOf(asked.tiny ? tiny : full),
    withPeers: !asked.alone && !asked.tiny,
    missing: [],
    postgres: null,
  }
  const measured = await measures[part](context)
  return {
    at: new Date().toISOString(),
    minutes: Math.round((performance.now() - begun) / 6000) / 10,
    machine: machineOf(work),
    postgres: context.postgres,
    missing: context.missing,
    ...measured,
  }
}

/** Other parts of the file stay as they are. */
async function save(file: string, measured: { readonly [part: string]: object }): Promise<void> {
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as AllFigures) : {}
  const all = JSON.stringify({ ...before, ...measured })
  writeFileSync(file, await format(all, { parser: "json", printWidth: 110 }))
}

/** --rounds and --seconds apply to every part. */
function lengthOf(length: Length): Length {
  const { rounds, seconds } = asked
  const changed = Object.entries(length).map(([part, of]) => [
    part,
    {
      ...of,
      ...(rounds !== undefined && { rounds: Number(rounds) }),
      ...(seconds !== undefined && { seconds: Number(seconds) }),
    },
  ])
  return Object.fromEntries(changed) as Length
}
