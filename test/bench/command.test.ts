/** Tests that the commands of bench/ reject wrong arguments and files in one line, before they measure anything. */
import { equal, match } from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test, type TestContext } from "node:test"

const root = join(import.meta.dirname, "../..")

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" })
  return { status, stdout, stderr }
}

function fileWith(t: TestContext, text: string): string {
  const dir = mkdtempSync(join(tmpdir(), "latchkey-command-test-"))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const file = join(dir, "file.json")
  writeFileSync(file, text)
  return file
}

const own = "test/bench/command.test.ts"

const wrong: readonly (readonly [readonly string[], RegExp])[] = [
  [["main.ts", "--only", "foo"], /^--only: .*; not "foo"\n$/],
  [["main.ts", "--credentials", "1000,x"], /^--credentials: a whole number from 1 on; not "x"\n$/],
  [["stages/main.ts", "--engine", "sqlte"], /^--engine: sqlite, postgres; not "sqlte"\n$/],
  [["stages/main.ts", "--rounds", "abc"], /^--rounds: a whole number from 1 on; not "abc"\n$/],
  [["targets/main.ts", "--parts", "foo"], /^--parts: costs, limits, growth; not "foo"\n$/],
  [["targets/main.ts", "--rounds", "1.5"], /^--rounds: a whole number from 1 on; not "1.5"\n$/],
  [
    ["targets/main.ts", "--against", "no-commit"],
    /^--against: "no-commit" is not a commit of this repository\n$/,
  ],
  [["figures/main.ts", "--only", "journeys"], /^--only: .*; not "journeys"\n$/],
  [["figures/main.ts", "--rounds", "abc"], /^--rounds: a whole number from 1 on; not "abc"\n$/],
  [["figures/main.ts", "--seconds", "0"], /^--seconds: a number above 0; not "0"\n$/],
  [["figures/main.ts", "--round", "1"], /^Unknown option '--round'\. --help prints the usage\n$/],
  [["signed.ts", "--rounds", "-1"], /^--rounds: a whole number from 1 on; not "-1"\n$/],
  [["kit.ts", "--json"], /^Option '--json <value>' argument missing\. --help prints the usage\n$/],
  [["main.ts", "--engine", "mysql"], /^--engine: only with --against\n$/],
  [["main.ts", "--against", "HEAD", "--keep"], /^--keep: not with --against\n$/],
  [["main.ts", "--json", "no-such-directory/a.json"], /^--json: .*: no such file or directory\n$/],
  [["signed.ts", "--json", own], /^test\/bench\/command\.test\.ts: not a JSON object\n$/],
  [["kit.ts", "--json", "test"], /^--json: "test": illegal operation on a directory\n$/],
  [["main.ts", "--work", own], /^--work: ".*command\.test\.ts": not a directory\n$/],
  [["figures/main.ts", "--work", own], /^--work: ".*command\.test\.ts": not a directory\n$/],
  [["console.ts", "--times", "1e9"], /^--times: a whole number from 1 on; not "1e9"\n$/],
  [["seed.ts", "somewhere"], /^Unexpected argument 'somewhere'\. --help prints the usage\n$/],
  [["../proofs/main.ts", "--scale", "0"], /^--scale: a number above 0, at most 1; not "0"\n$/],
  [["../proofs/main.ts", "--scale", "999"], /^--scale: a number above 0, at most 1; not "999"\n$/],
  [["../proofs/main.ts", "--seed", "0x10"], /^--seed: a whole number from 0 on; not "0x10"\n$/],
  [["../proofs/main.ts", "--json", own], /: not a file of "npm run prove -- --json"\n$/],
  [["../proofs/main.ts", "--work", own], /^--work: ".*command\.test\.ts": not a directory\n$/],
  [["../proofs/report.ts", "--wrong"], /^Unknown option '--wrong'\. --help prints the usage\n$/],
  [["../proofs/report.ts", "package.json"], /^package\.json: not a file of "npm run prove -- --json"\n$/],
  [["report.ts", "a", "b", "c"], /^"c" is one argument too many\. --help prints the usage\n$/],
  [["report.ts", "no-such-file.json"], /^no-such-file\.json: no such file\n$/],
]

for (const [[command = "", ...args], line] of wrong)
  test(`bench/${command} rejects "${args.join(" ")}"`, () => {
    const { status, stdout, stderr } = run(`bench/${command}`, ...args)
    match(stderr, line)
    equal(stdout, "")
    equal(status, 2)
  })

test("bench/report.ts rejects a file of another command, and one that is not JSON", (t) => {
  for (const [text, line] of [
    ['{"journey":{"rows":[]}}', /: not a file of "npm run bench -- --json".*\n$/],
    ["{", /: not a JSON object\n$/],
  ] as const) {
    const { status, stderr } = run("bench/report.ts", fileWith(t, text))
    match(stderr, line)
    equal(stderr.split("\n").length, 2)
    equal(status, 2)
  }
})

test("a command with wrong arguments leaves its file as it is", (t) => {
  const file = fileWith(t, '{"sqlite":{}}')
  equal(run("bench/stages/main.ts", "--engine", "sqlte", "--json", file).status, 2)
  equal(readFileSync(file, "utf8"), '{"sqlite":{}}')
})

const measuring = ["main", "report", "signed", "kit", "stages/main", "targets/main", "figures/main"]
const others = ["console", "console-seed", "seed", "load", "scattered", "../proofs/main", "../proofs/report"]
for (const command of [...measuring, ...others])
  test(`bench/${command}.ts --help prints its usage`, () => {
    const { status, stdout, stderr } = run(`bench/${command}.ts`, "--help")
    match(stdout, /(npm run (bench|prove)[:a-z]*|node bench\/[a-z-]+\.ts) (-|\[|'|FILE)/)
    equal(stderr, "")
    equal(status, 0)
  })
