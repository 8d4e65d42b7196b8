/**
 * Starts the artifacts of a release as an operator would. npx runs the npm package with the machine's own Node. chroot
 * runs the image in its root file system. Each runs the service, and then a gate that asks it. Helm checks the chart,
 * and systemd the units.
 */
import { spawnSync } from "node:child_process"
import { chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Span, within } from "../../test/support/spawn.ts"
import { imageMissing } from "../../release/image.ts"
import type { Attempt, Figures, Proof } from "../proof.ts"
import { type Artifact, run, tryArtifact } from "./artifact.ts"
import { judgeRendering } from "./chart-rendering.ts"

const ROOT = join(import.meta.dirname, "../..")
const HELM = "helm.sh/helm/v3/cmd/helm@v3.22.0"
const VALIDATOR = [
  "@cyclonedx/cyclonedx-library@10.3.0",
  "ajv@8.20.0",
  "ajv-formats@3.0.1",
  "ajv-formats-draft2019@1.6.1",
]
const CHECK = `
import { readFileSync } from "node:fs"
import { Spec, Validation } from "@cyclonedx/cyclonedx-library"
const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5)
for (const file of process.argv.slice(2)) {
  const problem = await validator.validate(readFileSync(file, "utf8"))
  if (problem !== null) throw new Error(file + JSON.stringify(problem))
}`
const MIB = 1024 * 1024

export const release: Proof = {
  name: "release",
  promise: "the artifacts of a release start on machines that have nothing of a checkout",
  engines: ["sqlite"],
  prove: (attempt) => within((span) => prove(span, attempt)),
}

async function prove(span: Span, { work, say }: Attempt): Promise<Figures> {
  const output = join(work, "out")
  const missing = imageMissing()
  if (missing !== null) throw new Error(`no image can be made: ${missing}`)
  say("npm run release")
  run(["npm", "run", "release", "--", output], ROOT)
  const files = readdirSync(output)
  const sizeOf = (pattern: RegExp) => {
    const name = files.find((file) => pattern.test(file))
    if (name === undefined) throw new Error(`no artifact is ${String(pattern)}: ${files.join(", ")}`)
    return { file: join(output, name), size: statSync(join(output, name)).size }
  }
  const npmPackage = sizeOf(/^latchkey-\d.*\.tgz$/)
  const image = sizeOf(/-image-.*\.tar$/)
  say("npx")
  const npx = await withNpx(span, work, npmPackage.file)
  say("systemd-analyze")
  const units = checkUnits(work, output, npmPackage.file)
  say("chroot")
  const inImage = await withChroot(span, work, image.file)
  say("SBOM")
  const sboms = files.filter((file) => file.endsWith(".cdx.json")).map((file) => join(output, file))
  const components = checkSboms(work, sboms)
  say("helm lint")
  const helm = lintChart(work, sizeOf(/-chart-/).file)
  return {
    "npm package, KiB": Math.round(npmPackage.size / 1024),
    "npx on Node": npx.node,
    "npx with an empty cache until it serves, s": npx.seconds,
    "image, MiB": Math.round(image.size / MIB),
    "image until it serves, s": inImage,
    "parts in the lists of parts (CycloneDX 1.5, valid)": components,
    "helm lint": helm,
    "systemd units verified": units,
  }
}

/** The commands of the machine, without those that npm has added for this run. */
const systemPath = (process.env["PATH"] ?? "")
  .split(":")
  .filter((part) => !part.includes("node_modules"))
  .join(":")

async function withNpx(span: Span, work: string, tarball: string) {
  const home = join(work, "npx")
  mkdirSync(home)
  const env = { PATH: systemPath, HOME: home }
  const node = run(["node", "--version"], home, env).trim()
  const command = ["npx", "--yes", "--cache", join(home, "cache"), `--package=file:${tarball}`, "latchkey"]
  const artifact: Artifact = {
    command: (...words) => [...command, ...words],
    options: { cwd: home, env },
    data: ["--data", join(home, "data")],
    gateFolder: { inside: home, outside: home },
  }
  const doctor = (url: string) => run([...command, "doctor", url], home, env)
  return { node, seconds: await tryArtifact(span, artifact, doctor) }
}

/** Unpacks the layers of the archive and uses the user and the environment that the image names. */
async function withChroot(span: Span, work: string, archive: string): Promise<number> {
  const layout = join(work, "layout")
  const root = join(work, "root")
  for (const dir of [layout, root]) mkdirSync(dir)
  run(["tar", "-xf", archive, "-C", layout], work)
  const blob = (digest: string) => join(layout, "blobs", digest.replace(":", "/"))
  const read = (file: string) => JSON.parse(run(["cat", file], work)) as Record<string, unknown>
  const [image] = read(join(layout, "index.json"))["manifests"] as readonly { readonly digest: string }[]
  const { config, layers } = read(blob(image?.digest ?? "")) as {
    readonly config: { readonly digest: string }
    readonly layers: readonly { readonly digest: string }[]
  }
  for (const { digest } of layers) run(["tar", "-xzf", blob(digest), "-C", root], work)
  const set = read(blob(config.digest))["config"] as {
    readonly User: string
    readonly Env: readonly string[]
    readonly Entrypoint: readonly string[]
    readonly Cmd: readonly string[]
    readonly Healthcheck: { readonly Test: readonly string[] }
  }
  const inside = ["chroot", `--userspec=${set.User}`, root, "/usr/bin/env", "-i", ...set.Env]
  // A container engine writes this file too.
  writeFileSync(join(root, "etc/hosts"), "127.0.0.1 localhost\n")
  // The operator mounts the files of the gate there.
  const mounted = join(root, "etc/latchkey")
  mkdirSync(mounted)
  const [user = 0, group = 0] = set.User.split(":").map(Number)
  chownSync(mounted, user, group)
  const port = (number: number | string) => `LATCHKEY_PORT=${number}`
  const artifact: Artifact = {
    command: (...words) => [...inside, port(0), ...set.Entrypoint, ...words],
    options: { cwd: "/", env: { PATH: systemPath } },
    data: [],
    gateFolder: { inside: "/etc/latchkey", outside: mounted },
  }
  return tryArtifact(span, artifact, (url) => {
    const [, ...healthCheck] = set.Healthcheck.Test
    run([...inside, port(new URL(url).port), ...healthCheck], "/")
    run([...inside, ...set.Entrypoint, "doctor", url], "/")
  })
}

/** Lets systemd judge the units, with the npm package unpacked where they expect it. Returns how many there are. */
function checkUnits(work: string, output: string, tarball: string): number {
  const installed = join(work, "opt/latchkey")
  mkdirSync(installed, { recursive: true })
  run(["tar", "-xzf", tarball, "--strip-components", "1", "-C", installed], work)
  const units = readdirSync(output).filter((name) => name.endsWith(".service"))
  for (const name of units) {
    const unit = join(work, name)
    writeFileSync(unit, readFileSync(join(output, name), "utf8").replaceAll("/opt/latchkey", installed))
    const verified = spawnSync("systemd-analyze", ["verify", "--recursive-errors=no", unit], {
      encoding: "utf8",
    })
    if (verified.status !== 0 || verified.stderr !== "")
      throw new Error(`systemd-analyze verify ${name}: ${verified.error?.message ?? verified.stderr}`)
  }
  return units.length
}

/** Judges the lists with the schema of the CycloneDX project, which a package of npm has. Returns how many parts they name. */
function checkSboms(work: string, files: readonly string[]): number {
  const dir = join(work, "cyclonedx")
  mkdirSync(dir)
  writeFileSync(join(dir, "package.json"), '{ "type": "module" }')
  run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", ...VALIDATOR], dir)
  writeFileSync(join(dir, "check.js"), CHECK)
  run([process.execPath, "check.js", ...files], dir)
  const partsOf = (file: string) =>
    (JSON.parse(readFileSync(file, "utf8")) as { components: unknown[] }).components.length
  return files.map(partsOf).reduce((sum, count) => sum + count, 0)
}

/** Builds Helm from its Go module. Without Go, the result says that this step was left out. */
function lintChart(work: string, chart: string): string {
  const go = ["/usr/local/go/bin/go", "go"].find((name) => spawnSync(name, ["version"]).status === 0)
  if (go === undefined) return "left out: no Go is installed"
  run([go, "install", HELM], work, { ...process.env, GOBIN: join(work, "bin"), GOFLAGS: "-modcacherw" })
  const helm = join(work, "bin/helm")
  const values =
    "baseUrl=https://id.example.org/id,trustedProxies=10.42.0.0/16,secretName=latchkey,ingress.enabled=true" +
    ",gate.enabled=true,gate.secretName=gate,gate.keysClaim=keys,config.permissions.worker:read.title=Workers"
  run([helm, "lint", "--strict", chart, "--set", values], work)
  run([helm, "template", "one", chart, "--kube-version", "1.31.0", "--set", values], work)
  judgeRendering(helm)
  if (spawnSync(helm, ["lint", chart]).status === 0)
    throw new Error("the chart accepts values without an address")
  if (spawnSync(helm, ["lint", chart, "--set", `${values},gate.secretName=`]).status === 0)
    throw new Error("the chart accepts a gate without its secret")
  return HELM.replace(/.*@/, "")
}
