/**
 * Makes everything that a release consists of:
 *
 *   npm run release -- [OUTPUT]
 *
 * OUTPUT (default: `out`) gets the npm packages, the container image, the Helm chart, the systemd units, the SBOMs and the
 * checksums of all of them. The image needs mmdebstrap and root; without them it is left out, and the command says so.
 */
import { createHash } from "node:crypto"
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { packChart } from "./chart.ts"
import { buildRootFileSystem, DEBIAN, imageMissing, packImage } from "./image.ts"
import { imageSbom, packageSbom } from "./sbom.ts"
import { manifest, ROOT, run, stage } from "./staging.ts"

const output = resolve(process.argv[2] ?? "out")
const work = mkdtempSync(join(tmpdir(), "latchkey-release-"))
process.once("exit", () => rmSync(work, { recursive: true, force: true }))
mkdirSync(output, { recursive: true })

const staged = join(work, "latchkey")
stage(staged)
pack(staged)
run(["npm", "run", "build", "--workspace", "@latchkey/resource-server"], ROOT)
pack(join(ROOT, "packages/resource-server"))
const sbom = packageSbom(staged)
writeSbom("", sbom)
packChart(work, output)
for (const name of ["latchkey.service", "latchkey-postgres.conf", "latchkey-gate.service"])
  copyFileSync(join(ROOT, "deploy", name), join(output, name))
makeImage()
writeChecksums()
for (const name of readdirSync(output)) console.log(join(output, name))

function pack(directory: string): void {
  run(["npm", "pack", "--silent", "--pack-destination", output], directory)
}

function makeImage(): void {
  const missing = imageMissing()
  if (missing !== null) return console.log(`The image is left out: ${missing}.`)
  const root = join(work, "root")
  buildRootFileSystem(root, staged)
  packImage(root, work, join(output, `latchkey-${manifest.version}-image-${process.arch}.tar`))
  writeSbom(`-image-${process.arch}`, imageSbom(sbom, root, DEBIAN))
}

function writeSbom(of: string, bom: object): void {
  writeFileSync(join(output, `latchkey-${manifest.version}${of}.cdx.json`), JSON.stringify(bom, null, 2))
}

/** In the form that `sha256sum --check` reads. */
function writeChecksums(): void {
  const names = readdirSync(output).filter((name) => name !== "SHA256SUMS")
  const lines = names.map((name) => {
    const digest = createHash("sha256")
      .update(readFileSync(join(output, name)))
      .digest("hex")
    return `${digest}  ${name}\n`
  })
  writeFileSync(join(output, "SHA256SUMS"), lines.join(""))
}
