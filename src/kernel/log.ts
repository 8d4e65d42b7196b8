/** Structured logs on standard error, one JSON object a line. No level logs secrets or raw query strings. */
import pino, { type Logger } from "pino"
import { LogLines } from "./process/log-lines.ts"

export type Log = Logger

const STANDARD_ERROR = 2

/** All logs of the process share one buffer, which is flushed at exit. */
let lines: LogLines | null = null

/** `variable` is the environment variable that set the level. */
export function openLog(level: string | undefined, variable = "LATCHKEY_LOG_LEVEL"): Log {
  const known = ["fatal", "error", "warn", "info", "debug", "trace", "silent"]
  const isKnown = level !== undefined && known.includes(level)
  lines ??= atStandardError()
  const options = {
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Log collectors read `info`; 30 is a number of pino alone.
    formatters: { level: (label: string) => ({ level: label }) },
  }
  const log = pino({ ...options, level: isKnown ? level : "info" }, lines)
  if (!isKnown && level !== undefined && level !== "")
    log.warn({ variable, given: level, known }, "the log level is unknown; info is used")
  return log
}

function atStandardError(): LogLines {
  const opened = new LogLines(STANDARD_ERROR)
  process.on("exit", () => opened.flushSync())
  return opened
}
