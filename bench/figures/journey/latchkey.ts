/** Latchkey with its accounts and an app, on either engine. */
import { randomBytes } from "node:crypto"
import { mkdirSync } from "node:fs"
import { addApp } from "../../../src/apps/add-app.ts"
import { systemClock } from "../../../src/kernel/clock.ts"
import { type Change, decided } from "../../../src/model/change.rules.ts"
import { loadCatalog } from "../../../src/model/permissions/permission-catalog.rules.ts"
import { hashPassword } from "../../../src/platform/services/password.ts"
import { freePort } from "../../../test/support/free-port.ts"
import { openDatabase } from "../../open-database.ts"
import { type Core, startAlone } from "../../server-process.ts"
import { SCOPE } from "../../stock.ts"
import type { Database } from "../database.ts"
import { ACCOUNTS, PASSWORD, type Product, Server, usernameOf } from "./product.ts"
import { CALLBACK } from "./visitor.ts"
import { person } from "../../person.ts"

export async function openLatchkey(dir: string, core: Core, database: Database | null): Promise<Product> {
  mkdirSync(dir, { recursive: true })
  const databaseUrl = (await database?.create("latchkey")) ?? null
  const [clientId = "", otherClientId = ""] = await fill(dir, databaseUrl)
  const port = await freePort()
  const flags = databaseUrl === null ? [] : ["--database-url", databaseUrl]
  const command = ["bin/latchkey", "serve", "--data", dir, "--port", String(port), ...flags]
  // The generator stands for a proxy, and names the address of each visitor.
  const environment = {
    LATCHKEY_TRUSTED_PROXIES: "127.0.0.1",
    ...(databaseUrl !== null && { LATCHKEY_SECRET_KEY: randomBytes(32).toString("base64url") }),
  }
  const origin = `http://localhost:${port}`
  const launch = () => startAlone(core, command, { log: `${dir}.log`, environment })
  const server = new Server(launch, `${origin}/health`)
  await server.start()
  return {
    name: `Latchkey, ${database === null ? "SQLite" : "PostgreSQL"}`,
    hashing: "argon2id, 19 MiB, 2 passes",
    databaseUrl,
    site: {
      origin,
      authorize: `${origin}/oauth/authorize`,
      token: `${origin}/oauth/token`,
      revoke: `${origin}/oauth/revoke`,
      clientId,
      otherClientId,
      scope: SCOPE.join(" "),
      password: PASSWORD,
      buttons: { decision: "authorize" },
    },
    shares: [
      { of: "server", pid: server.pid },
      ...(database === null ? [] : [{ of: "database", pid: database.pid } as const]),
    ],
    warmUpSeconds: 5,
    server,
    stop: () => server.stop(),
  }
}

/** Returns the ids of two apps. */
async function fill(dir: string, databaseUrl: string | null): Promise<string[]> {
  const catalog = loadCatalog({})
  if (!catalog.ok) throw new Error("the built-in catalog does not load")
  const store = await openDatabase(dir, databaseUrl)
  const passwordHash = await hashPassword(PASSWORD)
  const write = (changes: readonly Change[]) => store.change({}, () => decided(null, ...changes))
  await write([{ change: "settingSet", key: "rate_limit.oauth_anonymous", value: "off" }])
  await write(
    Array.from({ length: ACCOUNTS }, (_, at) => ({
      change: "accountAdded",
      account: person(usernameOf(at), systemClock.now(), { passwordHash }),
    })),
  )
  const ids: string[] = []
  for (const name of ["Paperclip", "Stapler"]) {
    const added = await addApp(
      { store, clock: systemClock, catalog: catalog.value },
      {
        ...{ name, type: "public", redirectUris: [CALLBACK], permissions: SCOPE },
        ...{ verified: false, stepUp: false, resourceServer: false },
      },
      { address: null, owner: null },
    )
    if (!added.ok) throw new Error(added.error)
    ids.push(added.value.client.clientId)
  }
  await store.close()
  return ids
}
