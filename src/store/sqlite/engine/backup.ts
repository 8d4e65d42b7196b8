/**
 * Makes an online, consistent copy. A separate connection copies inside one read transaction. Writes of the service do
 * not change the view of this transaction, so the copy never starts again.
 */
import { randomBytes } from "node:crypto"
import { closeSync, fsyncSync, linkSync, openSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { backup as copyPages, DatabaseSync } from "node:sqlite"
import type { Progress } from "../../list-shapes.ts"
import { connectToRead } from "./connection.ts"

const PAGES_AT_A_TIME = 256

/** Copies `source` to `file`, with mode 0600. `file` appears only when the copy is complete and on disk. */
export async function backUp(source: string, file: string, progress?: Progress): Promise<void> {
  const partial = `${file}.partial-${randomBytes(8).toString("hex")}`
  closeSync(openSync(partial, "wx", 0o600))
  try {
    await copySnapshot(source, partial, progress)
    makeWhole(partial)
    // Unlike a rename, a link does not replace an existing file.
    linkSync(partial, file)
  } finally {
    for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(partial + suffix, { force: true })
  }
  syncToDisk(dirname(file))
}

async function copySnapshot(source: string, partial: string, progress?: Progress): Promise<void> {
  const connection = connectToRead(source)
  try {
    connection.run("BEGIN")
    connection.one("SELECT count(*) FROM sqlite_schema")
    const pages = await copyPages(connection.database, partial, {
      rate: PAGES_AT_A_TIME,
      progress: ({ totalPages, remainingPages }) => progress?.(totalPages - remainingPages, totalPages),
    })
    progress?.(pages, pages)
  } finally {
    connection.close()
  }
}

/** Converts the copy into a single file without a write-ahead log. */
function makeWhole(partial: string): void {
  const database = new DatabaseSync(partial)
  try {
    database.exec("PRAGMA journal_mode = DELETE")
  } finally {
    database.close()
  }
  syncToDisk(partial)
}

function syncToDisk(path: string): void {
  const descriptor = openSync(path, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
