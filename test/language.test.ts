/** Plain English: words that read as translated or archaic are in no name, comment, text or document. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { filesUnder, root, textOf } from "./support/imports.ts"

const FORBIDDEN =
  /\b(?:anew|whoever|nobody|somebody|anybody|everybody|at leisure|at the most|so many|is none|are none|happenings?|standstill|mend|in two hands|believed)\b/gi

/** In prose, `told` is a verb. As a name, it has no meaning. */
const TOLD = /\btold\b/g

const PROSE = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g

/** A file, the text in it that is allowed, and the reason. */
const EXCEPTIONS: readonly (readonly [file: string, text: string, reason: string])[] = [
  ["proofs/faults/unwritable.ts", '[flag, "nobody"]', "the Unix user"],
  ["test/support/postgres-server.ts", '[flag, "nobody"]', "the Unix user"],
  ["test/support/postgres-server.ts", "the Unix account nobody", "the Unix user"],
]

const FOLDERS = ["src", "packages", "bin", "test", "proofs", "bench", "examples", "deploy", "docs"]
const BINARY = /\.(?:png|svg|jpe?g|webp|gif|ico|tgz)$/
/** Files that this project did not write: packages, builds, and the schema of an earlier version. */
const FOREIGN = /(?:^|\/)(?:node_modules|dist|before-squash)\//

const files = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...FOLDERS.flatMap((folder) => filesUnder(folder, "")),
].filter((file) => !BINARY.test(file) && !FOREIGN.test(file) && file !== "test/language.test.ts")

test("no word of the list is in a source, a test, a script or a document", () => {
  assert.deepEqual(files.flatMap(wordsIn), [], "write it plainly, or add an exception with its reason")
  assert.ok(files.length > 1000, "the files were not read")
})

test("every exception is still needed", () => {
  assert.deepEqual(
    EXCEPTIONS.filter(([file, text]) => !textOf(file).includes(text)),
    [],
  )
})

test("a word of the list is found in a comment and in a text, and `told` in code alone", () => {
  assert.deepEqual(wordsOf("x.ts", "// Whoever asks\nconst told = 1 // was told\n"), [
    "x.ts:1 Whoever",
    "x.ts:2 told",
  ])
  assert.deepEqual(wordsOf("x.md", "A client is told why.\nIt has\nso many tries.\n"), ["x.md:3 so many"])
})

function wordsIn(file: string): readonly string[] {
  let text = textOf(file)
  // In Python, this is an operator.
  if (file.endsWith(".py")) text = text.replaceAll("is None", "")
  for (const [where, allowed] of EXCEPTIONS) if (where === file) text = text.replaceAll(allowed, "")
  return wordsOf(file, text)
}

function wordsOf(file: string, text: string): readonly string[] {
  const code = /\.[jt]s$/.test(file) ? text.replace(PROSE, (prose) => prose.replace(/[^\n]/g, " ")) : ""
  return [...text.matchAll(FORBIDDEN), ...code.matchAll(TOLD)].map(
    ({ 0: word, index }) => `${file}:${text.slice(0, index).split("\n").length} ${word}`,
  )
}
