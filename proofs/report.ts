/**
 * Writes the latest results of the proofs into docs/reliability.md, between its markers:
 *
 *   npm run prove:report -- [docs/reliability/results.json] [docs/reliability.md]
 *
 * The page contains no hand-written results. It quotes the results that matter most. The JSON file has all of them.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { format } from "prettier"
import { argumentsOf, refuse } from "../bench/command.ts"
import { type Proven, readProven } from "./results.ts"

const docs = join(import.meta.dirname, "../docs")
const [file = join(docs, "reliability/results.json"), page = join(docs, "reliability.md")] = argumentsOf(2)
const engineNames = { sqlite: "SQLite", postgres: "PostgreSQL" } as const

/** The results that the page quotes, by their name or its end. For all other proofs, it quotes every result. */
const quoted: Readonly<Record<string, readonly string[]>> = {
  model: ["operations", "parallel batches", "restarts"],
  kill: [
    "kills",
    "acknowledged answers",
    "lost refreshes asked again",
    "answers lost",
    "codes used twice",
    "slowest first answer after a start, ms",
  ],
  fuzz: ["answers", "connections", "answers 503", "slowest answer, ms", "memory at its peak, MiB"],
  connections: [
    "connections open at once",
    "memory with them, MiB",
    "p99 of the others with them, ms",
    "answered 503 with Retry-After at the limit",
    "left waiting at the limit",
    "served again after, ms",
  ],
  pressure: [
    "memory grew at most by, MiB",
    "p99 of them, ms",
    "sign-ins of a known browser",
    "p99 of these, ms",
    "slowest /health, ms",
    "answers lost",
  ],
  postgres: [
    "tests of the store passed",
    "acknowledged answers",
    "lost refreshes asked again",
    "answers lost",
    "times",
    "longest pause, ms",
    "credentials that work",
    "refreshes lost",
    "connections lost",
    "revocations undone",
    "left out",
  ],
  go: [
    "tests and cases with the race detector",
    "fuzzed inputs",
    "cached check, µs",
    "golang-jwt verifies RS256, µs",
    "kills of the service",
    "requests refused with 503 meanwhile",
    "requests passed meanwhile",
    "slowest return after a start, ms",
    "tokens in memory",
    "heap that they take, MiB",
    "revocations",
    "felt, median, ms",
    "felt, p99, ms",
    "after a revocation",
  ],
  python: [
    "tests of the package",
    "a cached check, µs",
    "a cached check with asyncio, µs",
    "PyJWT verifies RS256, µs",
    "10,000 tokens in the cache, MiB",
    "30,000 more, MiB on top",
    "refused by all 4 workers, median ms",
    "the same, p99 ms",
    "after the service is killed, 503 from all after ms",
    "after it serves again, 200 from all after ms",
  ],
  gate: ["attacks tried", "p50, ms", "p99, ms", "requests a second", "added at p50, ms"],
  soak: [
    "requests",
    "memory after warm-up, MiB",
    "memory at its peak, MiB",
    "growth, MiB an hour",
    "descriptors, growth an hour",
    "answers, p99 ms",
  ],
}

/** How the name of a figure is divided into a part and the rest, if not at its last colon. */
const partPatterns: Readonly<Record<string, RegExp>> = {
  gate: /^(\w+ [\d.]+(?: a constant 204)?):? (.*)$/,
}

if (!existsSync(page)) refuse(`${page}: no such file`)
const proven = readProven(file) ?? refuse(`${file}: no such file; npm run prove -- --json FILE writes it`)
const text = readFileSync(page, "utf8").replaceAll(
  /(<!-- proven: ([\w-]+) -->)[^]*?(<!-- end: \2 -->)/g,
  (_, open: string, name: string, close: string) =>
    `${open}\n\n${figures(proven.filter(({ proof }) => proof === name))}\n\n${close}`,
)
writeFileSync(page, await format(text, { parser: "markdown", printWidth: 110, proseWrap: "always" }))

/** One figure of a proof, with its value on each engine that has it. */
type Row = {
  readonly part: string
  readonly name: string
  readonly values: ReadonlyMap<Proven["engine"], number | string>
}

/**
 * Returns one block for all engines. A label stands once, before the values of both engines ("SQLite / PostgreSQL"), or
 * before one value if they are equal.
 */
function figures(runs: readonly Proven[]): string {
  const [first] = runs
  if (first === undefined) return "_Not run yet._"
  const rows = rowsOf(runs)
  const shared = rows.filter(({ values }) => values.size === runs.length)
  const partial = rows.filter(({ values }) => values.size < runs.length)
  return [
    runs.map(verdictOf).join(runs.length > 1 ? "\n" : ""),
    ...blocksOf(shared),
    ...runs.flatMap(({ engine }) => {
      const [head, ...others] = blocksOf(partial.filter(({ values }) => values.has(engine)))
      return head === undefined ? [] : [`${engineNames[engine]} alone: ${head}`, ...others]
    }),
  ].join("\n\n")
}

function verdictOf(run: Proven): string {
  const [commit = "", ...dirty] = run.build?.split("-") ?? []
  const changes = dirty.length === 0 ? "" : " with uncommitted changes"
  const build = run.build === undefined ? "" : `, build ${commit.slice(0, 8)}${changes}`
  const when = `${run.at.slice(0, 10)}${build}, ${(run.seconds / 60).toFixed(1)} minutes, seed ${run.seed}`
  const length = run.scale === 1 ? "" : `, ${run.scale} of the full length`
  const verdict = run.broken === null ? "holds" : `DOES NOT HOLD: ${run.broken.split("\n")[0]}`
  return `**${engineNames[run.engine]} ${verdict}** (${when}${length}).`
}

/** Returns the quoted figures of all runs. The part of a figure is what its name has before the last colon. */
function rowsOf(runs: readonly Proven[]): readonly Row[] {
  const rows = new Map<string, Row>()
  for (const { proof, engine, figures: all } of runs)
    for (const [key, figure] of Object.entries(all)) {
      const pattern = partPatterns[proof] ?? /^(?:(.*): )?(.*)$/
      const [, part = "", name = key] = pattern.exec(key) ?? []
      const isQuoted = quoted[proof]?.some((end) => name === end || name.endsWith(`: ${end}`)) ?? true
      if (!isQuoted) continue
      rows.set(key, { part, name, values: new Map([...(rows.get(key)?.values ?? []), [engine, figure]]) })
    }
  return [...rows.values()]
}

/**
 * Returns the figures without a part as a paragraph, or as a list if they are sentences. The figures of parts are a
 * table where at least four parts have the same name, and otherwise a list.
 */
function blocksOf(rows: readonly Row[]): readonly string[] {
  const plain = rows.filter(({ part }) => part === "")
  const grouped = rows.filter(({ part }) => part !== "")
  const names = Map.groupBy(grouped, ({ name }) => name)
  const inTable = grouped.filter(({ name }) => (names.get(name)?.length ?? 0) >= 4)
  const parts = new Set(inTable.map(({ part }) => part))
  // A figure that is the same in every row of the table is stated once, below it.
  const [constant = [], columns = []] = [true, false].map((wanted) =>
    [...Map.groupBy(inTable, ({ name }) => name).values()].filter((cells) => {
      const isConstant = cells.length === parts.size && new Set(cells.map(valueOf)).size === 1
      return isConstant === wanted
    }),
  )
  const texts = plain.map((row) => shown(row, ": "))
  const areSentences = plain.some(({ name }) => name.startsWith("whether "))
  return [
    areSentences ? bullets(texts) : texts.length > 0 ? `${texts.join("; ")}.` : "",
    columns.length > 0 ? tableOf(columns) : "",
    bullets([
      ...constant.flatMap(([row]) => (row === undefined ? [] : [`${shown(row, ": ")} in each`])),
      ...linesOf(grouped.filter((row) => !inTable.includes(row))),
    ]),
  ].filter((block) => block !== "")
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n")
}

function tableOf(columns: readonly (readonly Row[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`
  const parts = [...new Set(columns.flat().map(({ part }) => part))]
  return [
    line(["", ...columns.map(([row]) => row?.name ?? "")]),
    line(["---", ...columns.map(() => "---")]),
    ...parts.map((part) =>
      line([part, ...columns.map((cells) => valueOf(cells.find((row) => row.part === part)))]),
    ),
  ].join("\n")
}

/** Returns a line for each part. Parts that share several names share their lines: "name: part value, part value". */
function linesOf(rows: readonly Row[]): readonly string[] {
  const parts = [...Map.groupBy(rows, ({ part }) => part)]
  const alike = Map.groupBy(parts, ([part, members]) =>
    members.length === 1 ? part : members.map(({ name }) => name).join("\n"),
  )
  return [...alike.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    if (group.length === 1) return [lineOf(...first)]
    return first[1].map(({ name }, index) => {
      const { what, unit } = divided(name)
      const values = group.map(([part, members]) => `${part} ${valueOf(members[index])}`)
      return `${what}: ${values.join(", ")} ${unit}`.trimEnd()
    })
  })
}

function lineOf(part: string, members: readonly Row[]): string {
  // The value of a check that did not pass is its explanation, which only the JSON file has.
  if (part.endsWith("not passed")) return `${part}: ${members.map(({ name }) => name).join(", ")}`
  const hasText = members.some((row) => !/^[\d.,/ ]+$/.test(valueOf(row)))
  const texts = members.map((row) => shown(row, hasText ? ": " : " "))
  return `${part}: ${texts.join(hasText ? "; " : ", ")}`
}

/** Formats a figure with its label and its unit. */
function shown(row: Row, between: string): string {
  const { what, unit } = divided(row.name)
  return `${what}${between}${valueOf(row)} ${unit}`.trimEnd()
}

/** Divides the name of a figure into its label and its unit. The page says once what the example lacks. */
function divided(name: string): { readonly what: string; readonly unit: string } {
  const short = name.replace(/, which the example does not (?:offer|have)$/, "")
  const [, what = short, unit = ""] = /^(.*), (ms|s|µs|MiB|KiB)$/.exec(short) ?? []
  return { what, unit }
}

/** Formats the values of a figure: one if they are equal, otherwise "SQLite / PostgreSQL". */
function valueOf(row: Row | undefined): string {
  const values = (["sqlite", "postgres"] as const).flatMap((engine) => {
    const figure = row?.values.get(engine)
    return figure === undefined ? [] : [formatted(figure)]
  })
  return [...new Set(values)].join(" / ")
}

/** For a list of names, the page shows only the count. For a difference, the page leaves out the total. */
function formatted(figure: number | string): string {
  if (typeof figure === "number") return figure.toLocaleString("en")
  const list = figure.split(", ")
  const isList = list.length > 2 && list.every((member) => !member.includes(" "))
  return isList ? String(list.length) : figure.replace(/ of .*/, "")
}
