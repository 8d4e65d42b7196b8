/**
 * The other server to compare with: `oidc-provider` with the same settings. It has a public app with PKCE, opaque
 * access tokens, refresh tokens that rotate, the device flow and introspection. `oidc-adapter.ts` makes it durable:
 *
 *   node bench/oidc-provider.ts '{"dir":DIR,"sizes":{…}}'
 *
 * Fills DIR with what the workloads need if DIR is empty. It then serves requests and prints its port.
 * docs/performance.md describes how it differs.
 */
import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { mkdirSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { Provider } from "oidc-provider"
import { adapterOn, OidcDatabase } from "./oidc-adapter.ts"
import {
  isStocked,
  newSigner,
  REDIRECT_URI,
  SCOPE,
  type Sizes,
  Stock,
  writeIdentity,
  writeList,
} from "./stock.ts"

export type OidcOptions = { readonly dir: string; readonly sizes: Sizes }

const ACCOUNTS = 1000
const TOGETHER = 500
const DAY = 86_400
const CLIENT_ID = "paperclip"
const SECRET = "a-secret-of-the-resource-server-of-full-length-0"
const SIGNER_ID = "signer"
const scope = SCOPE.join(" ")

const { dir, sizes } = JSON.parse(process.argv[2] ?? "{}") as OidcOptions
mkdirSync(dir, { recursive: true })
const signer = isStocked(dir) ? new Stock(dir).identity.signer : newSigner(SIGNER_ID)
const server = createServer()
server.listen(0, "127.0.0.1")
await once(server, "listening")
const { port } = server.address() as AddressInfo
const database = new OidcDatabase(join(dir, "oidc-provider.db"))
// Its warnings concern settings that only a public service needs.
console.warn = () => undefined
console.info = () => undefined
const provider = makeProvider()
if (!isStocked(dir)) await fillAll()
server.on("request", provider.callback())
console.log(port)

process.once("SIGTERM", () => {
  server.close(() => database.sqlite.close())
  server.closeAllConnections()
})

function makeProvider(): Provider {
  database.sqlite.exec(
    "CREATE TABLE IF NOT EXISTS account (user_id TEXT PRIMARY KEY NOT NULL, enabled INTEGER NOT NULL)",
  )
  const account = database.sqlite.prepare("SELECT enabled FROM account WHERE user_id = ?")
  return new Provider(`http://localhost:${port}`, {
    adapter: adapterOn(database),
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: "none",
        application_type: "native",
        redirect_uris: ["http://127.0.0.1/callback"],
        response_types: ["code"],
        grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
      },
      {
        client_id: SIGNER_ID,
        token_endpoint_auth_method: "private_key_jwt",
        token_endpoint_auth_signing_alg: "ES256",
        jwks: { keys: [signer.publicKey] },
        application_type: "native",
        redirect_uris: ["http://127.0.0.1/callback"],
        response_types: ["code"],
        grant_types: ["authorization_code", "refresh_token"],
      },
      {
        client_id: "files",
        client_secret: SECRET,
        token_endpoint_auth_method: "client_secret_basic",
        redirect_uris: [],
        response_types: [],
        grant_types: [],
      },
      {
        client_id: "pods",
        client_secret: SECRET,
        token_endpoint_auth_method: "client_secret_basic",
        redirect_uris: [],
        response_types: [],
        grant_types: ["client_credentials"],
        scope,
      },
    ],
    scopes: SCOPE,
    features: {
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true },
      userinfo: { enabled: false },
      resourceIndicators: { enabled: false },
    },
    findAccount: (_: unknown, id: string) => {
      const row = account.get(id) as { enabled: number } | undefined
      return row?.enabled === 1 ? { accountId: id, claims: () => ({ sub: id }) } : undefined
    },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    expiresWithSession: () => false,
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: DAY,
      DeviceCode: DAY,
      Grant: 365 * DAY,
      RefreshToken: 90 * DAY,
    },
  })
}

async function fillAll(): Promise<void> {
  const insert = database.sqlite.prepare("INSERT OR REPLACE INTO account (user_id, enabled) VALUES (?, 1)")
  await database.write(() => {
    for (let i = 0; i < ACCOUNTS; i++) insert.run(accountOf(i))
  })
  const client = await provider.Client.find(CLIENT_ID)
  const verifier = randomBytes(32).toString("base64url")
  const challenge = createHash("sha256").update(verifier).digest("base64url")
  const signingClient = await provider.Client.find(SIGNER_ID)
  const granted = async (i: number, to = client) => {
    const grant = new provider.Grant({ accountId: accountOf(i), clientId: to?.clientId ?? "" })
    grant.addOIDCScope(scope)
    return { accountId: accountOf(i), client: to, scope, grantId: await grant.save() }
  }
  const code = { redirectUri: REDIRECT_URI, codeChallenge: challenge, codeChallengeMethod: "S256" }
  await fill("refresh-tokens", async (i) =>
    new provider.RefreshToken({ ...(await granted(i)), gty: "authorization_code" }).save(),
  )
  await fill("access-tokens", async (i) =>
    new provider.AccessToken({ ...(await granted(i)), gty: "authorization_code", expiresIn: DAY }).save(),
  )
  await fill("codes", async (i) => new provider.AuthorizationCode({ ...(await granted(i)), ...code }).save())
  await fill("signed-codes", async (i) =>
    new provider.AuthorizationCode({ ...(await granted(i, signingClient)), ...code }).save(),
  )
  const device = (i: number) => ({ params: { client_id: CLIENT_ID, scope }, userCode: `BENCH${i}` })
  await fill("pending", (i) => new provider.DeviceCode({ client, ...device(i) }).save())
  await fill("approved", async (i) =>
    new provider.DeviceCode({ ...device(sizes.pending + i), ...(await granted(i)) }).save(),
  )
  await fill("cookies", async (i) => {
    const session = new provider.Session()
    session.loginAccount({ accountId: accountOf(i) })
    await session.save(DAY)
    return `_session=${session.jti}`
  })
  writeList(dir, "bound-apps", [`pods:${SECRET}`])
  const resourceServer = { id: "files", secret: SECRET }
  writeIdentity(dir, {
    clientId: CLIENT_ID,
    redirectUri: REDIRECT_URI,
    verifier,
    challenge,
    scope,
    resourceServer,
    signer,
  })
}

async function fill(list: keyof Sizes, make: (i: number) => Promise<string>): Promise<void> {
  const lines: string[] = []
  for (let done = 0; done < sizes[list]; done += TOGETHER) {
    const count = Math.min(TOGETHER, sizes[list] - done)
    lines.push(...(await Promise.all(Array.from({ length: count }, (_, i) => make(done + i)))))
  }
  writeList(dir, list, lines)
}

function accountOf(i: number): string {
  return `user-${String(i % ACCOUNTS).padStart(22, "0")}`
}
