/** A metric whose labels name what runs, so that an alert or a plot can tell versions apart during a rollout. */
import { Gauge, type Registry } from "prom-client"
import { version } from "../../kernel/process/version.ts"

/** Adds `latchkey_build_info`, which is always 1. */
export function addBuildInfo(registry: Registry, labels: Readonly<Record<string, string>> = {}): void {
  const all = { version, node: process.versions.node, ...labels }
  const info = new Gauge({
    name: "latchkey_build_info",
    help: "Always 1; the labels name the version of Latchkey and of what it runs on",
    labelNames: Object.keys(all),
    registers: [registry],
  })
  info.set(all, 1)
}
