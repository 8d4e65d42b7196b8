/** The tests must do what docs/clients.md says about clients. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Ability } from "./client.ts"
import { clients } from "./clients.ts"
import { blocks, page } from "./documented.ts"

const abilities: readonly Ability[] = ["discovery", "registration", "refresh", "revocation", "device"]
const { devDependencies, dependencies } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"),
) as Readonly<Record<"devDependencies" | "dependencies", Readonly<Record<string, string>>>>
const packages: Readonly<Record<string, string>> = { ...devDependencies, ...dependencies }

test("every client has its line, with the version and the abilities that are tested", () => {
  const documented = lines()
  const tested = clients.map(({ name, can }, i) => {
    const version =
      packages[name === "MCP SDK" ? "@modelcontextprotocol/sdk" : name] ?? documented[i]?.version
    return { name, version, abilities: abilities.filter((ability) => can.includes(ability)) }
  })
  assert.deepEqual(documented, tested)
})

test("every piece of a program that is shown is one of a program that runs", () => {
  const shown = blocks.filter(({ language }) => language !== "sh")
  assert.ok(shown.length > 5)
  for (const { name, text } of shown) {
    const file = join(import.meta.dirname, name.startsWith("with_") ? "python" : "", name)
    assert.ok(squeezed(readFileSync(file, "utf8")).includes(squeezed(text)), `${name} has no\n${text}`)
  }
})

test("every command that is shown is run", () => {
  const sources = [".", "openid"]
    .flatMap((folder) => readdirSync(join(import.meta.dirname, folder)).map((name) => join(folder, name)))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(import.meta.dirname, name), "utf8"))
    .join("\n")
  const shown = blocks.filter(({ language }) => language === "sh")
  assert.ok(shown.length > 5)
  for (const { name } of shown) assert.ok(sources.includes(`"${name}"`), name)
})

/** Reads lines such as "- [name](#link) version: ability, ability". */
function lines(): readonly { name: string; version: string; abilities: readonly string[] }[] {
  const [, list = ""] = /^## Clients that are tested\n[\s\S]*?^(- [\s\S]*?\n)\n/m.exec(page) ?? []
  return [...list.matchAll(/^- \[(.+)\]\(.+\) ?(.*): (.+)$/gm)].map(
    ([, name = "", version = "", can = ""]) => ({
      name,
      version,
      abilities: abilities.filter((ability) =>
        can.split(", ").includes(ability === "device" ? "device flow" : ability),
      ),
    }),
  )
}

/** Removes indentation and line breaks. */
function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, "").replaceAll(/,(?=[)\]}])/g, "")
}
