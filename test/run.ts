/**
 * Runs test files with Node's own runner, a few at a time, and adds up their results:
 *
 *   node test/run.ts [--postgres GLOB]… GLOB…
 *
 * Files that `--postgres` names run a second time with PostgreSQL, and their titles say so. One server is used for the
 * whole run.
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
  /** The number of files that run at the same time. */
  readonly atOnce: number
}

const FLAGS = [
  // The processes live only for seconds. Otherwise they would spend a fifth of the processor time on garbage
  // collection.
  "--max-semi-space-size=32",
  "--single-threaded-gc",
  // If localhost has two addresses, Node gives one of them only a quarter of a second. On a busy machine, that is too
  // short.
  "--network-family-autoselection-attempt-timeout=10000",
]

/** After this time, a file counts as stuck. */
const FILE_MILLISECONDS = 300_000

/** The longest files come first, so that no long file is left for the end while other processors are idle. */
const LONGEST_FIRST = ["proofs", "nodes", "browser", "bench", "clients", "cli", "regress"]

/** The runner's summary lines after each pass. The results of all passes are added up. */
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
  // Each file runs in its own process. With this cache, code is compiled only once.
  NODE_COMPILE_CACHE: join(import.meta.dirname, "..", "node_modules", ".cache", "node"),
  ...server.environment,
}
// One file more than there are processors runs at a time. A file spends more than a third of its time waiting for a
// disk, a browser or a server.
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

/**
 * Yields the results of all passes as if they were one. Passes run side by side and are printed one after the other.
 */
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
  // At the last summary, the reporter lists all failures again.
  if (summary !== null) yield summary
}

/** Reports a file whose process failed. No test says why, but its exit code or signal may. */
function sayHowItEnded(
  name: string,
  error: Error & { exitCode?: number | null; signal?: string | null },
): void {
  if ((error.exitCode ?? 0) === 0 && (error.signal ?? null) === null) return
  error.cause = `${String(error.cause)}: ${name}, exit code ${error.exitCode ?? "none"}, signal ${error.signal ?? "none"}`
}

/** Whether the event ends a pass. Earlier summaries belong to single files. */
function isWhole(event: TestEvent): boolean {
  return event.type === "test:summary" && event.data.file === undefined
}

/** Starts the pass at once, even if its results are read later. */
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
