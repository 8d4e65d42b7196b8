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
import type { Proven } from "./main.ts"

const docs = join(import.meta.dirname, "../docs")
const [file = join(docs, "reliability/results.json"), page = join(docs, "reliability.md")] =
  process.argv.slice(2)
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

if (!existsSync(file)) {
  console.error(`There is no ${file}. Have it written first: npm run prove -- --json ${file}`)
  process.exit(1)
}
const proven = JSON.parse(readFileSync(file, "utf8")) as readonly Proven[]
const text = readFileSync(page, "utf8").replaceAll(
  /(<!-- proven: ([\w-]+) -->)[^]*?(<!-- end: \2 -->)/g,
  (_, open: string, name: string, close: string) =>
    `${open}\n\n${figures(proven.filter(({ proof }) => proof === name))}\n\n${close}`,
)
writeFileSync(page, await format(text, { parser: "markdown", printWidth: 110, proseWrap: "always" }))

/** Returns a paragraph for each engine. */
function figures(runs: readonly Proven[]): string {
  if (runs.length === 0) return "_Not run yet._"
  return runs
    .map((run) => {
      const when = `${run.at.slice(0, 10)}, ${(run.seconds / 60).toFixed(1)} minutes, seed ${run.seed}`
      const length = run.scale === 1 ? "" : `, ${run.scale} of the full length`
      const verdict = run.broken === null ? "holds" : `DOES NOT HOLD: ${run.broken.split("\n")[0]}`
      return `**${engineNames[run.engine]} ${verdict}** (${when}${length}). ${groupsOf(run).join("; ")}.`
    })
    .join("\n\n")
}

/** Formats results as "name: figure". If names have parts, the form is "part: name figure, name figure". */
function groupsOf({ proof, figures: all }: Proven): readonly string[] {
  const names = quoted[proof]
  const chosen = Object.entries(all)
    .map(([name, figure]) => ({
      part: /^(.*: )/.exec(name)?.[1] ?? "",
      name: name.replace(/^.*: /, ""),
      figure,
    }))
    .filter(({ name }) => names === undefined || names.includes(name))
  return [...Map.groupBy(chosen, ({ part }) => part)].flatMap(([part, members]) => {
    const texts = members.map(({ name, figure }) =>
      part.endsWith("not passed: ") ? name : shown(name, figure, part === "" ? ": " : " "),
    )
    return part === "" ? texts : [part + texts.join(", ")]
  })
}

/**
 * Formats a result with its unit. For a list of names, the page shows only the count. For a difference, the page leaves
 * out the total.
 */
function shown(name: string, figure: number | string, between: string): string {
  const [, what = name, unit = ""] = /^(.*), (ms|MiB)$/.exec(name) ?? []
  if (typeof figure === "number") return `${what}${between}${figure.toLocaleString("en")} ${unit}`.trimEnd()
  const list = figure.split(", ")
  const isList = list.length > 2 && list.every((member) => !member.includes(" "))
  return `${name}: ${isList ? list.length : figure.replace(/ of .*/, "")}`
}
