/**
 * Reads the bytes of SQLite's write-ahead log, to find the ends of its frames and commits.
 * https://www.sqlite.org/fileformat2.html#walformat
 */
import { readFileSync } from "node:fs"

export const HEADER_BYTES = 32
export const FRAME_HEADER_BYTES = 24
/**
 * The position in a frame header at which the number of database pages after a commit is stored. The number is 0 within
 * a transaction.
 */
const COMMIT_AT = 4
const SALTS_AT = 8
const SALTS_BYTES = 8
const HEADER_SALTS_AT = 16
const PAGE_SIZE_AT = 8
/**
 * The position in the index file at which the number of copied frames is stored, in the machine's byte order.
 * https://www.sqlite.org/walformat.html#the_wal_index_file_format
 */
const COPIED_AT = 96

export type Log = {
  readonly frameBytes: number
  /** The end of the frames. Bytes after that are left from an earlier round. */
  readonly end: number
  /** The positions at which commits end. */
  readonly commits: readonly number[]
}

export function readLog(file: string): Log {
  const bytes = readFileSync(file)
  if (bytes.length < HEADER_BYTES) return { frameBytes: FRAME_HEADER_BYTES + 4096, end: 0, commits: [] }
  const frameBytes = FRAME_HEADER_BYTES + bytes.readUInt32BE(PAGE_SIZE_AT)
  const salts = bytes.subarray(HEADER_SALTS_AT, HEADER_SALTS_AT + SALTS_BYTES)
  const commits: number[] = []
  let end = HEADER_BYTES
  while (end + frameBytes <= bytes.length) {
    if (!bytes.subarray(end + SALTS_AT, end + SALTS_AT + SALTS_BYTES).equals(salts)) break
    const isCommit = bytes.readUInt32BE(end + COMMIT_AT) > 0
    end += frameBytes
    if (isCommit) commits.push(end)
  }
  return { frameBytes, end, commits }
}

/** Returns how many frames of the log are already in the database file, according to the index. */
export function copiedFrames(index: string): number {
  return readFileSync(index).readUInt32LE(COPIED_AT)
}
