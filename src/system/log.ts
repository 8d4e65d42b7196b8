/** Structured logs on standard error, one JSON object a line. No secret and no raw query string goes in, at any level. */
import pino, { type Logger } from "pino"

export type Log = Logger

export function openLog(level: string | undefined): Log {
  const known = ["fatal", "error", "warn", "info", "debug", "trace", "silent"]
  const chosen = level !== undefined && known.includes(level) ? level : "info"
  return pino(
    { level: chosen, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: false, minLength: 0 }),
  )
}
