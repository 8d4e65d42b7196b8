/** Adds accounts, apps and settings to a data directory. A server may already run on it. */
import type { ClientKeys, ClientType } from "../../src/model/clients/client.rules.ts"
import type { Problem, Result } from "../../src/kernel/result.ts"
import { type Catalog, loadCatalog } from "../../src/model/permissions/permission-catalog.rules.ts"
import { openidCatalog } from "../../src/model/permissions/openid-permissions.rules.ts"
import * as account from "../../src/accounts/accounts.ts"
import * as app from "../../src/apps/add-app.ts"
import { setSetting } from "../../src/admin/settings/setting.ts"
import type { Store } from "../../src/store/store.ts"
import { type Clock, systemClock } from "../../src/kernel/clock.ts"
import type { AppIdentity } from "./connect.ts"
import { databaseIn } from "./database.ts"
import { PASSWORD, OPERATOR } from "./test-server.ts"

/** Adds an account with the password `PASSWORD`. */
export async function addAccount(dir: string, username: string, admin = false): Promise<void> {
  await withStore(dir, (opened) =>
    account.addAccount(opened, { username, password: PASSWORD, admin, ...OPERATOR }),
  )
}

export async function addServiceAccount(dir: string, username: string): Promise<void> {
  const asked = { username, admin: false, ownerName: null, ...OPERATOR }
  await withStore(dir, (opened) => account.addServiceAccount(opened, asked))
}

export type NewApp = {
  readonly name?: string
  readonly type: ClientType
  readonly keys?: ClientKeys
  readonly redirectUris?: readonly string[]
  readonly permissions?: readonly string[]
  readonly resourceServer?: boolean
  readonly stepUp?: boolean
  readonly postLogoutRedirectUris?: readonly string[]
  readonly serviceAccountName?: string
}

export async function addApp(dir: string, { type, ...given }: NewApp): Promise<AppIdentity> {
  const asked = {
    name: "Paperclip",
    redirectUris: ["https://app.example/callback"],
    permissions: ["account:read", "credentials:read"],
    resourceServer: false,
    stepUp: false,
    ...given,
  }
  const { client, secret } = await withStore(dir, (opened) =>
    app.addApp(
      opened,
      {
        ...asked,
        type,
        verified: false,
      },
      OPERATOR,
    ),
  )
  return { clientId: client.clientId, secret }
}

/** Adds a resource server. It only introspects and requests no tokens itself. */
export function addResourceServer(dir: string): Promise<AppIdentity> {
  return addApp(dir, {
    name: "Files",
    type: "confidential",
    resourceServer: true,
    redirectUris: [],
    permissions: [],
  })
}

/** Turns the rate limit off. Under load, all requests come from one address and would soon be refused. */
export async function switchBudgetOff(dir: string): Promise<void> {
  await withStore(dir, (opened) => setSetting(opened, "rate_limit.oauth_anonymous", "off", OPERATOR))
}

/** Sets a long step-up, so that none ends during a test. */
export async function allowLongStepUps(dir: string): Promise<void> {
  await withStore(dir, (opened) => setSetting(opened, "step_up.window_seconds", "86400", OPERATOR))
}

/** Lets apps register themselves for all permissions except admin permissions. */
export async function openRegistration(dir: string): Promise<void> {
  await withStore(dir, (opened) => setSetting(opened, "registration.open", "on", OPERATOR))
  await withStore(dir, (opened) => setSetting(opened, "registration.permissions", "*", OPERATOR))
}

export async function openDocuments(dir: string): Promise<void> {
  await set(dir, "clients.documents", "on")
}

export async function set(dir: string, key: string, value: string): Promise<void> {
  await withStore(dir, (opened) => setSetting(opened, key, value, OPERATOR))
}

type Opened = { readonly store: Store; readonly clock: Clock; readonly catalog: Catalog }

async function withStore<T>(dir: string, verb: (opened: Opened) => Promise<Result<T, Problem>>): Promise<T> {
  const catalog = loadCatalog({})
  if (!catalog.ok) throw new Error("the built-in catalog does not load")
  const store = await (await databaseIn(dir)).open()
  try {
    const outcome = await verb({
      store,
      clock: systemClock,
      catalog: openidCatalog(catalog.value) ?? catalog.value,
    })
    if (!outcome.ok) throw new Error(outcome.error)
    return outcome.value
  } finally {
    await store.close()
  }
}
