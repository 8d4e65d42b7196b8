/**
 * Moves an embedded database to PostgreSQL:
 *
 * 1. The source is locked. No service runs on it, and no process writes to it.
 * 2. The target must be empty. Its tables are created and locked.
 * 3. Every table is copied row by row. New ids will continue after the last id of the source.
 * 4. Every row is read back and compared with the row that was sent.
 * 5. The move is committed. An interrupted move leaves the target empty.
 * 6. The stored rows are checked, as the command `verify` does.
 */
import { withPeriod } from "../../kernel/words.ts"
import { openDatabase } from "../postgres/open-database.ts"
import { verifyDatabase } from "../postgres/verify/verify-database.ts"
import type { Problem, Progress } from "../list-shapes.ts"
import { asMoveFailed, MoveFailed, NotTheSame, UNCERTAIN, UNVERIFIED } from "./move-failed.ts"
import { RowsDigest } from "./rows-digest.ts"
import { Source } from "./source.ts"
import { carriedTables } from "./tables.ts"
import { Target } from "./target.ts"

export type Moved = {
  /** The number of moved rows for each table. */
  readonly moved: Readonly<Record<string, number>>
  /** Invariants that are violated in the target. They were also violated in the source. */
  readonly problems: readonly Problem[]
}

/** The step `index` counts indexes. The other steps count rows. */
export type MoveStep = "move" | "index" | "compare" | "verify"

/** Runs one step and reports its progress. */
export type During = <T>(step: MoveStep, body: (progress: Progress) => Promise<T>) => Promise<T>

/** Moves the database in `file` to the database at `url`. Throws `MoveFailed` with a message for the operator. */
export async function moveDatabase(file: string, url: string, during: During): Promise<Moved> {
  const source = await opened(file)
  try {
    const target = await step(() => Target.open(url))
    try {
      const sent = await step(() => during("move", (progress) => send(source, target, progress)))
      await step(() => during("index", (progress) => target.makeIndexes(progress)))
      await step(() => during("compare", (progress) => compare(source, target, sent, progress)))
      await step(() => target.commit(), UNCERTAIN)
    } finally {
      await target.close()
    }
    const moved = Object.fromEntries(carriedTables.map((table) => [table.name, source.countOf(table)]))
    const problems = await step(() => during("verify", (progress) => verify(url, progress)), UNVERIFIED)
    return { moved, problems }
  } finally {
    source.close()
  }
}

async function opened(file: string): Promise<Source> {
  try {
    return await Source.open(file)
  } catch (error) {
    throw new MoveFailed(
      withPeriod(`The database ${file} cannot be opened: ${(error as Error).message}`),
      [],
      error,
    )
  }
}

async function step<T>(body: () => Promise<T>, consequences?: readonly string[]): Promise<T> {
  try {
    return await body()
  } catch (error) {
    throw asMoveFailed(error, consequences)
  }
}

type Digests = ReadonlyMap<string, RowsDigest>

async function send(source: Source, target: Target, progress: Progress): Promise<Digests> {
  const sent = new Map<string, RowsDigest>()
  const of = rowsIn(source)
  let before = 0
  progress(0, of)
  for (const table of carriedTables) {
    const digest = new RowsDigest()
    const start = before
    const chunks = source.chunks(table, digest, (rows) => progress(start + rows, of))
    await target.fill(table, source.columnsOf(table), chunks)
    sent.set(table.name, digest)
    before += digest.count
  }
  await target.goOnAfter(source.lastOf("event"), source.lastOf("invalidation"))
  return sent
}

async function compare(source: Source, target: Target, sent: Digests, progress: Progress): Promise<void> {
  const of = rowsIn(source)
  let before = 0
  for (const table of carriedTables) {
    const kept = new RowsDigest()
    await target.rows(table, source.columnsOf(table), (row) => {
      kept.add(row)
      if (kept.count % TOLD_EVERY === 0) progress(before + kept.count, of)
    })
    before += kept.count
    const expected = sent.get(table.name)
    if (kept.count !== expected?.count)
      throw new NotTheSame(
        `the table ${table.name} has ${expected?.count} rows, and the target has ${kept.count}`,
      )
    if (kept.text !== expected.text)
      throw new NotTheSame(`the rows of the table ${table.name} are not the same`)
  }
  progress(of, of)
}

/** Progress is reported after this many rows. */
const TOLD_EVERY = 1000

function rowsIn(source: Source): number {
  return carriedTables.reduce((sum, table) => sum + source.countOf(table), 0)
}

async function verify(url: string, progress: Progress): Promise<readonly Problem[]> {
  const database = await openDatabase(url, { poolSize: 2 })
  try {
    return await verifyDatabase(database, progress)
  } finally {
    await database.close()
  }
}
