/**
 * Starts the artifacts of a release as an operator would. npx runs the npm package with the machine's own Node. chroot
 * runs the image in its root file system. Helm checks the chart.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Span, within } from "../../test/support/spawn.ts"
import type { Attempt, Figures, Proof } from "../proof.ts"

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
const START_MILLISECONDS = 120_000
const MIB = 1024 * 1024

export const release: Proof = {
  name: "release",
  promise: "the artefacts of a release start on machines that have nothing of a checkout",
  engines: ["sqlite"],
  prove: (attempt) => within((span) => prove(span, attempt)),
}

async function prove(span: Span, { work, say }: Attempt): Promise<Figures> {
  const output = join(work, "out")
  say("npm run release")
  run(["npm", "run", "release", "--", output], ROOT)
  const files = readdirSync(output)
  const sizeOf = (pattern: RegExp) => {
    const name = files.find((file) => pattern.test(file))
    if (name === undefined) throw new Error(`no artefact is ${String(pattern)}: ${files.join(", ")}`)
    return { file: join(output, name), size: statSync(join(output, name)).size }
  }
  const npmPackage = sizeOf(/^latchkey-\d.*\.tgz$/)
  const image = sizeOf(/-image-.*\.tar$/)
  say("npx")
  const npx = await withNpx(span, work, npmPackage.file)
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
  const environment = { PATH: systemPath, HOME: home }
  const node = run(["node", "--version"], home, environment).trim()
  const command = ["npx", "--yes", "--cache", join(home, "cache"), `--package=file:${tarball}`, "latchkey"]
  const options = { cwd: home, env: environment }
  const service = [...command, "serve", "--data", join(home, "data"), "--port", "0", "--json"]
  const doctor = (url: string) => run([...command, "doctor", url], home, environment)
  return { node, seconds: await serve(span, service, options, doctor) }
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
  const options = { cwd: "/", env: { PATH: systemPath } }
  const port = (number: number | string) => `LATCHKEY_PORT=${number}`
  const service = [...inside, port(0), ...set.Entrypoint, ...set.Cmd, "--json"]
  return serve(span, service, options, (url) => {
    const [, ...healthCheck] = set.Healthcheck.Test
    run([...inside, port(new URL(url).port), ...healthCheck], "/")
    run([...inside, ...set.Entrypoint, "doctor", url], "/")
  })
}

/** Starts a service, requests its metadata, probes it and stops it. Returns how many seconds passed until it served. */
async function serve(
  span: Span,
  [file = "", ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  probe: (url: string) => void,
): Promise<number> {
  const began = performance.now()
  // The process gets its own group, because npx does not pass on every signal.
  const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"], detached: true })
  const exited = once(child, "close")
  span.after(() => end(child, exited))
  const errors: Buffer[] = []
  child.stderr.on("data", (part: Buffer) => errors.push(part))
  const signal = AbortSignal.timeout(START_MILLISECONDS)
  const [line] = (await Promise.race([once(child.stdout, "data", { signal }), exited])) as unknown[]
  if (!Buffer.isBuffer(line))
    throw new Error(`it ended before it served: ${Buffer.concat(errors).toString()}`)
  const seconds = Math.round((performance.now() - began) / 100) / 10
  const { base_url: url } = JSON.parse(line.toString()) as { readonly base_url: string }
  const answer = await fetch(`${url}/.well-known/oauth-authorization-server`)
  const { issuer } = (await answer.json()) as { readonly issuer?: string }
  if (issuer !== url) throw new Error(`the metadata of ${url} names ${String(issuer)}`)
  probe(url)
  await end(child, exited)
  return seconds
}

async function end(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  process.kill(-child.pid, "SIGTERM")
  await exited
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
    ",gate.enabled=true,gate.secretName=gate"
  run([helm, "lint", "--strict", chart, "--set", values], work)
  run([helm, "template", "one", chart, "--kube-version", "1.31.0", "--set", values], work)
  if (spawnSync(helm, ["lint", chart]).status === 0)
    throw new Error("the chart accepts values without an address")
  if (spawnSync(helm, ["lint", chart, "--set", `${values},gate.secretName=`]).status === 0)
    throw new Error("the chart accepts a gate without its secret")
  return HELM.replace(/.*@/, "")
}

function run([file = "", ...args]: readonly string[], cwd: string, env = process.env): string {
  const ended = spawnSync(file, args, { cwd, env, encoding: "utf8", maxBuffer: 64 * MIB })
  if (ended.status === 0) return ended.stdout
  throw new Error(`${file} ${args.join(" ")} failed: ${ended.error?.message ?? ended.stderr}${ended.stdout}`)
}
