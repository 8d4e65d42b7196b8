/**
 * Tries for long what the service promises:
 *
 *   npm run prove -- [--only kill,fuzz] [--engine sqlite|postgres] [--seed N] [--scale 0.1] [--work DIR] [--json FILE]
 *
 * Everything at its whole length takes hours; --scale makes each proof shorter. A proof that fails says with which seed,
 * and the others go on. FILE gets the figures that docs/reliability.md quotes; what an earlier run wrote there of other
 * proofs stays.
 */
import { randomInt } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { format } from "prettier"
import type { Engine } from "../support/database.ts"
import { shareServer } from "../support/postgres.ts"
import type { Figures, Proof } from "./proof.ts"
import { proofs } from "./proofs.ts"

export type Proven = {
  readonly proof: string
  readonly engine: Engine
  readonly seed: number
  readonly scale: number
  readonly seconds: number
  readonly at: string
  /** What was seen where the promise did not hold. */
  readonly broken: string | null
  readonly figures: Figures
}

const { values: asked } = parseArgs({
  options: {
    only: { type: "string" },
    engine: { type: "string" },
    seed: { type: "string" },
    scale: { type: "string", default: "1" },
    work: { type: "string" },
    json: { type: "string" },
  },
})
const engines: readonly Engine[] = ["sqlite", "postgres"]
const scale = numberOf("scale", asked.scale)
const seed = asked.seed === undefined ? randomInt(2 ** 31) : numberOf("seed", asked.seed)
const wanted = {
  proofs: chosen(
    "only",
    asked.only,
    proofs.map((proof) => proof.name),
  ),
  engines: chosen("engine", asked.engine, engines),
}

const server = wanted.engines.includes("postgres") ? await shareServer() : null
Object.assign(process.env, server?.environment)
const results: Proven[] = []
try {
  for (const proof of proofs.filter(({ name }) => wanted.proofs.includes(name)))
    for (const engine of proof.engines.filter((one) => wanted.engines.includes(one))) {
      results.push(await tried(proof, engine))
      if (asked.json !== undefined) await keep(asked.json, results)
    }
} finally {
  await server?.close?.()
}

console.log("")
for (const { proof, engine, seconds, broken, figures } of results) {
  console.log(`${broken === null ? "holds " : "BROKEN"}  ${proof} on ${engine}, ${Math.round(seconds)} s`)
  for (const [name, figure] of Object.entries(figures))
    console.log(`          ${name}: ${figure.toLocaleString("en")}`)
}
const broken = results.filter((result) => result.broken !== null)
for (const { proof, engine, seed: used, scale: part, broken: why } of broken)
  console.error(
    `\n${proof} on ${engine}: ${why}\n  again: npm run prove -- --only ${proof} --engine ${engine} --seed ${used} --scale ${part}`,
  )
// A child or a socket that a broken proof left must not keep this process.
process.exit(broken.length > 0 || results.length === 0 ? 1 : 0)

async function tried(proof: Proof, engine: Engine): Promise<Proven> {
  const begun = performance.now()
  const elapsed = () => (performance.now() - begun) / 1000
  const say = (line: string) => console.log(`[${elapsed().toFixed(0).padStart(5)} s] ${proof.name}: ${line}`)
  say(`${proof.promise} (${engine}, seed ${seed}, scale ${scale})`)
  if (asked.work !== undefined) mkdirSync(asked.work, { recursive: true })
  const work = mkdtempSync(join(asked.work ?? tmpdir(), "latchkey-prove-"))
  let outcome: Pick<Proven, "broken" | "figures">
  try {
    outcome = { broken: null, figures: await proof.prove({ seed, scale, engine, work, say }) }
  } catch (problem) {
    outcome = {
      broken: problem instanceof Error ? (problem.stack ?? problem.message) : String(problem),
      figures: {},
    }
    say("BROKEN")
  }
  rmSync(work, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  return {
    proof: proof.name,
    engine,
    seed,
    scale,
    seconds: Math.round(elapsed()),
    at: new Date().toISOString(),
    ...outcome,
  }
}

/** Replaces what FILE says of these proofs. */
async function keep(file: string, made: readonly Proven[]): Promise<void> {
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Proven[]) : []
  const others = before.filter(
    (old) => !made.some(({ proof, engine }) => proof === old.proof && engine === old.engine),
  )
  const order = proofs.map(({ name }) => name)
  const all = [...others, ...made].sort(
    (a, b) =>
      order.indexOf(a.proof) - order.indexOf(b.proof) ||
      engines.indexOf(a.engine) - engines.indexOf(b.engine),
  )
  writeFileSync(file, await format(JSON.stringify(all), { parser: "json", printWidth: 110 }))
}

function chosen<T extends string>(flag: string, text: string | undefined, all: readonly T[]): readonly T[] {
  if (text === undefined) return all
  const names = text.split(",")
  const unknown = names.find((name) => !all.some((one) => one === name))
  if (unknown === undefined) return all.filter((one) => names.includes(one))
  console.error(`--${flag}: ${all.join(", ")}; not "${unknown}"`)
  process.exit(2)
}

function numberOf(flag: string, text: string): number {
  const number = Number(text)
  if (text !== "" && number >= 0 && Number.isFinite(number)) return number
  console.error(`--${flag} is a number, not "${text}"`)
  process.exit(2)
}
