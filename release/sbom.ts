/** The list of all parts of an artifact (SBOM), as CycloneDX. npm writes it for packages, and an image adds Debian's. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { run } from "./staging.ts"

type Component = {
  readonly type: string
  readonly name: string
  readonly version: string
  readonly purl: string
}
type Sbom = { readonly components: readonly Component[] }

/** Where scanners look for packages of Debian in an image without a package manager. One file has one package. */
export const STATUS = "var/lib/dpkg/status.d"

/** Returns the parts of the npm package. */
export function packageSbom(staged: string): Sbom {
  const npm = ["npm", "sbom", "--sbom-format=cyclonedx", "--omit=dev", "--package-lock-only"]
  return JSON.parse(run(npm, staged)) as Sbom
}

/** Adds the Debian packages that a root file system has. */
export function imageSbom(sbom: Sbom, root: string, debian: string): Sbom {
  const packages = readdirSync(join(root, STATUS)).map((file) => debianComponent(root, file, debian))
  return { ...sbom, components: [...sbom.components, ...packages] }
}

function debianComponent(root: string, file: string, debian: string) {
  const text = readFileSync(join(root, STATUS, file), "utf8")
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(text)?.[1] ?? ""
  const [name, version] = [field("Package"), field("Version")]
  const about = `arch=${field("Architecture")}&distro=${debian}`
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?${about}`
  return { "bom-ref": purl, type: "library", name, version, purl }
}
