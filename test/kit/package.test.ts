/** Tests the package as it is published. It is built, installed beside foreign code, and used from there. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { newDirectory, wholeFile } from "../support/spawn.ts"

const root = join(import.meta.dirname, "../..")
const source = join(root, "packages/resource-server")
const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly files: readonly string[]
  readonly dependencies?: object
}
const stranger = newDirectory(wholeFile())
const installed = join(stranger, "node_modules/@latchkey/resource-server")

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: stranger, encoding: "utf8" })
  assert.equal(status, 0, `${stdout}\n${stderr}`)
  return stdout
}

const tsc = (...args: readonly string[]) => run(join(root, "node_modules/.bin/tsc"), args)

mkdirSync(installed, { recursive: true })
tsc("-p", source, "--outDir", join(installed, "dist"))
cpSync(join(source, "package.json"), join(installed, "package.json"))

test("every door of the package leads to its built code and types, and its source to a file", () => {
  for (const [door, conditions] of Object.entries(manifest.exports)) {
    for (const condition of ["types", "default"])
      assert.ok(existsSync(join(installed, conditions[condition] ?? "none")), `${door} ${condition}`)
    assert.ok(existsSync(join(source, conditions["latchkey-source"] ?? "none")), door)
    assert.equal(Object.keys(conditions).at(-1), "default", "the last condition is the default")
  }
})

test("nothing is installed with it, and only what is built is published", () => {
  assert.equal(manifest.dependencies, undefined)
  assert.deepEqual(manifest.files, ["dist"])
  const built = readdirSync(join(installed, "dist"), { recursive: true, encoding: "utf8" })
  const code = built.filter((file) => file.endsWith(".js"))
  assert.ok(code.length > 10)
  for (const file of code) {
    const text = readFileSync(join(installed, "dist", file), "utf8")
    for (const [, name = ""] of text.matchAll(/(?:from|import)\s*\(?"([^"]+)"/g))
      assert.match(name, /^\.\.?\/[\w/.-]+\.js$/, `${file} imports ${name}`)
  }
})

test("plain JavaScript imports every door", () => {
  const doors = Object.keys(manifest.exports).map((door) => `@latchkey/resource-server${door.slice(1)}`)
  const script = `
    const { createResourceServer, requirePermission } = await import("${doors[0]}")
    const api = createResourceServer({ issuer: "https://id.example", clientId: "a", clientSecret: "b",
      resource: "https://api.example/x" })
    const checked = await api.verify({ headers: {} }, requirePermission("x"))
    api.close()
    const names = []
    for (const door of ${JSON.stringify(doors.slice(1))}) names.push(...Object.keys(await import(door)))
    console.log(JSON.stringify({ status: checked.refusal.status, names }))`
  writeFileSync(join(stranger, "use.mjs"), script)
  const { status, names } = JSON.parse(run(process.execPath, ["use.mjs"])) as {
    status: number
    names: string[]
  }
  assert.equal(status, 401)
  assert.equal(names.filter((name) => name === "protect").length, doors.length - 1)
})

test("TypeScript with other settings than ours takes its types", () => {
  const code = `
    import { createResourceServer, requirePermission, type Access } from "@latchkey/resource-server"
    import { protect } from "@latchkey/resource-server/fetch"
    const api = createResourceServer({ issuer: "i", clientId: "c", clientSecret: "s", resource: "r" })
    const name = (access: Access): string => access.username
    export const answer = protect(api, (_, access) => new Response(name(access)), requirePermission("x"))
    // @ts-expect-error: a permission is a text
    requirePermission(1)`
  writeFileSync(join(stranger, "use.mts"), code)
  const settings = [
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--lib",
    "es2022,dom",
    "--types",
    "",
  ]
  tsc("--noEmit", ...settings, "use.mts")
})
