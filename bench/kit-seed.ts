/** Creates a service with accounts, apps, a resource server, and credentials whose access tokens are known. */
import { join } from "node:path"
import type { ClientId, Permission, TokenId } from "../src/kernel/ids.ts"
import { type Change, decided } from "../src/model/change.rules.ts"
import type { Consent } from "../src/model/credential.rules.ts"
import { startFamily } from "../src/oauth/credential/family.rules.ts"
import { CREDENTIAL_SECONDS } from "../src/kernel/limits.ts"
import { type Catalog, loadCatalog } from "../src/model/permissions/permission-catalog.rules.ts"
import { addApp } from "../src/apps/add-app.ts"
import { openSqlite } from "../src/store/sqlite/sqlite-store.ts"
import type { Store } from "../src/store/store.ts"
import { systemClock } from "../src/kernel/clock.ts"
import { newId, randomSecret } from "../src/kernel/random.ts"
import { firstPair } from "../src/oauth/credential/token.ts"
import { person } from "./person.ts"

export type Held = { readonly token: string; readonly clientId: string; readonly username: string }

export type Seeded = {
  readonly store: Store
  readonly catalog: Catalog
  readonly api: { readonly clientId: string; readonly clientSecret: string }
  /** The credentials that the load uses. */
  readonly common: readonly Held[]
  /** Credentials that will be changed. Each has its own app and account. */
  readonly single: readonly Held[]
}

/** Every token reaches this permission, and the measured API needs it. */
export const NEEDED = "account:read"
const scope = [NEEDED, "account:write"] as Permission[]

export async function seed(dir: string, common: number, single: number): Promise<Seeded> {
  const loaded = loadCatalog({})
  if (!loaded.ok) throw new Error("the built-in catalog does not load")
  const catalog = loaded.value
  const store = openSqlite(join(dir, "latchkey.db"))
  await write(store, [{ change: "settingSet", key: "rate_limit.oauth_anonymous", value: "off" }])
  const api = await app(store, catalog, true)
  const shared = await app(store, catalog, false)
  const held: Held[] = []
  for (let i = 0; i < common + single; i++) {
    const clientId = i < common ? shared.clientId : (await app(store, catalog, false)).clientId
    held.push(await credential(store, clientId, `user-${i}`))
  }
  return {
    store,
    catalog,
    api: { clientId: api.clientId, clientSecret: api.secret ?? "" },
    common: held.slice(0, common),
    single: held.slice(common),
  }
}

async function app(store: Store, catalog: Catalog, isResourceServer: boolean) {
  const added = await addApp(
    { store, clock: systemClock, catalog },
    {
      name: "Bench",
      type: isResourceServer ? "confidential" : "public",
      redirectUris: isResourceServer ? [] : ["http://127.0.0.1/callback"],
      permissions: isResourceServer ? [] : scope,
      verified: false,
      stepUp: false,
      resourceServer: isResourceServer,
    },
    { address: null, owner: null },
  )
  if (!added.ok) throw new Error(added.error)
  return { clientId: added.value.client.clientId, secret: added.value.secret }
}

async function credential(store: Store, clientId: ClientId, username: string): Promise<Held> {
  const now = systemClock.now()
  const account = person(username, now)
  const consent: Consent = {
    tokenId: newId<TokenId>(now),
    clientId,
    userId: account.userId,
    installationName: null,
    scope,
    resources: [],
    consentedAt: now,
    endsAt: now + CREDENTIAL_SECONDS,
    openid: null,
  }
  const key = randomSecret()
  const pair = firstPair(consent.tokenId, key)
  const code = {
    hash: pair.refreshHash,
    challenge: pair.refreshHash,
    redirectUri: "http://127.0.0.1/callback",
    expiresAt: now,
  }
  const family = startFamily(consent, pair, key, 24 * 3600, now, null)
  await write(store, [
    { change: "accountAdded", account },
    {
      change: "credentialAdded",
      credential: { consent, code, life: { state: "active", family, elevatedUntil: null } },
    },
  ])
  return { token: pair.accessToken, clientId, username }
}

function write(store: Store, changes: readonly Change[]): Promise<null> {
  return store.change({}, () => decided(null, ...changes))
}
