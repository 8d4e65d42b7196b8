/** Packs the Helm chart of `deploy/chart` with the version of the package, as `helm package` does. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { manifest, ROOT, run } from "./staging.ts"

/** Writes `latchkey-chart-VERSION.tgz` into `output`. */
export function packChart(work: string, output: string): void {
  const chart = join(work, "chart/latchkey")
  mkdirSync(chart, { recursive: true })
  cpSync(join(ROOT, "deploy/chart"), chart, { recursive: true })
  const file = join(chart, "Chart.yaml")
  const text = readFileSync(file, "utf8").replaceAll(
    /^(version|appVersion): .*$/gm,
    `$1: ${manifest.version}`,
  )
  writeFileSync(file, text)
  const archive = join(output, `latchkey-chart-${manifest.version}.tgz`)
  run(
    ["tar", "--create", "--gzip", `--file=${archive}`, "--directory", join(work, "chart"), "latchkey"],
    ROOT,
  )
}
