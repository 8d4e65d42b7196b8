/** Keycloak in its production mode on PostgreSQL, with accounts of one realm and an app that needs consent. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { KEYCLOAK } from "../../../proofs/providers/keycloak.ts"
import { freePort } from "../../../test/support/free-port.ts"
import { type Core, printedBy, startAlone } from "../../server-process.ts"
import type { Database } from "../database.ts"
import { ACCOUNTS, PASSWORD, type Product, Server, usernameOf } from "./product.ts"
import { CALLBACK } from "./visitor.ts"

const [CLIENT, OTHER] = ["paperclip", "stapler"]

export async function openKeycloak(
  zip: string,
  work: string,
  core: Core,
  database: Database,
): Promise<Product> {
  await printedBy(startAlone("any", ["unzip", "-q", zip, "-d", work]))
  const home = join(work, `keycloak-${KEYCLOAK}`)
  mkdirSync(join(home, "data/import"), { recursive: true })
  writeFileSync(join(home, "data/import/realm.json"), JSON.stringify(realm()))
  const databaseUrl = await database.create("keycloak")
  const url = new URL(databaseUrl)
  const port = await freePort()
  const flags = [
    ...["start", "--import-realm", "--db=postgres", "--cache=local"],
    ...["--http-enabled=true", "--hostname-strict=false", `--http-port=${port}`],
    `--db-url=jdbc:postgresql://${url.host}${url.pathname}`,
  ]
  const origin = `http://localhost:${port}`
  const launch = () =>
    startAlone(core, [join(home, "bin/kc.sh"), ...flags], {
      log: `${work}/keycloak.log`,
      environment: {
        JAVA_OPTS_KC_HEAP: "-Xmx700m",
        KC_DB_USERNAME: url.username,
        KC_DB_PASSWORD: url.password,
      },
    })
  const server = new Server(launch, `${origin}/realms/bench`)
  await server.start()
  const endpoints = `${origin}/realms/bench/protocol/openid-connect`
  return {
    name: `Keycloak ${KEYCLOAK}, PostgreSQL`,
    hashing: "argon2id, 7 MiB, 5 passes",
    databaseUrl,
    site: {
      origin,
      authorize: `${endpoints}/auth`,
      token: `${endpoints}/token`,
      revoke: `${endpoints}/revoke`,
      clientId: CLIENT,
      otherClientId: OTHER,
      scope: "openid",
      // Otherwise it remembers the consent of an account.
      more: { prompt: "consent" },
      password: PASSWORD,
      buttons: { accept: "Yes" },
    },
    shares: [
      { of: "server", pid: server.pid },
      { of: "database", pid: database.pid },
    ],
    warmUpSeconds: 40,
    server,
    stop: () => server.stop(),
  }
}

function realm(): object {
  const client = (clientId: string) => ({
    ...{ clientId, name: "Paperclip", enabled: true, publicClient: true },
    ...{ standardFlowEnabled: true, consentRequired: true, redirectUris: [CALLBACK] },
    // For the sessions of the write measurement.
    directAccessGrantsEnabled: true,
    attributes: { "pkce.code.challenge.method": "S256" },
  })
  const users = Array.from({ length: ACCOUNTS }, (_, at) => ({
    ...{ username: usernameOf(at), enabled: true, emailVerified: true },
    ...{ firstName: "Ada", lastName: "Example", email: `${usernameOf(at)}@example.org` },
    credentials: [{ type: "password", value: PASSWORD, temporary: false }],
  }))
  return {
    realm: "bench",
    enabled: true,
    sslRequired: "none",
    clients: [client(CLIENT), client(OTHER)],
    users,
  }
}
