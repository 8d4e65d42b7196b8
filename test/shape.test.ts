/** The shape of the house: who may import whom, and that documents, code and settings tell the same story. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { loadCatalogue } from "../src/permissions/permission-catalogue.rules.ts"
import { defaultOf, settings } from "../src/records/setting.rules.ts"

const root = join(import.meta.dirname, "..")
const text = (path: string): string => readFileSync(join(root, path), "utf8")

/** The folders that a file of a folder may import from; "" is src itself, where everything is wired. */
const walls: Readonly<Record<string, readonly string[]>> = {
  core: ["core"],
  page: ["core", "page"],
  system: ["core", "system"],
  store: ["core", "store", "system"],
  service: ["core", "store", "system", "service"],
  http: ["core", "service", "page", "system", "http"],
  cli: ["core", "store", "system", "service", "http", "page", "cli", ""],
  "": ["core", "store", "system", "service", "http", "page", ""],
}

/** What a folder may take from another only in part. */
const doors: Readonly<Record<string, readonly string[]>> = { "service > store": ["src/store/store.ts"] }

/** One file each, and why. */
const exceptions: ReadonlySet<string> = new Set([
  "src/http/fault.ts > src/store/store.ts", // a store that cannot answer becomes a 503
])

const sources = filesUnder("src", ".ts")

test("no import goes through a wall", () => {
  const found = sources.flatMap((file) => importsOf(file).map((target) => ({ file, target })))
  const through = found.filter(({ file, target }) => !isAllowed(file, target))
  assert.deepEqual(
    through.map(({ file, target }) => `${file} imports ${target}`),
    [],
  )
  assert.ok(found.length > 50, "the imports were not read")
})

test("core and page import nothing but files of this project", () => {
  const outside = sources
    .filter((file) => /^src\/(core|page)\//.test(file))
    .flatMap((file) => specifiersOf(text(file)).map((name) => `${file}: ${name}`))
    .filter((line) => !line.includes(": ."))
  assert.deepEqual(outside, [])
})

test("nothing is exported by default or passed on from another file", () => {
  const exported = /^export\s+(?:default\b|(?:type\s+)?(?:\*|\{[^}]*\})\s*(?:as\s+\w+\s+)?from\b)/m
  assert.deepEqual(
    sources.filter((file) => exported.test(text(file))),
    [],
  )
})

test("every file of src is in a folder that the walls know", () => {
  assert.deepEqual(
    sources.filter((file) => !(folderOf(file) in walls)),
    [],
  )
})

test("every divergence is marked in the code, and every mark is listed", () => {
  const marked = new Set(
    sources.flatMap((file) =>
      [...text(file).matchAll(/Divergence:\s*(\S+)/g)].map((m) => (m[1] ?? "").replace(/\W+$/, "")),
    ),
  )
  const listed = new Set(firstCells(text("docs/divergences.md")).filter((cell) => /^D-\d+$/.test(cell)))
  assert.ok(listed.size > 0, "the table was not read")
  assert.deepEqual([...marked].toSorted(), [...listed].toSorted())
})

test("every decision record is in the list of records, and the other way round", () => {
  const records = filesUnder("docs/decisions", ".md").map((file) => file.slice("docs/decisions/".length))
  const listed = [...text("docs/decisions/README.md").matchAll(/\]\((\d{4}-[^)]+\.md)\)/g)].map(
    (match) => match[1],
  )
  assert.deepEqual(listed.toSorted(), records.filter((name) => name !== "README.md").toSorted())
})

test("links between documents lead somewhere", () => {
  assert.deepEqual(
    documents().flatMap((file) => deadLinksOf(file)),
    [],
  )
})

test("docs/operating.md lists the settings that there are, with their defaults", () => {
  const loaded = loadCatalogue({})
  assert.ok(loaded.ok)
  const builtIn = loaded.value
  const documented = tableRows(text("docs/operating.md"))
    .map((cells) => cells.map((cell) => cell.replaceAll("`", "")))
    .filter(([key = ""]) => /^[a-z_]+\.[a-z_]+$/.test(key))
    .map(([key, byDefault]) => `${key} ${byDefault}`)
  const known = Object.values(settings).map((row) => `${row.key} ${defaultOf(row, builtIn)}`)
  assert.deepEqual(documented.toSorted(), known.toSorted())
})

test("the lock file names no registry", () => {
  const { packages } = JSON.parse(text("package-lock.json")) as { packages: Record<string, object> }
  for (const [name, entry] of Object.entries(packages)) {
    if ("link" in entry) assert.match((entry as { resolved?: string }).resolved ?? "", /^packages\//)
    else assert.ok(!("resolved" in entry), name)
  }
})

test("the lock file has every package that another one names as optional, or npm ci stops", () => {
  const { packages } = JSON.parse(text("package-lock.json")) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>
  }
  const named = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
  assert.deepEqual(
    named.filter((name) => !(`node_modules/${name}` in packages)),
    [],
  )
})

test("no file holds what looks like a secret", () => {
  const secret =
    /-----BEGIN [A-Z ]*PRIVATE KEY|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36}|\bnpm_[A-Za-z0-9]{36}|\blk[acdrs]_[\w-]{49,}/
  const files = [
    ...documents(),
    ...sources,
    ...filesUnder("bench", ""),
    ...filesUnder("bin", ""),
    "package.json",
  ]
  assert.deepEqual(
    files.filter((file) => secret.test(text(file))),
    [],
  )
})

function isAllowed(file: string, target: string): boolean {
  const [from, to] = [folderOf(file), folderOf(target)]
  const door = doors[`${from} > ${to}`]
  if (exceptions.has(`${file} > ${target}`)) return true
  return (walls[from] ?? []).includes(to) && (door === undefined || door.includes(target))
}

/** The files of this project that a file imports, as paths from the root. */
function importsOf(file: string): readonly string[] {
  return specifiersOf(text(file))
    .filter((name) => name.startsWith("."))
    .map((name) => posix(join(dirname(file), name)))
}

function specifiersOf(source: string): readonly string[] {
  const statement = /^(?:import|export)\s+(?:[\w*{}\s,]+\sfrom\s+)?"([^"]+)"|\bimport\(\s*"([^"]+)"/gm
  return [...source.matchAll(statement)].map((match) => match[1] ?? match[2] ?? "")
}

/** `src/kernel/time.ts` is in `core`, `src/main.ts` in the folder without a name. */
function folderOf(file: string): string {
  const parts = file.split("/")
  return parts.length > 2 ? (parts[1] ?? "") : ""
}

function documents(): readonly string[] {
  const atRoot = readdirSync(root).filter((name) => name.endsWith(".md"))
  return [...atRoot, ...filesUnder("docs", ".md")]
}

function filesUnder(folder: string, ending: string): readonly string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => posix(relative(root, join(entry.parentPath, entry.name))))
}

function posix(path: string): string {
  return path.split(sep).join("/")
}

function tableRows(markdown: string): readonly (readonly string[])[] {
  return markdown
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

function firstCells(markdown: string): readonly string[] {
  return tableRows(markdown).map((cells) => cells[0] ?? "")
}

/** Links to files that do not exist, and to headings that a document does not have. */
function deadLinksOf(file: string): readonly string[] {
  const links = [
    ...text(file).matchAll(/\]\(([^)\s]+)\)/g),
    ...text(file).matchAll(/\bsrc(?:set)?="([^"]+)"/g),
  ]
  return links
    .map((match) => match[1] ?? "")
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = "", heading] = link.split("#")
      const target = path === "" ? file : posix(join(dirname(file), path))
      if (!existsSync(join(root, target))) return true
      return heading !== undefined && !headingsOf(text(target)).includes(heading)
    })
    .map((link) => `${file}: ${link}`)
}

/** The addresses that a reader of Markdown gives to headings. */
function headingsOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  )
}
