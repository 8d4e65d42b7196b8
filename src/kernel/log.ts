/** Structured logs on standard error, one JSON object a line. No level logs secrets or raw query strings. */
import pino, { type Logger } from "pino"
import { LogLines } from "./log-lines.ts"

export type Log = Logger

const STANDARD_ERROR = 2

/** All logs of the process share one buffer, which is flushed at exit. */
let lines: LogLines | null = null

export function openLog(level: string | undefined): Log {
  const known = ["fatal", "error", "warn", "info", "debug", "trace", "silent"]
  const isKnown = level !== undefined && known.includes(level)
  lines ??= atStandardError()
  const options = { base: null, timestamp: pino.stdTimeFunctions.isoTime }
  const log = pino({ ...options, level: isKnown ? level : "info" }, lines)
  if (!isKnown && level !== undefined && level !== "")
    log.warn({ level, known }, "the log level is unknown; info is used")
  return log
}

function atStandardError(): LogLines {
  const opened = new LogLines(STANDARD_ERROR)
  process.on("exit", () => opened.flushSync())
  return opened
}
