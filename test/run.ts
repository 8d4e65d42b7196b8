/**
 * Runs test files with Node's own runner, a few at a time, and counts them together:
 *
 *   node test/run.ts [--postgres GLOB]… GLOB…
 *
 * What `--postgres` names runs once more with its data on PostgreSQL, and is titled so. One server serves the whole run.
 */
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { run } from "node:test"
import { spec, type TestEvent } from "node:test/reporters"
import { parseArgs } from "node:util"
import { shareServer } from "./support/postgres.ts"

type Pass = { readonly globs: string[]; readonly prefix: string; readonly env: NodeJS.ProcessEnv }

/** A file that takes longer hangs. */
const FILE_MILLISECONDS = 300_000

/** What the runner says last about each pass; all passes together are told once. */
const TOTAL = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ([\d.]+)$/

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { postgres: { type: "string", multiple: true, default: [] } },
})

const aborted = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    process.exitCode = 1
    aborted.abort()
  })

const server = await shareServer()
const env = {
  ...process.env,
  // Each file is a process of its own: what one of them has compiled, the next one need not.
  NODE_COMPILE_CACHE: join(import.meta.dirname, "..", "node_modules", ".cache", "node"),
  ...server.environment,
}
const passes: Pass[] = positionals.length === 0 ? [] : [{ globs: positionals, prefix: "", env }]
if (values.postgres.length > 0 && server.close !== null)
  passes.push({
    globs: values.postgres,
    prefix: "PostgreSQL: ",
    env: { ...env, LATCHKEY_TEST_STORE: "postgres" },
  })

Readable.from(resultsOf(passes)).compose(new spec()).pipe(process.stdout)

/** The results of all passes, one after the other, as if they were one. */
async function* resultsOf(all: readonly Pass[]): AsyncGenerator<TestEvent> {
  const totals = new Map<string, number>()
  let summary: TestEvent | null = null
  for (const pass of all) {
    for await (const event of resultsOfOne(pass)) {
      const [, name, count] = (event.type === "test:diagnostic" && TOTAL.exec(event.data.message)) || []
      if (name !== undefined) totals.set(name, (totals.get(name) ?? 0) + Number(count))
      else if (isWhole(event)) summary = event
      else yield event
      if (event.type === "test:fail") process.exitCode = 1
    }
  }
  await server.close?.()
  for (const [name, count] of totals)
    yield {
      type: "test:diagnostic",
      data: { nesting: 0, message: `${name} ${Number(count.toFixed(3))}`, level: "info" },
    }
  // At the last one, the reporter tells once more what failed.
  if (summary !== null) yield summary
}

/** Ends a pass; those before it are of single files. */
function isWhole(event: TestEvent): boolean {
  return event.type === "test:summary" && event.data.file === undefined
}

async function* resultsOfOne(pass: Pass): AsyncGenerator<TestEvent> {
  const results = run({
    globPatterns: pass.globs,
    // Two more than there are processors: a third of the time and more a file waits for a disk, a browser or a server.
    concurrency: availableParallelism() + 2,
    env: pass.env,
    timeout: FILE_MILLISECONDS,
    signal: aborted.signal,
  })
  for await (const event of results as AsyncIterable<TestEvent>) {
    const { data } = event
    if (data !== undefined && "name" in data && data.nesting === 0)
      Object.assign(data, { name: pass.prefix + data.name })
    yield event
  }
}
