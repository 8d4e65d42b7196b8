/**
 * Runs test files with Node's own runner, a few at a time, and counts them together:
 *
 *   node test/run.ts [--postgres GLOB]… GLOB…
 *
 * What `--postgres` names runs once more with its data on PostgreSQL, and is titled so. One server serves the whole run.
 */
import { globSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join, sep } from "node:path"
import { Readable } from "node:stream"
import { run } from "node:test"
import { spec, type TestEvent } from "node:test/reporters"
import { parseArgs } from "node:util"
import { shareServer } from "./support/postgres.ts"
import { holdDefaultPort } from "./support/free-port.ts"

type Pass = {
  readonly files: string[]
  readonly prefix: string
  readonly env: NodeJS.ProcessEnv
  /** How many files run at a time. */
  readonly atOnce: number
}

const FLAGS = [
  // For processes that live for seconds: a fifth of the processor's time goes to tidying up otherwise.
  "--max-semi-space-size=32",
  "--single-threaded-gc",
  // Where localhost has two addresses, a busy machine takes longer than the quarter of a second that one of them is given.
  "--network-family-autoselection-attempt-timeout=10000",
]

/** A file that takes longer hangs. */
const FILE_MILLISECONDS = 300_000

/** What takes longest comes first, so that nothing long is left for the end, when the other processors have no more to do. */
const LONGEST_FIRST = ["proofs", "nodes", "browser", "bench", "clients", "cli", "regress"]

/** What the runner says last about each pass; the passes are summed up once. */
const TOTAL = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ([\d.]+)$/

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { postgres: { type: "string", multiple: true, default: [] } },
})

const startedAt = performance.now()
const aborted = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    process.exitCode = 1
    aborted.abort()
  })

await holdDefaultPort()
const server = await shareServer()
const env = {
  ...process.env,
  // Each file is a process of its own: what one of them has compiled, the next one need not.
  NODE_COMPILE_CACHE: join(import.meta.dirname, "..", "node_modules", ".cache", "node"),
  ...server.environment,
}
// One more than there are processors: a third of the time and more a file waits for a disk, a browser or a server.
const passes: Pass[] = [
  { files: filesOf(positionals), prefix: "", env, atOnce: availableParallelism() + 1 },
  {
    files: server.close === null ? [] : filesOf(values.postgres),
    prefix: "PostgreSQL: ",
    env: { ...env, LATCHKEY_TEST_STORE: "postgres" },
    atOnce: Math.ceil(availableParallelism() / 2) + 1,
  },
]

Readable.from(resultsOf(passes)).compose(new spec()).pipe(process.stdout)

/** The results of all passes as if they were one. They run side by side, and are printed one after the other. */
async function* resultsOf(all: readonly Pass[]): AsyncGenerator<TestEvent> {
  const totals = new Map<string, number>()
  let summary: TestEvent | null = null
  const running = all.filter(({ files }) => files.length > 0).map(resultsOfOne)
  for (const results of running) {
    for await (const event of results) {
      const [, name, count] = (event.type === "test:diagnostic" && TOTAL.exec(event.data.message)) || []
      if (name !== undefined) totals.set(name, (totals.get(name) ?? 0) + Number(count))
      else if (isWhole(event)) summary = event
      else yield event
      if (event.type === "test:fail") {
        process.exitCode = 1
        sayHowItEnded(event.data.name, event.data.details.error)
      }
    }
  }
  await server.close?.()
  totals.set("duration_ms", performance.now() - startedAt)
  for (const [name, count] of totals)
    yield {
      type: "test:diagnostic",
      data: { nesting: 0, message: `${name} ${Number(count.toFixed(3))}`, level: "info" },
    }
  // At the last one, the reporter tells once more what failed.
  if (summary !== null) yield summary
}

/** A file whose process ended badly has no test that says why: its exit code or signal may. */
function sayHowItEnded(
  name: string,
  error: Error & { exitCode?: number | null; signal?: string | null },
): void {
  if ((error.exitCode ?? 0) === 0 && (error.signal ?? null) === null) return
  error.cause = `${String(error.cause)}: ${name}, exit code ${error.exitCode ?? "none"}, signal ${error.signal ?? "none"}`
}

/** Ends a pass; those before it are of single files. */
function isWhole(event: TestEvent): boolean {
  return event.type === "test:summary" && event.data.file === undefined
}

/** Begins at once, whenever its results are read. */
function resultsOfOne({ files, prefix, env: environment, atOnce }: Pass): AsyncIterable<TestEvent> {
  const results = run({
    files,
    concurrency: atOnce,
    env: environment,
    execArgv: FLAGS,
    timeout: FILE_MILLISECONDS,
    signal: aborted.signal,
  })
  return titled(results as AsyncIterable<TestEvent>, prefix)
}

async function* titled(results: AsyncIterable<TestEvent>, prefix: string): AsyncGenerator<TestEvent> {
  for await (const event of results) {
    const { data } = event
    if (data !== undefined && "name" in data && data.nesting === 0)
      Object.assign(data, { name: prefix + data.name })
    yield event
  }
}

function filesOf(globs: readonly string[]): string[] {
  const rank = (file: string) => {
    const at = LONGEST_FIRST.findIndex((folder) => file.split(sep).slice(0, 2).includes(folder))
    return at === -1 ? LONGEST_FIRST.length : at
  }
  return globSync(globs)
    .toSorted()
    .toSorted((one, other) => rank(one) - rank(other))
}
