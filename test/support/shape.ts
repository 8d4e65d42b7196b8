/**
 * Measures the structure of the project and writes it into docs/architecture.md: `npm run shape`. Imports of types
 * count too.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { circlesOf, filesUnder, folderOf, graphOf, importsOf, loadedBy, root, textOf } from "./imports.ts"

const START = "<!-- shape: written by `npm run shape` -->"
const END = "<!-- /shape -->"

const sources = filesUnder("src", ".ts")
const graph = graphOf(
  sources
    .flatMap(importsOf)
    .flatMap(({ file, target }) => [[file, target] as const, [target, target] as const]),
)
const folders = graphOf(
  sources.flatMap(importsOf).map(({ file, target }) => [folderOf(file), folderOf(target)] as const),
)

/** For each capability, a pattern for the files that name it. These files are counted by folder. */
const capabilities: Readonly<Record<string, RegExp>> = {
  "device flow": /^src\/oauth\/device\/|(?:^|\/)device-|device(?:\.|$)/,
  "step-up": /^src\/oauth\/step-up\/|step-up|elevation|elevate/,
  icons: /^src\/apps\/icon\/|(?:^|[/-])icon|picture/,
  registration: /^src\/apps\/registration\/|registration|register/,
}

const rows: readonly (readonly [string, string])[] = [
  ["circles between folders of src", String(circlesOf(folders).length)],
  ["longest circle of files", String(circlesOf(graph)[0]?.length ?? 0)],
  ["files side by side in one folder, at most", String(Math.max(...countsOf(sources.map(dirname))))],
  ["deepest chain of imports as loaded", String(deepestChain())],
  ["lines of src (.ts, .css)", lines([...sources, ...filesUnder("src", ".css")])],
  ["lines of test", lines(filesUnder("test", ".ts"))],
  ["lines of proofs", lines(filesUnder("proofs", ".ts"))],
  ["words of documents", words()],
  ...Object.entries(capabilities).map(([name, pattern]) => [`files of ${name}`, spreadOf(pattern)] as const),
]

const page = join(root, "docs/architecture.md")
const text = readFileSync(page, "utf8")
const table = ["| what | count |", "| --- | --- |", ...rows.map(([what, count]) => `| ${what} | ${count} |`)]
const [before = "", after = ""] = [text.split(START)[0], text.split(END)[1]]
writeFileSync(page, `${before}${START}\n\n${table.join("\n")}\n\n${END}${after}`)
console.log(table.join("\n"))

function spreadOf(pattern: RegExp): string {
  const files = sources.filter((file) => pattern.test(file))
  const counts = [...Map.groupBy(files, folderOf)].map(([folder, found]) => `${found.length} in ${folder}`)
  return `${files.length}: ${counts.join(", ")}`
}

/** Returns the longest chain of imports, from a file that nothing imports to a file that imports nothing. */
function deepestChain(): number {
  const depths = new Map<string, number>()
  const depthOf = (file: string, above: ReadonlySet<string>): number => {
    const known = depths.get(file)
    if (known !== undefined) return known
    const below = loadedBy(file).filter((next) => !above.has(next))
    const depth = 1 + Math.max(0, ...below.map((next) => depthOf(next, new Set([...above, file]))))
    depths.set(file, depth)
    return depth
  }
  return Math.max(...sources.map((file) => depthOf(file, new Set())))
}

function countsOf(names: readonly string[]): readonly number[] {
  return [...Map.groupBy(names, (name) => name).values()].map((same) => same.length)
}

function lines(files: readonly string[]): string {
  return files.reduce((sum, file) => sum + textOf(file).split("\n").length - 1, 0).toLocaleString("en-US")
}

function words(): string {
  const documents = [
    ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "src/README.md"],
    ...filesUnder("docs", ".md"),
    ...filesUnder("packages", "README.md").filter((file) => !file.includes("node_modules")),
  ]
  const count = documents.reduce((sum, file) => sum + textOf(file).split(/\s+/).filter(Boolean).length, 0)
  return count.toLocaleString("en-US")
}
