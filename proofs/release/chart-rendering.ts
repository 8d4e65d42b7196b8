/** What Helm makes of the chart, beyond that it is valid. CHART-1. */
import assert from "node:assert/strict"
import { join } from "node:path"
import { parseAllDocuments } from "yaml"
import { readConfigurationFile } from "../../src/platform/config/configuration-file.ts"
import { DEPLOY } from "../../test/deploy/proxy.ts"
import { run } from "./artifact.ts"

const CHART = join(DEPLOY, "chart")
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

/** Renders the chart with `helm`, and throws where a resource is not what operators need. */
export function judgeRendering(helm: string): void {
  judgeConfiguration(helm)
  judgeIngress(helm)
  judgeValues(helm)
}

/** A name that the service would refuse. */
const UNKNOWN_VARIABLE = ["LATCHKEY", "LOGLEVEL"].join("_")

/** Proxies are a text or a list. A name that the service would refuse at start is refused before that. */
function judgeValues(helm: string): void {
  const proxiesOf = (trustedProxies: unknown) =>
    render(helm, { trustedProxies })
      .find(({ kind }) => kind === "Deployment")
      ?.spec.template.spec.containers[0]?.env?.find(({ name }) => name === "LATCHKEY_TRUSTED_PROXIES")?.value
  assert.equal(proxiesOf("10.0.0.0/8"), "10.0.0.0/8")
  assert.equal(proxiesOf(["10.0.0.0/8", "192.168.0.1"]), "10.0.0.0/8,192.168.0.1")
  render(helm, { environment: { LATCHKEY_LOG_LEVEL: "warn", NODE_EXTRA_CA_CERTS: "/ca.pem" } })
  for (const wrong of [
    { trustedProxies: [] },
    { config: { permisions: {} } },
    { config: { trusted_proxies: ["10.0.0.0/8"] } },
    { environment: { [UNKNOWN_VARIABLE]: "warn" } },
    { environment: { LATCHKEY_BASE_URL: "https://other.example" } },
  ])
    assert.throws(() => render(helm, wrong), JSON.stringify(wrong))
}

function render(helm: string, values: object): readonly Resource[] {
  const given = Object.entries({ ...REQUIRED, ...values }).flatMap(([name, value]) => [
    "--set-json",
    `${name}=${JSON.stringify(value)}`,
  ])
  const text = run([helm, "template", "latchkey", CHART, "--kube-version", "1.31.0", ...given], DEPLOY)
  return parseAllDocuments(text).flatMap((document) => (document.toJS() as Resource | null) ?? [])
}

/** `config` becomes a file that the service reads. Without it no file is mounted. */
function judgeConfiguration(helm: string): void {
  const config = { permissions: { "worker:read": { title: "See your workers" } } }
  const resources = render(helm, { config, gate: { enabled: true, secretName: "gate" } })
  const map = resources.find(({ kind }) => kind === "ConfigMap")
  const read = readConfigurationFile(map?.data?.["latchkey.yaml"] ?? "")
  assert.deepEqual([read.problems, read.permissions.map(({ name }) => name)], [[], ["worker:read"]])
  const pod = resources.find(({ kind }) => kind === "Deployment")?.spec.template.spec
  const { env = [], volumeMounts = [] } = pod?.containers[0] ?? {}
  const file = env.find(({ name }) => name === "LATCHKEY_CONFIG")?.value
  assert.equal(file, `${volumeMounts.find(({ name }) => name === "config")?.mountPath}/latchkey.yaml`)
  for (const { spec } of resources.filter(({ kind }) => kind === "Deployment"))
    assert.equal(spec.template.spec.enableServiceLinks, false)
  assert.ok(!JSON.stringify(render(helm, {})).includes("LATCHKEY_CONFIG"))
}

/** The ingress routes the metadata of a base URL with a path. */
function judgeIngress(helm: string): void {
  const pathsOf = (baseUrl: string) =>
    render(helm, { baseUrl, ingress: { enabled: true } })
      .find(({ kind }) => kind === "Ingress")
      ?.spec.rules[0].http.paths.map(({ path }) => path)
  assert.deepEqual(pathsOf("https://id.example.org/id/"), [
    "/id",
    "/.well-known/oauth-authorization-server/id",
    "/.well-known/oauth-protected-resource/id",
    "/.well-known/openid-configuration/id",
    "/.well-known/webfinger",
  ])
  for (const root of ["https://id.example.org", "https://id.example.org/"])
    assert.deepEqual(pathsOf(root), ["/"])
}
