/** Envoy with its filter for JWTs, which a proof installs. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { OpenidService } from "./service.ts"
import type { SiteProgram } from "./site.ts"

/** `program` is the path of the executable. Its configuration is written to `work`. */
export function envoy(program: string, work: string, { url, certificate }: OpenidService): SiteProgram {
  const { hostname, port } = new URL(url)
  return {
    name: "Envoy",
    callback: "/unused",
    command: ({ BASE, PORT }) => {
      const values = { SERVICE_PORT: port, PORT, BASE, HOST: hostname, AUTHORITIES: certificate }
      const file = join(work, "envoy.yaml")
      let text = readFileSync(join(import.meta.dirname, "envoy.yaml"), "utf8")
      for (const [name, value] of Object.entries(values))
        text = text.replaceAll(new RegExp(`\\b${name}\\b`, "g"), value)
      writeFileSync(file, text)
      return [program, "-c", file, "--log-level", "error", "--disable-hot-restart", "--concurrency", "1"]
    },
  }
}
