/**
 * Measures how many commits PostgreSQL alone can make. pgbench rewrites rows by key in a table as wide as `credential`.
 * It writes one row per commit, like a single refresh, or many rows per commit, like a group of refreshes.
 */
import { spawnSync } from "node:child_process"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import pg from "pg"
import { say } from "./measure.ts"
import type { CommitRate } from "./results.ts"
import { printedBy, startAlone } from "./server-process.ts"

const ROWS = 20_000
/** The bytes of a row of `credential`. */
export const WIDTH = 420
const CASES = [
  { clients: 1, rows: 1 },
  { clients: 64, rows: 1 },
  { clients: 8, rows: 8 },
  { clients: 4, rows: 32 },
] as const

/** Returns null if this machine has no pgbench. */
export async function measureCommits(
  url: string,
  work: string,
  seconds: number,
): Promise<readonly CommitRate[]> {
  const pgbench = pgbenchHere()
  if (pgbench === null) {
    say("no pgbench on this machine: the commit rate of PostgreSQL alone is not measured")
    return []
  }
  await fillProbe(url)
  const rates: CommitRate[] = []
  for (const { clients, rows } of CASES) {
    const script = join(work, `commit-${rows}.sql`)
    writeFileSync(script, scriptFor(rows))
    const args = ["-n", "-M", "prepared", "-c", String(clients), "-j", "1", "-T", String(Math.ceil(seconds))]
    const text = await printedBy(
      startAlone("any", [pgbench, ...args, "-f", script, url], { log: join(work, "pgbench.log") }),
    )
    const read = (pattern: RegExp) => Number(pattern.exec(text)?.[1])
    const commitsPerSecond = read(/tps = ([\d.]+)/)
    const milliseconds = read(/latency average = ([\d.]+)/)
    if (Number.isNaN(commitsPerSecond)) {
      say(`pgbench with ${clients} clients did not get to commit: ${text.slice(-300)}`)
      continue
    }
    rates.push({
      clients,
      rowsACommit: rows,
      commitsPerSecond,
      rowsPerSecond: commitsPerSecond * rows,
      milliseconds,
    })
    say(
      `pgbench, ${clients} clients, ${rows} rows a commit: ${Math.round(commitsPerSecond)} commits a second`,
    )
  }
  return rates
}

async function fillProbe(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`
      CREATE TABLE probe (id integer PRIMARY KEY, version bigint NOT NULL, life text NOT NULL) WITH (fillfactor = 80);
      INSERT INTO probe SELECT i, 0, repeat(md5(i::text), 14) FROM generate_series(1, ${ROWS}) AS i`)
    await client.query("VACUUM ANALYZE probe")
  } finally {
    await client.end()
  }
}

/**
 * Builds a script for pgbench. It writes rows that are as wide as a credential, and rewrites as much of a row as a
 * refresh does.
 */
function scriptFor(rows: number): string {
  const names = Array.from({ length: rows }, (_, i) => `id${i}`)
  const set = names.map((name) => `\\set ${name} random(1, ${ROWS})`).join("\n")
  const life = `left(repeat(md5((version + 1)::text), 14), ${WIDTH})`
  const key =
    rows === 1 ? "id = :id0" : `id = ANY (ARRAY[${names.map((name) => `:${name}::integer`).join(", ")}])`
  return `${set}\nUPDATE probe SET version = version + 1, life = ${life} WHERE ${key};\n`
}

function pgbenchHere(): string | null {
  const printed = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" })
  const candidates = [
    ...(printed.status === 0 ? [join(printed.stdout.trim(), "pgbench")] : []),
    ...["18", "17", "16", "15"].map((version) => `/usr/lib/postgresql/${version}/bin/pgbench`),
  ]
  return candidates.find((file) => existsSync(file)) ?? null
}
