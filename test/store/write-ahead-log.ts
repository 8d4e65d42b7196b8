/** The write-ahead log of SQLite as bytes: where its frames and its commits end. https://www.sqlite.org/fileformat2.html#walformat */
import { readFileSync } from "node:fs"

export const HEADER_BYTES = 32
export const FRAME_HEADER_BYTES = 24
/** Where a frame header says how many pages the database has after its commit; 0 within a transaction. */
const COMMIT_AT = 4
const SALTS_AT = 8
const SALTS_BYTES = 8
const HEADER_SALTS_AT = 16
const PAGE_SIZE_AT = 8
/** In the index beside the log, in the machine's own byte order. https://www.sqlite.org/walformat.html#the_wal_index_file_format */
const COPIED_AT = 96

export type Log = {
  readonly frameBytes: number
  /** How far its frames reach; what comes after is left over of an earlier round. */
  readonly end: number
  /** Where each commit ends. */
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

/** How many frames of the log are in the database file already, by the index beside the log. */
export function copiedFrames(index: string): number {
  return readFileSync(index).readUInt32LE(COPIED_AT)
}
