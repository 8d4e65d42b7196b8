/** The Helm chart, rendered by Helm where it is installed. `npm run prove -- --only release` builds Helm and lints it. */
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { parse, parseAllDocuments } from "yaml"
import { readConfigurationFile } from "../../src/platform/config/configuration-file.ts"
import { DEPLOY } from "./proxy.ts"

const CHART = join(DEPLOY, "chart")
const templates = readdirSync(join(CHART, "templates")).map((name) => ({
  name,
  text: readFileSync(join(CHART, "templates", name), "utf8"),
}))
const hasHelm = spawnSync("helm", ["version"]).status === 0
const needsHelm = hasHelm ? {} : { skip: "no helm is installed" }
const REQUIRED = {
  baseUrl: "https://id.example.org/id/",
  trustedProxies: "10.0.0.0/8",
  secretName: "secrets",
}

type Resource = {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly data?: Readonly<Record<string, string>>
  readonly spec: Record<string, never> & {
    readonly template: {
      readonly spec: { readonly enableServiceLinks?: boolean; readonly containers: readonly Container[] }
    }
    readonly rules: readonly [{ readonly http: { readonly paths: readonly { readonly path: string }[] } }]
  }
}
type Container = {
  readonly env?: readonly { readonly name: string; readonly value: string }[]
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
}

function render(values: object): readonly Resource[] {
  const args = ["template", "latchkey", CHART, "--kube-version", "1.31.0", "--values", "-"]
  const { stdout, stderr, status } = spawnSync("helm", args, {
    input: JSON.stringify({ ...REQUIRED, ...values }),
    encoding: "utf8",
  })
  assert.equal(status, 0, stderr)
  return parseAllDocuments(stdout).flatMap((document) => (document.toJS() as Resource | null) ?? [])
}

test("CHART-1 every pod is without the variables that Kubernetes sets for Services", () => {
  const pods = templates.filter(({ text }) => text.includes("containers:"))
  assert.deepEqual(pods.map(({ name }) => name).toSorted(), ["deployment.yaml", "gate.yaml"])
  for (const { name, text } of pods) assert.match(text, /^ {6}enableServiceLinks: false$/m, name)
})

test("CHART-1 every value that a template reads is in values.yaml and its schema, and the other way round", () => {
  const values = parse(readFileSync(join(CHART, "values.yaml"), "utf8")) as object
  const schema = JSON.parse(readFileSync(join(CHART, "values.schema.json"), "utf8")) as { properties: object }
  const read = templates.flatMap(({ text }) =>
    [...text.matchAll(/\.Values\.(\w+)/g)].map(([, name = ""]) => name),
  )
  const named = [...new Set(read)].toSorted()
  assert.deepEqual(Object.keys(values).toSorted(), named)
  assert.deepEqual(
    Object.keys(schema.properties)
      .filter((name) => name !== "global")
      .toSorted(),
    named,
  )
})

test("CHART-1 the configuration file of compose.yaml is valid, and without an example it is empty", () => {
  const text = readFileSync(join(DEPLOY, "latchkey.yaml"), "utf8")
  assert.deepEqual(readConfigurationFile(text).problems, [])
  const example = text.slice(text.indexOf("#\n") + 2).replaceAll(/^# ?/gm, "")
  const { problems, permissions, resourceServers } = readConfigurationFile(example)
  assert.deepEqual([problems, permissions.length, resourceServers?.size], [[], 1, 1])
})

test(
  "CHART-1 config becomes a file that the service reads, and without it no file is mounted",
  needsHelm,
  () => {
    const config = { permissions: { "worker:read": { title: "See your workers" } } }
    const resources = render({ config, gate: { enabled: true, secretName: "gate" } })
    const map = resources.find(({ kind }) => kind === "ConfigMap")
    const read = readConfigurationFile(map?.data?.["latchkey.yaml"] ?? "")
    assert.deepEqual([read.problems, read.permissions.map(({ name }) => name)], [[], ["worker:read"]])
    const pod = resources.find(({ kind }) => kind === "Deployment")?.spec.template.spec
    const { env = [], volumeMounts = [] } = pod?.containers[0] ?? {}
    const file = env.find(({ name }) => name === "LATCHKEY_CONFIG")?.value
    assert.equal(file, `${volumeMounts.find(({ name }) => name === "config")?.mountPath}/latchkey.yaml`)
    for (const { spec } of resources.filter(({ kind }) => kind === "Deployment"))
      assert.equal(spec.template.spec.enableServiceLinks, false)
    assert.ok(!JSON.stringify(render({})).includes("LATCHKEY_CONFIG"))
  },
)

test("CHART-1 the ingress routes the metadata of a base URL with a path", needsHelm, () => {
  const pathsOf = (baseUrl: string) =>
    render({ baseUrl, ingress: { enabled: true } })
      .find(({ kind }) => kind === "Ingress")
      ?.spec.rules[0].http.paths.map(({ path }) => path)
  assert.deepEqual(pathsOf("https://id.example.org/id/"), [
    "/id",
    "/.well-known/oauth-authorization-server/id",
    "/.well-known/oauth-protected-resource/id",
  ])
  for (const root of ["https://id.example.org", "https://id.example.org/"])
    assert.deepEqual(pathsOf(root), ["/"])
})
