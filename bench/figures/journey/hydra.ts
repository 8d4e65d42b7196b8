/**
 * Ory Hydra with a program that accepts every sign-in and consent. The program is found by its name, or by the variable
 * HYDRA. It is built from its sources:
 *
 *   git clone --depth 1 --branch v26.2.0 https://github.com/ory/hydra && cd hydra && CGO_ENABLED=0 go build -o hydra .
 */
import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { freePort } from "../../../test/support/free-port.ts"
import { type Core, printedBy, running, startAlone, startNode } from "../../server-process.ts"
import type { Database } from "../database.ts"
import { PASSWORD, type Product, Server } from "./product.ts"
import { CALLBACK } from "./visitor.ts"

/** Returns the path of the program, or why it cannot be measured. */
export function hydraProgram():
  { readonly file: string; readonly version: string } | { readonly missing: string } {
  const file = process.env["HYDRA"] ?? "hydra"
  const { status, stdout } = spawnSync(file, ["version"], { encoding: "utf8" })
  const [, version] = /^Version:\s*v?(\S+)/m.exec(stdout ?? "") ?? []
  if (status !== 0) return { missing: `there is no program ${file}` }
  return { file, version: version ?? "" }
}

export async function openHydra(
  { file, version }: { readonly file: string; readonly version: string },
  work: string,
  core: Core,
  database: Database,
): Promise<Product> {
  const [publicPort, adminPort] = [await freePort(), await freePort()]
  const [origin, admin] = [`http://localhost:${publicPort}`, `http://localhost:${adminPort}`]
  const program = startNode(core, ["bench/figures/journey/consent-program.ts", admin], {
    log: `${work}/consent-program.log`,
  })
  const consent = await running(program, Number)
  const databaseUrl = await database.create("hydra")
  const environment = {
    DSN: `${databaseUrl}?sslmode=disable`,
    SECRETS_SYSTEM: randomBytes(24).toString("hex"),
    SERVE_PUBLIC_PORT: String(publicPort),
    SERVE_ADMIN_PORT: String(adminPort),
    URLS_SELF_ISSUER: origin,
    URLS_LOGIN: `http://localhost:${consent.port}/login`,
    URLS_CONSENT: `http://localhost:${consent.port}/consent`,
    SQA_OPT_OUT: "true",
  }
  const options = { log: `${work}/hydra.log`, environment }
  await printedBy(startAlone("any", [file, "migrate", "sql", "up", "--read-from-env", "--yes"], options))
  const launch = () => startAlone(core, [file, "serve", "all", "--dev"], options)
  const server = new Server(launch, `${admin}/health/ready`)
  await server.start()
  return {
    name: `Ory Hydra ${version}, PostgreSQL`,
    hashing: "none: a program of yours signs in",
    databaseUrl,
    site: {
      origin,
      authorize: `${origin}/oauth2/auth`,
      token: `${origin}/oauth2/token`,
      revoke: `${origin}/oauth2/revoke`,
      clientId: await addClient(admin),
      otherClientId: await addClient(admin),
      scope: "offline_access files",
      password: PASSWORD,
      buttons: {},
    },
    shares: [
      { of: "server", pid: server.pid },
      { of: "database", pid: database.pid },
      { of: "consent program", pid: consent.pid },
    ],
    warmUpSeconds: 5,
    server,
    stop: async () => {
      await server.stop()
      await consent.stop()
    },
  }
}

async function addClient(admin: string): Promise<string> {
  const client = {
    client_name: "Paperclip",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    redirect_uris: [CALLBACK],
    scope: "offline_access files",
    token_endpoint_auth_method: "none",
  }
  const headers = { "content-type": "application/json" }
  const answer = await fetch(`${admin}/admin/clients`, {
    method: "POST",
    headers,
    body: JSON.stringify(client),
  })
  const { client_id: id } = (await answer.json()) as { readonly client_id?: string }
  if (id === undefined) throw new Error(`Hydra takes no client: ${answer.status}`)
  return id
}
