/** Reads over the API of a service what a plan needs. Reading needs no recent factor. APPLY-6. */
import { clientFrom } from "../../apps/app-writes.rules.ts"
import { withPeriod } from "../../kernel/words.ts"
import { parseJson } from "../../kernel/json.ts"
import { namesOf } from "../../model/permissions/scope.rules.ts"
import type { ClientId, Permission, TokenId, UserId } from "../../kernel/ids.ts"
import type { Account } from "../../model/account.rules.ts"
import { appearanceMembers, defaultAppearance, memberNames } from "../../model/appearance.rules.ts"
import type { Applied } from "../../model/change.rules.ts"
import { switchesFrom } from "../../model/clients/app-switches.rules.ts"
import { defaultOpenid } from "../../model/clients/openid-members.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { parseClientKeys } from "../../model/clients/key-set.rules.ts"
import { usernameKey } from "../../model/username.rules.ts"
import type { Parsed } from "../../platform/json/shape.rules.ts"
import type { AccountRecord } from "../accounts/account-record.ts"
import type { appearanceShape } from "../appearance/appearance-record.ts"
import type { appShape } from "../apps/app-record.ts"
import type { groupShape } from "../groups/group-record.ts"
import type { SettingRecord } from "../settings/setting.ts"
import { accountNamed } from "./part.rules.ts"
import { accountKeys, appearanceWord, type Present, type SetUp } from "./set-up.rules.ts"

export type Service = { readonly url: string; readonly token: string }

const PATIENCE_MILLISECONDS = 30_000

/** Means that a file, or the service, does not say what is needed. */
export class Unreadable extends Error {}

export async function presentAt(service: Service, setUp: SetUp): Promise<Present> {
  const { set } = setUp
  const made = await items<Omit<Applied, "set">>(service, "applied", { set })
  const applied = made.map((row) => ({ set, ...row }))
  const accounts = await accountsNamed(service, accountKeys(setUp, applied))
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
async function accountsNamed(service: Service, keys: Iterable<string>): Promise<readonly Account[]> {
  const records: AccountRecord[] = []
  for (const key of keys) {
    const page = await get<Page<AccountRecord>>(service, "accounts", { name_begins: key, limit: "1" })
    records.push(...page.items.filter(({ username }) => usernameKey(username) === key))
  }
  const accounts = records.map(({ username, user_id, groups, ...row }): Account => ({
    ...{ userId: user_id as UserId, username, usernameKey: usernameKey(username), groups },
    type: row.account_type ?? "person",
    ownerId: (row.owner ?? null) as UserId | null,
    ...{ passwordHash: row.account_type === undefined ? "" : null, language: null },
    ...{ admin: row.admin, enabled: row.enabled, createdAt: row.created_at },
  }))
  return accounts.map((account) => ({ ...account, ownerId: idOf(accounts, account.ownerId) }))
}

/** An account that the file does not name is known by its name alone. */
function idOf(accounts: readonly Account[], name: string | null | undefined): UserId | null {
  return accountNamed(accounts, name)?.userId ?? (name as UserId | undefined) ?? null
}

function clientOf(app: Parsed<typeof appShape>, accounts: readonly Account[]): Client {
  const keys = parseClientKeys({
    jwks: app.jwks && parseJson(JSON.stringify(app.jwks)),
    jwksUri: app.jwks_uri,
    algorithm: app.token_endpoint_auth_signing_alg,
    workload: app.workload,
  })
  const registration = {
    ...{ type: app.client_type, keys: keys.ok ? keys.value : null, name: app.client_name },
    ...{ redirectUris: app.redirect_uris, ceiling: namesOf(app.scope) as readonly Permission[] },
    ...{ groups: app.groups ?? [], ...switchesFrom(({ name, byDefault }) => app[name] ?? byDefault) },
    idTokenAlgorithm: app.id_token_signed_response_alg ?? defaultOpenid.idTokenAlgorithm,
    postLogoutRedirectUris: app.post_logout_redirect_uris ?? [],
  }
  const ownerId = idOf(accounts, app.owner)
  const by = {
    registeredBy: app.registered_by,
    ownerId,
    clientId: app.client_id as ClientId,
    secretHash: null,
  }
  const boundId = idOf(accounts, app.service_account)
  return {
    ...clientFrom(registration, by, app.client_id_issued_at),
    enabled: app.enabled,
    binding: boundId === null ? null : { userId: boundId, tokenId: "" as TokenId },
  }
}

type Page<T> = { readonly items: readonly T[]; readonly next: string | null }

/** Reads all pages of a list. */
async function items<T>(
  service: Service,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly T[]> {
  const { items: found, next } = await get<Page<T>>(service, path, query)
  return next === null ? found : [...found, ...(await items<T>(service, path, { ...query, after: next }))]
}

async function get<T>(
  { url, token }: Service,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<T> {
  const refuse = ({ message, cause }: Error): never => {
    const why = cause instanceof Error ? cause.message : message
    throw new Unreadable(withPeriod(`The service cannot be read: ${why}`))
  }
  const response = await fetch(`${url}/api/admin/${path}?${new URLSearchParams(query).toString()}`, {
    headers: { authorization: `Bearer ${token}`, accept: "application/json" },
    redirect: "error",
    signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
  }).catch(refuse)
  if (response.ok) return (await response.json().catch(refuse)) as T
  throw new Unreadable(
    `The service answered ${response.status} to GET /api/admin/${path}. The token needs admin:apps, admin:accounts and admin:settings.`,
  )
}
