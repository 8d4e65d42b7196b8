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
const engineNames = { sqlite: "SQLite", postgres: "PostgreSQL" } as const

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
writeFileSync(page, await format(text, { parser: "markdown", printWidth: 110, proseWrap: "always" }))

/** A paragraph for each engine. */
function figures(runs: readonly Proven[]): string {
  if (runs.length === 0) return "_Not run yet._"
  return runs
    .map((run) => {
      const of = Object.entries(run.figures).map(([name, figure]) => `${name}: ${shown(figure)}`)
      const when = `${run.at.slice(0, 10)}, ${(run.seconds / 60).toFixed(1)} minutes, seed ${run.seed}`
      const length = run.scale === 1 ? "" : `, ${run.scale} of the full length`
      const verdict = run.broken === null ? "holds" : `DOES NOT HOLD: ${run.broken.split("\n")[0]}`
      return `**${engineNames[run.engine]} ${verdict}** (${when}${length}). ${of.join("; ")}.`
    })
    .join("\n\n")
}

function shown(figure: number | string): string {
  return typeof figure === "number" ? figure.toLocaleString("en") : figure
}
