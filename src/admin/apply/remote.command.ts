/** Reads over the API of a service what a plan needs. Reading needs no recent factor. APPLY-6. */
import { withPeriod } from "../../kernel/words.ts"
import { parseJson } from "../../kernel/json.ts"
import { namesOf } from "../../model/permissions/scope.rules.ts"
import type { ClientId, Permission, TokenId, UserId } from "../../kernel/ids.ts"
import type { Account } from "../../model/account.rules.ts"
import { appearanceMembers, defaultAppearance, memberNames } from "../../model/appearance.rules.ts"
import type { Applied } from "../../model/change.rules.ts"
import { switchesFrom } from "../../model/clients/app-switches.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { parseClientKeys } from "../../model/clients/key-set.rules.ts"
import { usernameKey } from "../../model/username.rules.ts"
import type { Parsed } from "../../platform/json/shape.rules.ts"
import type { AccountRecord } from "../accounts/account-record.ts"
import type { appearanceShape } from "../appearance/appearance-record.ts"
import type { appShape } from "../apps/app-record.ts"
import type { groupShape } from "../groups/group-record.ts"
import type { SettingRecord } from "../settings/setting.ts"
import { findAccount } from "./part.rules.ts"
import { appearanceWord, type Present, type SetUp } from "./set-up.rules.ts"

export type Service = { readonly url: string; readonly token: string }

const PATIENCE_MILLISECONDS = 30_000

/** Means that the service did not answer with what was asked for. */
export class ServiceRefused extends Error {}

export async function presentAt(service: Service, setUp: SetUp): Promise<Present> {
  const applied = (await items<Omit<Applied, "set">>(service, "applied", { set: setUp.set })).map((row) => ({
    set: setUp.set,
    ...row,
  }))
  const names = [
    ...setUp.apps.flatMap(({ owner, serviceAccount }) => [owner ?? "", serviceAccount ?? ""]),
    ...setUp.serviceAccounts.flatMap(({ name, owner }) => [name, owner ?? ""]),
    ...applied.filter(({ what }) => what === "service_account").map(({ key }) => key),
  ]
  const accounts = await accountsNamed(
    service,
    [...new Set(names)].filter((name) => name !== ""),
  )
  const apps = await items<Parsed<typeof appShape>>(service, "apps")
  const settings = await items<SettingRecord>(service, "settings")
  const looks = await get<Parsed<typeof appearanceShape>>(service, "appearance")
  const groups = await items<Parsed<typeof groupShape>>(service, "groups")
  return {
    applied,
    accounts,
    clients: apps.map((app) => clientOf(app, accounts)),
    groups: groups.map((group) => ({ ...group, createdAt: group.created_at })),
    boundCredentials: [],
    usedClientIds: [],
    settings: new Map([
      ...settings.filter((one) => !one.is_default).map(({ key, value }) => [key, value] as const),
      ...storedLooks(looks),
    ]),
    knowsSecrets: false,
  }
}

/** Logos are named by their digest. A name that is the default counts as not stored. */
function storedLooks(looks: Parsed<typeof appearanceShape>): readonly (readonly [string, string])[] {
  return memberNames.flatMap((member) => {
    const value = (looks as Readonly<Record<string, string | null>>)[appearanceWord(member)] ?? null
    if (value === null || value === defaultAppearance[member]) return []
    const digest = member.startsWith("logo") ? new URL(value).searchParams.get("v") : value
    return [[appearanceMembers[member].key, digest ?? value] as const]
  })
}

/** The list is sorted by name, so the account of this very name comes first. */
async function accountsNamed(service: Service, names: readonly string[]): Promise<readonly Account[]> {
  const accounts: Account[] = []
  for (const name of names) {
    const query = { name_begins: name, limit: "1" }
    const page = await get<{ items: readonly AccountRecord[] }>(service, "accounts", query)
    for (const { username, user_id, account_type: type = "person", groups, ...row } of page.items)
      if (usernameKey(username) === usernameKey(name))
        accounts.push({
          userId: user_id as UserId,
          ...{ username, usernameKey: usernameKey(username), type, groups },
          ...{
            ownerId: (row.owner ?? null) as UserId | null,
            passwordHash: type === "person" ? "" : null,
            language: null,
          },
          ...{ admin: row.admin, enabled: row.enabled, createdAt: row.created_at },
        })
  }
  return accounts.map((account) => ({
    ...account,
    ownerId: account.ownerId === null ? null : idOf(accounts, account.ownerId),
  }))
}

/** An account that the file does not name is known by its name alone. */
function idOf(accounts: readonly Account[], name: string): UserId {
  return findAccount(accounts, name)?.userId ?? (name as UserId)
}

function clientOf(app: Parsed<typeof appShape>, accounts: readonly Account[]): Client {
  const keys = parseClientKeys({
    jwks: app.jwks && parseJson(JSON.stringify(app.jwks)),
    jwksUri: app.jwks_uri,
    algorithm: app.token_endpoint_auth_signing_alg,
  })
  return {
    clientId: app.client_id as ClientId,
    type: app.client_type,
    keys: keys.ok ? keys.value : null,
    name: app.client_name,
    redirectUris: app.redirect_uris,
    ceiling: namesOf(app.scope) as readonly Permission[],
    ...switchesFrom(({ name, byDefault }) => app[name] ?? byDefault),
    enabled: app.enabled,
    registeredBy: app.registered_by,
    ownerId: app.owner === null ? null : idOf(accounts, app.owner),
    binding:
      app.service_account === undefined
        ? null
        : { userId: idOf(accounts, app.service_account), tokenId: "" as TokenId },
    groups: app.groups ?? [],
    ...{ issuedAt: app.client_id_issued_at, secretHash: null, ceilingByHand: false, disabledByOwner: false },
    ...{ iconHash: null, registrationHash: null, deleteAfter: null },
  }
}

/** Reads all pages of a list. */
async function items<T>(
  service: Service,
  path: string,
  query: Record<string, string> = {},
): Promise<readonly T[]> {
  const found: T[] = []
  for (let after: string | null = ""; after !== null;) {
    const page: { items: readonly T[]; next: string | null } = await get(service, path, {
      ...query,
      ...(after !== "" && { after }),
    })
    found.push(...page.items)
    after = page.next
  }
  return found
}

async function get<T>({ url, token }: Service, path: string, query: Record<string, string> = {}): Promise<T> {
  const address = `${url}/api/admin/${path}?${new URLSearchParams(query).toString()}`
  try {
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${token}`, accept: "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
    })
    if (response.ok) return (await response.json()) as T
    throw new ServiceRefused(
      `The service answered ${response.status} to GET /api/admin/${path}. The token needs admin:apps, admin:accounts and admin:settings.`,
    )
  } catch (error) {
    if (error instanceof ServiceRefused) throw error
    const { message, cause } = error as Error
    const why = cause instanceof Error ? cause.message : message
    throw new ServiceRefused(withPeriod(`The service cannot be read: ${why}`))
  }
}
