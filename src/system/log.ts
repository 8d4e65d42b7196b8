/**
 * Structured logs on standard error, one JSON object a line. No secret and no raw query string goes in, at any level.
 *
 * Lines are gathered for a tenth of a second and written behind the requests that they tell of; an end of the process
 * writes what is left. Where nobody reads them they are dropped rather than kept without end.
 */
import pino, { type Logger } from "pino"

export type Log = Logger

const GATHERED_BYTES = 8 * 1024
const GATHERED_MILLISECONDS = 100
const UNREAD_BYTES_AT_MOST = 8 * 1024 * 1024

export function openLog(level: string | undefined): Log {
  const known = ["fatal", "error", "warn", "info", "debug", "trace", "silent"]
  const chosen = level !== undefined && known.includes(level) ? level : "info"
  return pino(
    { level: chosen, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({
      dest: 2,
      sync: false,
      minLength: GATHERED_BYTES,
      periodicFlush: GATHERED_MILLISECONDS,
      maxLength: UNREAD_BYTES_AT_MOST,
    }),
  )
}
