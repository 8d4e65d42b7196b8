/**
 * Tests for a long time what the service promises: `npm run prove -- --help`.
 *
 * The whole length takes hours, and --scale makes each proof shorter. A proof that fails reports its seed, and the
 * others continue. The file of --json gets the results that docs/reliability.md quotes. Results of other proofs from
 * earlier runs are kept.
 */
import { spawnSync } from "node:child_process"
import { randomInt } from "node:crypto"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import {
  amount,
  checkWritable,
  chosen,
  count,
  flagsOf,
  refuse,
  workDirectory,
  writeJson,
} from "../bench/command.ts"
import { stampNow } from "../bench/stamp.ts"
import type { Engine } from "../test/support/database.ts"
import { shareServer } from "../test/support/postgres.ts"
import { Broken, type Proof } from "./proof.ts"
import { proofs } from "./proofs.ts"
import { type Proven, readProven } from "./results.ts"

const width = Math.max(...proofs.map(({ name }) => name.length))
const USAGE = `Usage: npm run prove -- [FLAGS]

Tries for long what the service promises. Without flags all of it, which takes some three hours.

  --only NAME,NAME    these proofs alone
  --engine ENGINE     sqlite or postgres alone (default: each that a proof is for)
  --scale PART        of the whole length (default: 1), above 0; the smaller it is, the less is shown
  --seed NUMBER       makes the choices of an earlier run again (default: any)
  --work DIR          where the proofs keep their files meanwhile (default: the system's directory for such)
  --json FILE         adds what came of it to FILE; docs/reliability/results.json is what npm run prove:report reads
  --help              prints this

Proofs, in the order in which they run:

${proofs.map(({ name, promise, engines: on }) => `  ${name.padEnd(width)} ${on.join(", ").padEnd(17)} ${promise[0]?.toUpperCase()}${promise.slice(1).replace(/\.$/, "")}`).join("\n")}

Exit status: 0 all hold, 1 one is broken, 2 wrong usage, 130 stopped by Ctrl-C.`

const asked = flagsOf(
  {
    only: { type: "string" },
    engine: { type: "string" },
    seed: { type: "string" },
    scale: { type: "string", default: "1" },
    work: { type: "string" },
    json: { type: "string" },
  },
  USAGE,
)
const engines: readonly Engine[] = ["sqlite", "postgres"]
const scale = amount("scale", asked.scale, 1)
const seed = asked.seed === undefined ? randomInt(2 ** 31) : count("seed", asked.seed, 0)
const wanted = {
  proofs: chosen(
    "only",
    asked.only,
    proofs.map((proof) => proof.name),
  ),
  engines: chosen("engine", asked.engine, engines),
}

const runs = proofs
  .filter(({ name }) => wanted.proofs.includes(name))
  .flatMap((proof) =>
    proof.engines.filter((one) => wanted.engines.includes(one)).map((engine) => ({ proof, engine })),
  )
if (runs.length === 0) refuse(`${wanted.proofs.join(", ")} is not for ${wanted.engines.join(", ")}`)
// A problem with the file is found now and not after hours.
if (asked.json !== undefined) {
  checkWritable(asked.json)
  await keep(asked.json, [])
}

// All temporary files are below this directory. PostgreSQL may run as another user, so others may enter it.
const below = asked.work === undefined ? null : workDirectory("prove", asked.work)
const directory = workDirectory("prove")
process.env["TMPDIR"] = directory
const temporary = below === null ? [directory] : [directory, below]
// Each service in this process adds a listener, because its log is flushed when the process ends.
process.setMaxListeners(0)
let server: Awaited<ReturnType<typeof shareServer>> | null = null
for (const [signal, status] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)
  // This listener must come first, because another listener ends the process. PostgreSQL ends with this process.
  process.prependListener(signal, () => {
    console.error("\nStopped. What was made is being removed.")
    for (const dir of temporary) clear(dir)
    process.exit(status)
  })

if (runs.some(({ engine }) => engine === "postgres")) {
  console.log("Starting PostgreSQL.")
  server = await shareServer()
  Object.assign(process.env, server.environment)
}
const results: Proven[] = []
try {
  for (const { proof, engine } of runs) {
    results.push(await tried(proof, engine))
    if (asked.json !== undefined) await keep(asked.json, results)
  }
} finally {
  await server?.close?.()
}
clear(directory)

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
// A child process or a socket that a failed proof left must not keep this process running.
process.exit(broken.length > 0 ? 1 : 0)

async function tried(proof: Proof, engine: Engine): Promise<Proven> {
  const begun = performance.now()
  const elapsed = () => (performance.now() - begun) / 1000
  const say = (line: string) => console.log(`[${elapsed().toFixed(0).padStart(5)} s] ${proof.name}: ${line}`)
  say(`${proof.promise} (${engine}, seed ${seed}, scale ${scale})`)
  const work = mkdtempSync(join(below ?? directory, "latchkey-prove-"))
  let outcome: Pick<Proven, "broken" | "figures">
  try {
    outcome = { broken: null, figures: await proof.prove({ seed, scale, engine, work, say }) }
  } catch (problem) {
    // The stack contains paths of this machine. It is printed, and the results contain only the message.
    console.error(problem)
    outcome = {
      broken: problem instanceof Error ? problem.message : String(problem),
      figures: problem instanceof Broken ? problem.figures : {},
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
    ...stampNow(),
    ...outcome,
  }
}

/** Replaces the results of these proofs in FILE. */
async function keep(file: string, made: readonly Proven[]): Promise<void> {
  const before = readProven(file) ?? []
  const others = before.filter(
    (old) => !made.some(({ proof, engine }) => proof === old.proof && engine === old.engine),
  )
  const order = proofs.map(({ name }) => name)
  const all = [...others, ...made].sort(
    (a, b) =>
      order.indexOf(a.proof) - order.indexOf(b.proof) ||
      engines.indexOf(a.engine) - engines.indexOf(b.engine),
  )
  await writeJson(file, all)
}

/** Removes a directory with everything below it, including mounts. */
function clear(dir: string): void {
  const mounts = existsSync("/proc/mounts") ? readFileSync("/proc/mounts", "utf8").split("\n") : []
  for (const line of mounts) {
    const mounted = line.split(" ")[1] ?? ""
    if (mounted.startsWith(`${dir}/`)) spawnSync("umount", ["-l", mounted])
  }
  rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}
