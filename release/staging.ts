/** What every artifact is made of: the compiled service, its manifest and its exact packages. */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

export const ROOT = join(import.meta.dirname, "..")

type Packages = Readonly<Record<string, { readonly dev?: boolean; readonly link?: boolean }>>
const KIT = "packages/resource-server/src"

export type Manifest = Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string }

export const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest

/** Runs a command and returns what it printed. Throws with its errors if it fails. */
export function run(command: readonly string[], cwd: string, environment: NodeJS.ProcessEnv = {}): string {
  const [file = "", ...args] = command
  const ended = spawnSync(file, args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, ...environment },
    maxBuffer: 64 * 1024 * 1024,
  })
  if (ended.status === 0) return ended.stdout
  throw new Error(`${command.join(" ")} failed: ${ended.error?.message ?? ended.stderr}`)
}

/** Secrets and certificates of a trial of compose.yaml are not published, and neither is code beside the documents. */
function isPublished(source: string): boolean {
  return !/deploy\/(?:secrets|certificate)$|docs\/[^/]+\.ts$/.test(source)
}

/** Writes the package into `directory`: compiled code, launcher, manifest, lock file, documents and deployment files. */
export function stage(directory: string): void {
  mkdirSync(directory, { recursive: true })
  compile(join(directory, "dist"))
  for (const name of ["bin", "LICENSE", "CHANGELOG.md", "SECURITY.md", "docs", "deploy"]) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    cpSync(join(ROOT, name), join(directory, name), { recursive: true, filter: isPublished })
  }
  cpSync(join(ROOT, "release/README.md"), join(directory, "README.md"))
  writeJson(join(directory, "package.json"), publishedManifest())
  writeJson(join(directory, "npm-shrinkwrap.json"), publishedLock())
}

/**
 * TypeScript to JavaScript, and the files that are neither: style sheets and the scripts of worker threads. The kit, which
 * the gate uses, becomes a folder of the service.
 */
function compile(output: string): void {
  const compiled = `${output}-compiled`
  run([join(ROOT, "node_modules/.bin/tsc"), "-p", "release/tsconfig.json", "--outDir", compiled], ROOT)
  renameSync(join(compiled, "src"), output)
  renameSync(join(compiled, KIT), join(output, "resource-server"))
  rmSync(compiled, { recursive: true })
  cpSync(join(ROOT, "src"), output, {
    recursive: true,
    filter: (source) => !/\.(ts|md)$/.test(source),
  })
}

/** The manifest without what only a checkout has. */
function publishedManifest(): Manifest {
  const {
    scripts: _scripts,
    devDependencies: _dev,
    workspaces: _workspaces,
    private: _private,
    ...rest
  } = manifest
  return { ...rest, imports: { "#resource-server/*.ts": "./dist/resource-server/*.js" } }
}

/** The lock file without development packages. npm installs exactly these versions with the package. */
function publishedLock(): unknown {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    readonly packages: Packages
  }
  const installed = Object.entries(lock.packages).filter(
    ([path, { dev = false, link = false }]) => path.startsWith("node_modules/") && !dev && !link,
  )
  return { ...lock, packages: { "": publishedManifest(), ...Object.fromEntries(installed) } }
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}

/** Throws if a file that an artifact needs is missing. */
export function mustExist(file: string): string {
  if (!existsSync(file)) throw new Error(`${file} is missing`)
  return file
}
