/** A log whose lines a test reads. */
import pino from "pino"
import type { Log } from "../../src/kernel/log.ts"

export type RecordedLog<Line> = { readonly log: Log; readonly lines: Line[] }

/** Opens a log that stores every line from `level` on, parsed. */
export function recordLog<Line = Readonly<Record<string, unknown>>>(level = "info"): RecordedLog<Line> {
  const lines: Line[] = []
  return {
    log: pino({ level }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) }),
    lines,
  }
}
