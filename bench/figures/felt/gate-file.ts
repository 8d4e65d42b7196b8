/** The file of a gate that guards one host. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"

export const GATE_HOST = "api.example"
export const GATE_SECRET = "a-secret-of-the-gates-of-the-benchmark"

/** Writes the files of a gate into `dir`. Returns the path of its configuration. */
export function writeGateFile(
  dir: string,
  issuer: string,
  permission: string,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): string {
  writeFileSync(join(dir, "client-secret"), clientSecret, { mode: 0o600 })
  writeFileSync(join(dir, "shared-secret"), GATE_SECRET, { mode: 0o600 })
  const file = join(dir, "gate.yaml")
  const config = {
    service: issuer,
    client_id: clientId,
    client_secret_file: join(dir, "client-secret"),
    proxies: { trusted: ["127.0.0.1/32"], shared_secret_file: join(dir, "shared-secret") },
    hosts: [
      {
        host: GATE_HOST,
        resource: `https://${GATE_HOST}`,
        routes: [{ methods: ["GET"], path: "/", permission }],
      },
    ],
  }
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(config))
  return file
}
