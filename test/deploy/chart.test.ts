/** The texts of the Helm chart. `npm run prove -- --only release` builds Helm, lints the chart and renders it. */
import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { parse } from "yaml"
import { readConfigurationFile, TOP_KEYS } from "../../src/platform/config/configuration-file.ts"
import { TOP_KEYS as SET_UP_KEYS } from "../../src/admin/apply/set-up-file.ts"
import { operatorVariables } from "../../src/platform/config/variables.rules.ts"
import { routes } from "../../src/routes.ts"
import { DEPLOY } from "./proxy.ts"

const CHART = join(DEPLOY, "chart")
const { properties } = JSON.parse(readFileSync(join(CHART, "values.schema.json"), "utf8")) as {
  properties: {
    config: { properties: object }
    setUp: { properties: { file: { properties: object } } }
    environment: { propertyNames: { then: { enum: readonly string[] } } }
  }
}
const templates = readdirSync(join(CHART, "templates")).map((name) => ({
  name,
  text: readFileSync(join(CHART, "templates", name), "utf8"),
}))
test("CHART-1 every pod is without the variables that Kubernetes sets for Services", () => {
  const pods = templates.filter(({ text }) => text.includes("containers:"))
  assert.deepEqual(pods.map(({ name }) => name).toSorted(), ["deployment.yaml", "gate.yaml", "set-up.yaml"])
  for (const { name, text } of pods) assert.match(text, /^ {6}enableServiceLinks: false$/m, name)
})

test("CHART-1 every value that a template reads is in values.yaml and its schema, and the other way round", () => {
  const values = parse(readFileSync(join(CHART, "values.yaml"), "utf8")) as object
  const read = templates.flatMap(({ text }) =>
    [...text.matchAll(/\.Values\.(\w+)/g)].map(([, name = ""]) => name),
  )
  const named = [...new Set(read)].toSorted()
  assert.deepEqual(Object.keys(values).toSorted(), named)
  assert.deepEqual(
    Object.keys(properties)
      .filter((name) => name !== "global")
      .toSorted(),
    named,
  )
})

test("CHART-1 the ingress passes on each discovery address that the service has at the root of its host", () => {
  const { text = "" } = templates.find(({ name }) => name === "ingress.yaml") ?? {}
  const atRoot = routes("/id").flatMap(({ path }) => /^\/\.well-known\/[\w-]+(?=\/id$|$)/.exec(path) ?? [])
  assert.equal(new Set(atRoot).size, 4)
  for (const path of atRoot)
    assert.ok(text.includes(`"${path.slice("/.well-known/".length)}"`) || text.includes(`"${path}"`), path)
})

test("CHART-1 the schema names what a configuration file may have, but for what is a value of its own", () => {
  const others = TOP_KEYS.filter((name) => name !== "trusted_proxies")
  assert.deepEqual(Object.keys(properties.config.properties).toSorted(), others.toSorted())
})

test("APPLY-2 a job applies the file of a value after each upgrade, with the secrets, and tries again", () => {
  const { text = "" } = templates.find(({ name }) => name === "set-up.yaml") ?? {}
  assert.match(
    text,
    /helm\.sh\/hook: post-install,post-upgrade\n {4}helm\.sh\/hook-delete-policy: before-hook-creation/,
  )
  assert.match(text, /backoffLimit: 10\n/)
  assert.match(
    text,
    /args: \[apply, \/etc\/latchkey-set-up\/set-up\.yaml\{\{ if [^}]*prune \}\}, --prune\{\{ end \}\}\]/,
  )
  assert.match(text, /LATCHKEY_DATABASE_URL_FILE, value: \/run\/secrets\/latchkey\/database_url/)
  assert.deepEqual(
    Object.keys(properties.setUp.properties.file.properties).toSorted(),
    SET_UP_KEYS.toSorted(),
  )
})

test("CHART-1 the schema names the variables that the service knows and the chart does not set", () => {
  const { enum: named } = properties.environment.propertyNames.then
  const ofPod = templates.find(({ name }) => name === "deployment.yaml")?.text ?? ""
  for (const name of named) {
    assert.ok(operatorVariables.includes(name), name)
    assert.ok(!ofPod.includes(`name: ${name},`), name)
  }
})

test("CHART-1 the configuration file of compose.yaml is valid, and without an example it is empty", () => {
  const text = readFileSync(join(DEPLOY, "latchkey.yaml"), "utf8")
  assert.deepEqual(readConfigurationFile(text).problems, [])
  const example = text.slice(text.indexOf("#\n") + 2).replaceAll(/^# ?/gm, "")
  const { problems, permissions, resourceServers } = readConfigurationFile(example)
  assert.deepEqual([problems, permissions.length, resourceServers?.size], [[], 1, 1])
})
