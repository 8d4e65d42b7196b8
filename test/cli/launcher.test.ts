/** `bin/latchkey` must find its checkout and a Node, or say what to do. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { LATCHKEY, newDirectory } from "../support/spawn.ts"

test("the launcher works through symlinks, absolute and relative, and from any directory", (t) => {
  const dir = newDirectory(t)
  symlinkSync(LATCHKEY, join(dir, "absolute"))
  mkdirSync(join(dir, "bin"))
  symlinkSync(relative(join(dir, "bin"), join(dir, "absolute")), join(dir, "bin/relative"))
  for (const path of ["absolute", "bin/relative", "./bin/relative"]) {
    const ended = spawnSync("sh", ["-c", `exec ${path.includes("/") ? path : `./${path}`} --version`], {
      cwd: dir,
    })
    assert.match(ended.stdout.toString(), /^latchkey \d/, ended.stderr.toString())
  }
})

test("the help shows the command as it was typed", () => {
  const [bin, cwd] = [dirname(LATCHKEY), join(dirname(LATCHKEY), "..")]
  const help = (program: string, args: readonly string[], env = {}) =>
    spawnSync(program, [...args, "--help"], { cwd, env: { ...process.env, ...env } }).stdout.toString()
  assert.match(
    help("bin/latchkey", []),
    /^Usage: bin\/latchkey COMMAND[^]*^Example:\n {2}bin\/latchkey serve$/m,
  )
  assert.match(help("bin/latchkey", ["account", "add"]), /\| bin\/latchkey account add alice/)
  assert.match(
    help("latchkey", ["account"], { PATH: `${bin}:/usr/bin:/bin` }),
    /^Usage: latchkey account COMMAND$/m,
  )
})

test("without its packages the launcher says what to run", (t) => {
  const root = copyOfLauncher(newDirectory(t))
  const ended = spawnSync(join(root, "bin/latchkey"), ["--version"])
  assert.equal(ended.status, 1)
  assert.match(ended.stderr.toString(), /packages are not installed\. Run: cd '.+' && npm ci/)
})

test("without the pinned Node the launcher takes the machine's own where it is new enough", (t) => {
  const root = copyOfLauncher(newDirectory(t))
  mkdirSync(join(root, "node_modules/yaml"), { recursive: true })
  mkdirSync(join(root, "src/cli"), { recursive: true })
  writeFileSync(join(root, "src/cli/main.ts"), `process.exitCode = Number(process.argv[2] as string)`)
  const run = (path: string) => spawnSync(join(root, "bin/latchkey"), ["7"], { env: { PATH: path } })

  const tooOld = join(root, "old")
  mkdirSync(tooOld)
  writeFileSync(join(tooOld, "node"), "#!/bin/sh\nexit 1\n", { mode: 0o755 })
  const refused = run(`${tooOld}:/usr/bin:/bin`)
  assert.equal(refused.status, 1)
  assert.match(refused.stderr.toString(), /needs Node 24\.15 or newer/)

  for (const [versions, status] of [
    [{ node: "24.14.9" }, 1],
    [{ node: "24.15.0", sqlite: "3.51.3" }, 7],
    [{ node: "26.0.0", sqlite: "3.60.0" }, 7],
    [{ node: "25.0.0", sqlite: "3.50.4" }, 1],
    [{ node: "25.9.0", sqlite: "3.51.2" }, 1],
    [{ node: "30.1.0", sqlite: "4.0.0" }, 7],
  ] as const) {
    const bin = join(root, `as-${JSON.stringify(versions).replaceAll(/\W+/g, "-")}`)
    mkdirSync(bin)
    writeFileSync(
      join(bin, "pretend.cjs"),
      `Object.defineProperty(process, "versions", { value: { ...process.versions, ...${JSON.stringify(versions)} } })`,
    )
    const script = `#!/bin/sh\nexec '${process.execPath}' --require '${join(bin, "pretend.cjs")}' "$@"\n`
    writeFileSync(join(bin, "node"), script, { mode: 0o755 })
    assert.equal(run(`${bin}:/usr/bin:/bin`).status, status, JSON.stringify(versions))
  }

  const newEnough = join(root, "new")
  mkdirSync(newEnough)
  symlinkSync(process.execPath, join(newEnough, "node"))
  assert.equal(run(`${newEnough}:/usr/bin:/bin`).status, 7)
})

function copyOfLauncher(root: string): string {
  mkdirSync(join(root, "bin"))
  copyFileSync(LATCHKEY, join(root, "bin/latchkey"))
  return root
}

test("what the service loads is compiled ahead of its start, and again once a source is newer", (t) => {
  const root = copyOfLauncher(newDirectory(t))
  for (const dir of ["node_modules/yaml", "src/cli", "bin"]) mkdirSync(join(root, dir), { recursive: true })
  const calls = join(root, "calls")
  writeFileSync(join(root, "src/cli/main.ts"), "")
  writeFileSync(join(root, "bin/node"), `#!/bin/sh\necho "$*" >> '${calls}'\n`, { mode: 0o755 })
  const compiled = join(root, "compiled")
  const run = (...words: string[]) => {
    writeFileSync(calls, "")
    const environment = { PATH: `${join(root, "bin")}:/usr/bin:/bin`, NODE_COMPILE_CACHE: compiled }
    assert.equal(spawnSync(join(root, "bin/latchkey"), words, { env: environment }).status, 0)
    return readFileSync(calls, "utf8")
      .split("\n")
      .filter((call) => call.includes("compile.ts")).length
  }
  const at = (file: string, seconds: number) => utimesSync(file, seconds, seconds)

  assert.equal(run("app", "list"), 0)
  assert.equal(run("serve", "--port", "0"), 1)
  at(join(root, "src/cli/main.ts"), 1000)
  at(join(compiled, "complete"), 2000)
  assert.equal(run("serve"), 0)
  assert.equal(run("--json", "serve"), 0)
  at(join(root, "src/cli/main.ts"), 3000)
  assert.equal(run("serve"), 1)
})
