/** Formats names, numbers, days and tables for people. */
import type { Stamp } from "./stamp.ts"
import type { Workload } from "./workloads.ts"

export const workloadWords: { readonly [W in Workload]: string } = {
  refresh: "refresh",
  exchange: "code exchange",
  private_key_jwt: "code exchange, signed",
  "poll-pending": "device poll, pending",
  "poll-final": "device poll, the last",
  introspect: "introspection",
  client_credentials: "client credentials",
  authorize: "authorize page",
}

/** Formats a number such as 12,345. Numbers below a hundred have only significant digits. */
export function full(value: number): string {
  if (!Number.isFinite(value)) return "–"
  if (Math.abs(value) < 100) return String(Number(value.toPrecision(2)))
  return Math.round(value).toLocaleString("en-US")
}

export function milliseconds(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(2))) : "–"
}

/** Formats a number of things, such as "1 round" or "3 rounds". */
export function counted(number: number, name: string): string {
  return `${full(number)} ${name}${number === 1 ? "" : "s"}`
}

/** Stands on a page in the place of what was never measured. */
export const NOT_MEASURED = "_Not measured in this run._"

export function ratio(value: number): string {
  return Number.isFinite(value) ? value.toFixed(2) : "–"
}

export function dayOf(at: string): string {
  return new Date(at).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  })
}

/** Formats the day and, if it is known, the commit of the measured build. */
export function madeOn({ at, build }: Stamp): string {
  const [commit = "", ...dirty] = build?.split("-") ?? []
  const changes = dirty.length === 0 ? "" : " with uncommitted changes"
  return build === undefined ? dayOf(at) : `${dayOf(at)}, build ${commit.slice(0, 8)}${changes}`
}

/** Formats a command of this project with its flags, such as `--rounds 3`. */
export function commandOf(name: string, flags: readonly string[] = []): string {
  return `\`npm run ${[name, ...(flags.length === 0 ? [] : ["--"]), ...flags].join(" ")}\``
}

export function lengthFlags(of: { readonly rounds: number; readonly seconds: number }): readonly string[] {
  return [`--rounds ${of.rounds}`, `--seconds ${of.seconds}`]
}

/** Formats a table of Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")
}
