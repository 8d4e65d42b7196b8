import assert from "node:assert/strict"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { readConfig } from "../../../src/platform/config/config.ts"
import { permission } from "../../support/core-sample.ts"

async function configOf(t: TestContext, text: string) {
  const dir = mkdtempSync(join(tmpdir(), "latchkey-"))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  writeFileSync(join(dir, "latchkey.yaml"), text)
  const config = await readConfig({ data: dir, config: null, databaseUrl: null })
  return config.ok ? config : config.error.map((problem) => problem.replace(join(dir, "latchkey.yaml"), ""))
}

test("LANG-9 permissions and resource servers take a text or a map of tags, which get their canonical spelling", async (t) => {
  const config = await configOf(
    t,
    `resource_servers:
  - { resource: https://files.example/, name: { en: Files, pt-br: Arquivos } }
  - { resource: https://mail.example/, name: Mail }
  - { resource: https://bare.example/ }
permissions:
  files:read:
    title: { ZH-hans: 读取文件, en: " Read " }
    description:
      en: |
        One line,
        and another.
    group: Files
`,
  )
  assert.ok("value" in config, JSON.stringify(config))
  const { catalog, resourceServers } = config.value
  assert.deepEqual(
    [...(resourceServers ?? [])].map(([resource, { name }]) => [resource, name]),
    [
      [
        "https://files.example/",
        new Map([
          ["en", "Files"],
          ["pt-BR", "Arquivos"],
        ]),
      ],
      ["https://mail.example/", "Mail"],
      ["https://bare.example/", "https://bare.example/"],
    ],
  )
  const { title, description, group } = catalog.get(permission("files:read")) ?? assert.fail()
  assert.deepEqual(
    title,
    new Map([
      ["zh-Hans", "读取文件"],
      ["en", "Read"],
    ]),
  )
  assert.deepEqual(description, new Map([["en", "One line,\nand another."]]))
  assert.equal(group, "Files")
})

test("LANG-9 a map that is wrong is refused at the start by line and key", async (t) => {
  const problems = await configOf(
    t,
    `resource_servers:
  - { resource: https://files.example/, name: {} }
permissions:
  files:read:
    title:
      de_AT: Lesen
      "no": ""
      en: [Read]
      "": Read
    description: {}
    group:
      de: Dateien
      DE: Dateien
  files:write:
    title: "Write\\u0007 files"
    description: { en: "Write\\u009b files" }
    group: [Files]
  files:move:
    title: { en: }
`,
  )
  assert.deepEqual(problems, [
    ":2: resource_servers: name: expected a text for a language",
    ":6: files:read: title: de_AT: expected the tag of a language, such as pt-BR",
    ":7: files:read: title: no: expected a text",
    ":8: files:read: title: en: expected a text",
    ":9: files:read: title: : expected the tag of a language, such as pt-BR",
    ":10: files:read: description: expected a text for a language",
    ":13: files:read: group: DE: expected each language only once",
    ":15: files:write: title: expected a text without control characters",
    ":16: files:write: description: en: expected a text without control characters",
    ":17: files:write: group: expected a text",
    ":19: files:move: title: en: expected a text",
  ])
})
