/**
 * Writes what was proven last into docs/reliability.md, between its markers:
 *
 *   npm run prove:report -- [docs/reliability/results.json] [docs/reliability.md]
 *
 * No figure there is typed by hand.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { format } from "prettier"
import type { Proven } from "./main.ts"

const docs = join(import.meta.dirname, "../docs")
const [file = join(docs, "reliability/results.json"), page = join(docs, "reliability.md")] =
  process.argv.slice(2)
const engineNames = { sqlite: "embedded", postgres: "PostgreSQL" } as const

if (!existsSync(file)) {
  console.error(`There is no ${file}. Have it written first: npm run prove -- --json ${file}`)
  process.exit(1)
}
const proven = JSON.parse(readFileSync(file, "utf8")) as readonly Proven[]
const text = readFileSync(page, "utf8").replaceAll(
  /(<!-- proven: (\w+) -->)[^]*?(<!-- end: \2 -->)/g,
  (_, open: string, name: string, close: string) =>
    `${open}\n\n${figures(proven.filter(({ proof }) => proof === name))}\n\n${close}`,
)
writeFileSync(page, await format(text, { parser: "markdown", semi: false, printWidth: 110 }))

/** One line a figure, one column an engine. */
function figures(runs: readonly Proven[]): string {
  if (runs.length === 0) return "_Not run yet._"
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.figures)))]
  const head = ["", ...runs.map(({ engine }) => engineNames[engine])]
  const rows = [
    ["holds", ...runs.map(({ broken }) => (broken === null ? "yes" : "NO"))],
    ["on", ...runs.map(({ at }) => at.slice(0, 10))],
    ["seed, part of the whole length", ...runs.map(({ seed, scale }) => `${seed}, ${scale}`)],
    ["minutes", ...runs.map(({ seconds }) => (seconds / 60).toFixed(1))],
    ...names.map((name) => [name, ...runs.map((run) => shown(run.figures[name]))]),
  ]
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
}

function shown(figure: number | string | undefined): string {
  return figure === undefined ? "" : typeof figure === "number" ? figure.toLocaleString("en") : figure
}
