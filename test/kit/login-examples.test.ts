/** The guide for products with a login of their own shows how each example was connected. It must show all of it. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runInNewContext } from "node:vm"
import { addAccount } from "../support/seed.ts"
import { done, newDirectory } from "../support/spawn.ts"

const root = join(import.meta.dirname, "../..")
const read = (name: string) => readFileSync(join(root, name), "utf8")
const MAX_LINES = 20

/** The connected program of each example, and the same program before that. */
const examples: ReadonlyMap<string, string> = new Map([
  ["login-express/main.ts", "login-express/before.ts"],
  ["login-fastapi/main.py", "login-fastapi/before.py"],
  ["login-go/main.go", "login-go/before/before.go"],
])

const shown = [...read("docs/your-login.md").matchAll(/^```diff (\S+)\n([^]*?)^```$/gm)].map(
  ([, name = "", diff = ""]) => ({ name, lines: diff.trimEnd().split("\n") }),
)

test("LOGIN-28 docs/your-login.md shows the change of each example", () => {
  assert.deepEqual(
    shown.map(({ name }) => name),
    [...examples.keys()],
  )
})

for (const { name, lines } of shown)
  test(`LOGIN-28 the change of ${name} in the guide makes the connected product of the unconnected one, in at most twenty lines`, () => {
    const changed = lines.filter((line) => /^[+-]/.test(line))
    assert.ok(changed.length > 5 && changed.length <= MAX_LINES, `${changed.length} lines`)
    const before = read(`examples/${examples.get(name)}`)
    assert.equal(applied(before, lines), read(`examples/${name}`))
  })

test("LOGIN-28 the guide shows the entry of examples/login.yaml, which the service reads with the secret beside it", async (t) => {
  const [, entry = ""] = /^```yaml\n(sign_in_providers:\n[^]*?)^```$/m.exec(read("docs/your-login.md")) ?? []
  assert.ok(entry.length > 100 && read("examples/login.yaml").endsWith(entry.replaceAll(/ #.*$/gm, "")))
  const dir = newDirectory(t)
  const config = join(dir, "login.yaml")
  cpSync(join(root, "examples/login.yaml"), config)
  writeFileSync(join(dir, "notebook.secret"), "0123456789".repeat(5))
  await addAccount(dir, "root")
  const listed = await done<readonly { name: string; url: string }[]>(dir, [
    "provider",
    "list",
    "--config",
    config,
  ])
  assert.deepEqual(
    listed.map(({ name, url }) => ({ name, url })),
    [{ name: "notebook", url: "http://localhost:8797/connect" }],
  )
})

test("LOGIN-30 the lines of the guide know the one user of this product, and refuse none, another product's and several", () => {
  const [, lines = ""] =
    /^```ts\n(const \[[^]*? access\.identities[^]*?)^```$/m.exec(read("docs/your-login.md")) ?? []
  const userOf = (...identities: readonly { readonly provider: string; readonly subject: string }[]) =>
    runInNewContext(`(() => { ${lines}; return user })()`, {
      access: { identities },
      users: new Map(["4711", "4712"].map((id) => [id, `user ${id}`])),
      response: { sendStatus: (status: number) => status },
    }) as unknown
  const [library, ada, ben] = [
    { provider: "library", subject: "4711" },
    { provider: "notebook", subject: "4711" },
    { provider: "notebook", subject: "4712" },
  ]
  assert.equal(userOf(ada), "user 4711")
  assert.equal(userOf(library, ben), "user 4712")
  for (const refused of [[], [library], [ada, ben], [library, ada, ben], [{ ...ada, subject: "4713" }]])
    assert.equal(userOf(...refused), 403)
})

test("a change that does not fit is not taken", () => {
  assert.equal(applied("a\nb\nc\n", ["@@", " a", "-b", "+d", " c"]), "a\nd\nc\n")
  assert.throws(() => applied("a\nb\n", ["@@", " b", "+c", " a"]))
})

/** Applies the hunks of a unified diff, each of which begins with `@@`, one after the other. */
function applied(before: string, diff: readonly string[]): string {
  let [result, rest] = ["", before]
  for (const hunk of diff.join("\n").split(/^@@\n/m).slice(1)) {
    const lines = hunk.trimEnd().split("\n")
    const side = (without: string) =>
      lines
        .filter((line) => !line.startsWith(without))
        .map((line) => `${line.slice(1)}\n`)
        .join("")
    const [old, at] = [side("+"), `\n${rest}`.indexOf(`\n${side("+")}`)]
    assert.ok(at >= 0, `the program has no\n${old}`)
    result += rest.slice(0, at) + side("-")
    rest = rest.slice(at + old.length)
  }
  return result + rest
}
