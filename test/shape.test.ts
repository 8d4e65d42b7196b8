/**
 * Tests the structure of the project. It checks which folder may import which, and that documents, code and settings
 * agree.
 */
import { test } from "node:test"
import assert from "node:assert/strict"
import { existsSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { loadCatalog } from "../src/model/permissions/permission-catalog.rules.ts"
import { defaultOf, settings } from "../src/model/setting.rules.ts"
import {
  circlesOf,
  filesUnder,
  folderOf,
  graphOf,
  importsOf,
  loadedBy,
  posix,
  root,
  specifiersOf,
  textOf,
} from "./support/imports.ts"

const text = textOf

/** Files of the kernel with effects: clock, randomness, hashes, keys and log. No rule may import them. */
const EFFECTFUL: ReadonlySet<string> = new Set(
  ["clock", "hash", "keys", "log", "network", "random", "version"].map((name) => `src/kernel/${name}.ts`),
)

/** The rooms of src in the order of `src/README.md`. A room may import those above it. */
const rooms = [...text("src/README.md").matchAll(/^- `([^`*.]+)`(?:, [^:]*)?: /gm)].map(
  ([, room = ""]) => room,
)

/** The rules that only declare types and lists of names. There is no behavior to test. */
const TYPES_AND_NAMES = [
  "src/model/invitation.rules.ts",
  "src/model/mail/email.rules.ts",
  "src/model/mail/mail.rules.ts",
  "src/model/refusals/refusal.rules.ts",
  "src/model/service-token.rules.ts",
  "src/model/signing-key.rules.ts",
  "src/platform/outgoing/smtp/sent.rules.ts",
]

/** The folders that tests of pages, of requests and of the store cover from the folders around them. */
const TESTED_FROM_OTHER_FOLDERS = [
  "src/platform/http/endpoints",
  "src/platform/ui/console",
  "src/store/codecs/accounts",
  "src/store/codecs/mail",
  "src/store/postgres/migrations/0020-0029",
  "src/store/sqlite/migrations/0020-0029",
  "src/store/statements",
]

const sources = filesUnder("src", ".ts")
const imports = sources.flatMap(importsOf)

test("a room imports itself and rooms above it in the list of src/README.md", () => {
  const rank = (file: string) => rooms.indexOf(roomOf(file))
  const downward = imports.filter(({ file, target }) => isSource(target) && rank(target) > rank(file))
  assert.deepEqual(
    downward.map(({ file, target }) => `${file} imports ${target}`),
    [],
  )
  assert.ok(imports.length > 1000, "the imports were not read")
})

test("the list of src/README.md has every room of src, and no other", () => {
  assert.deepEqual([...rooms].toSorted(), [...new Set(sources.map(roomOf))].toSorted())
})

test("no folders of src form a circle, types and late imports included", () => {
  const within = imports.filter(({ target }) => isSource(target))
  assert.deepEqual(
    circlesOf(graphOf(within.map(({ file, target }) => [folderOf(file), folderOf(target)] as const))),
    [],
  )
})

test("a rule imports rules and pure files of the kernel", () => {
  const impure = imports.filter(
    ({ file, target }) =>
      file.endsWith(".rules.ts") && !target.endsWith(".rules.ts") && !isPureKernel(target),
  )
  assert.deepEqual(
    impure.map(({ file, target }) => `${file} imports ${target}`),
    [],
  )
  assert.ok(sources.filter((file) => file.endsWith(".rules.ts")).length > 50, "the rules were not found")
})

test("rules and views import nothing but files of this project", () => {
  const outside = sources
    .filter((file) => /\.(?:rules|view)\.ts$/.test(file) || isPureKernel(file))
    .flatMap((file) => specifiersOf(text(file)).map((name) => `${file}: ${name}`))
    .filter((line) => !line.includes(": ."))
  assert.deepEqual(outside, [])
})

test("no circle of imports is longer than three files, types included", () => {
  const circles = circlesOf(graphOf(imports.map(({ file, target }) => [file, target] as const)))
  assert.deepEqual(
    circles.filter((circle) => circle.length > 3),
    [],
  )
})

test("a start loads no pages of accounts and apps, no API, no providers, mails, imports, checks and other commands", () => {
  const lazy =
    /^src\/(?:accounts\/(?:activity|email|providers|recovery|security)|admin|apps|cli\/.+|gate|oauth\/(?:documents|explain)|platform\/mail|store\/(?:.+\/)?(?:transfer|verify))\//
  const needed =
    /^src\/(?:admin\/(?:upkeep\/|moving-in\/staging|api\/sender)|apps\/statistics\/sample-gauges)/
  const loaded = new Set<string>()
  const load = (file: string): void => {
    if (loaded.has(file)) return
    loaded.add(file)
    loadedBy(file).forEach(load)
  }
  const programs = [
    "cli/main",
    "cli/serve.command",
    "main",
    "store/sqlite/sqlite-store",
    "store/postgres/postgres-store",
  ]
  programs.forEach((program) => load(`src/${program}.ts`))
  assert.deepEqual(
    [...loaded].filter((file) => lazy.test(file) && !needed.test(file)),
    [],
  )
  assert.ok(loaded.has("src/oauth/token/token.endpoint.ts"), "the imports were not read")
})

test("no folder of src has more than 25 files side by side", () => {
  const counts = Map.groupBy(sources, folderOf)
  assert.deepEqual(
    [...counts].filter(([, files]) => files.length > 25).map(([folder]) => folder),
    [],
  )
})

test("each rule file has its test at the mirrored path", () => {
  const rules = sources.filter((file) => file.endsWith(".rules.ts"))
  const untested = rules.filter(
    (file) => !existsSync(join(root, mirrored(file).replace(/\.ts$/, ".test.ts"))),
  )
  assert.deepEqual(untested.toSorted(), TYPES_AND_NAMES.toSorted())
})

test("each folder of src is also in test", () => {
  const folders = [...new Set(sources.map((file) => dirname(file)))]
  const missing = folders.filter((folder) => !existsSync(join(root, mirrored(folder))))
  assert.deepEqual(missing.toSorted(), TESTED_FROM_OTHER_FOLDERS.toSorted())
})

test("nothing is exported by default or passed on from another file", () => {
  const exported = /^export\s+(?:default\b|(?:type\s+)?(?:\*|\{[^}]*\})\s*(?:as\s+\w+\s+)?from\b)/m
  assert.deepEqual(
    sources.filter((file) => exported.test(text(file))),
    [],
  )
})

test("every divergence is marked in the code, and every mark is listed", () => {
  const marked = new Set(
    sources.flatMap((file) =>
      [...text(file).matchAll(/Divergence:\s*(\S+)/g)].map((m) => (m[1] ?? "").replace(/\W+$/, "")),
    ),
  )
  const listed = new Set(
    [...text("docs/interface.md").matchAll(/^- \*\*(D-\d+)\*\* /gm)].map((match) => match[1]),
  )
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
  const loaded = loadCatalog({})
  assert.ok(loaded.ok)
  const builtIn = loaded.value
  const [, section = ""] = /\n## Settings\n([^]*?)\n## /.exec(text("docs/operating.md")) ?? []
  const lines = section.matchAll(/^- `([a-z_]+\.[a-z_]+)`(?: \(`(.*?)`\))?: /gm)
  const documented = [...lines].map(([, key, byDefault = ""]) => `${key} ${byDefault}`)
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

/** Returns the room of a file. The files beside the map compose the service, as `cli` does. */
function roomOf(file: string): string {
  const folder = folderOf(file)
  return folder === "src" ? "cli" : (folder.split("/")[0] ?? folder)
}

function isSource(target: string): boolean {
  return target.startsWith("src/") && target.endsWith(".ts")
}

/** Returns the path in `test` of a file or folder of `src`. */
function mirrored(path: string): string {
  return path.replace(/^src\b/, "test")
}

/** Whether a kernel file uses no clock, no randomness and nothing of the machine. */
function isPureKernel(file: string): boolean {
  return folderOf(file) === "kernel" && !EFFECTFUL.has(file)
}

function documents(): readonly string[] {
  const atRoot = readdirSync(root).filter((name) => name.endsWith(".md"))
  return [...atRoot, ...filesUnder("docs", ".md")]
}

/** Returns links to missing files, and to headings that a document does not have. */
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

/** Returns the anchors that Markdown renderers give to headings. */
function headingsOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  )
}
