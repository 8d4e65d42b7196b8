/** What the file changes of one app. The rules are those of the single commands. Interface APPLY-1…3. */
import type { AppUpdate } from "../../apps/app-change.rules.ts"
import { clientFrom, decideNewApp, decideUpdate, recordedApp } from "../../apps/app-writes.rules.ts"
import { clientAfter, parseAppRegistration } from "../../apps/own-app.rules.ts"
import type { ClientId } from "../../kernel/ids.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Account } from "../../model/account.rules.ts"
import type { Change } from "../../model/change.rules.ts"
import { appDifference } from "../../model/clients/app-difference.rules.ts"
import { appSwitches } from "../../model/clients/app-switches.rules.ts"
import { parseChosenId, withoutSecret } from "../../model/clients/chosen-client.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { groupsProblem } from "./group-plan.rules.ts"
import {
  accountNamed,
  type Difference,
  keyed,
  type Part,
  type Planning,
  type Shown,
  usernameOf,
  wrong,
} from "./part.rules.ts"
import type { NamedApp } from "./set-up.rules.ts"

/** The command line, which makes the changes. */
const from = { address: null } as const

/** The member of the file, or null, and a sentence. */
type AppProblem = { readonly member: string | null; readonly problem: string }
type Decision = { readonly after: Client; readonly changes: readonly Change[] }
type Decided = Result<Decision, AppProblem>

/** `accounts` and `groups` are those that an app may name. `before` is null for a new app. */
export function planApp(
  planning: Planning,
  accounts: readonly Account[],
  entry: NamedApp,
  before: Client | null,
  groups: ReadonlySet<string> = new Set(),
): Part {
  const { key, line } = entry
  const missing = groupsProblem(new Set([...groups, ...(before?.groups ?? [])]), entry.update.groups)
  const decided =
    missing !== null
      ? problem("groups", missing)
      : before === null
        ? added(planning, accounts, entry)
        : updated(planning, accounts, entry, before)
  if (!decided.ok) {
    const { member, problem } = decided.error
    const of = member === null ? `apps: ${key}` : `apps: ${key}: ${member}`
    return wrong(entry.members.get(member ?? "") ?? line, `${of}: ${problem}`)
  }
  const { after, changes } = decided.value
  const members = differences(accounts, entry, before, after)
  const what = { what: "app", key, made: after.clientId } as const
  const isSame = before !== null && members.length === 0 && changes.length === 0
  return {
    planned: isSame ? [] : [{ change: before === null ? "add" : "update", ...what, members }],
    changes: [...changes, ...keyed(planning, what, before === null)],
    problems: [],
  }
}

const problem = (member: string | null, text: string) => err({ member, problem: text })

function added(planning: Planning, accounts: readonly Account[], entry: NamedApp): Decided {
  const { catalog, present, now } = planning
  const { type, update, secretHash = null, enabled = true } = entry
  const { name, redirectUris = [], permissions = [], keys = null } = update
  if (type === undefined || name === undefined)
    return problem(null, `expected ${type === undefined ? "type" : "name"}`)
  const input = { ...update, type, name, redirectUris, permissions, keys }
  const registration = parseAppRegistration(catalog, input, null)
  if (!registration.ok) {
    const bare = { type, name: "-", redirectUris: [], permissions: [] }
    const isWrong = (part: AppUpdate) =>
      !parseAppRegistration(catalog, { ...bare, ...part } as never, null).ok
    return problem(culprit(entry, isWrong), registration.error)
  }
  const noSecret = withoutSecret(registration.value)
  if (noSecret !== null && secretHash !== null) return problem("client_secret_file", noSecret)
  if (noSecret === null && secretHash === null)
    return problem(null, "expected client_secret_file, jwks_file or jwks_uri, because no secret is printed")
  const fresh = planning.freshOf("apps", entry.key)
  const isUsed = present.usedClientIds.includes(entry.clientId ?? "")
  const id =
    entry.clientId === undefined
      ? ok(fresh.id as ClientId)
      : parseChosenId(entry.clientId, { registered: null, isUsed })
  if (!id.ok) return problem("client_id", id.error)
  const owner = accountNamed(accounts, entry.owner)
  if (!owner.ok) return problem("owner", owner.error)
  const bound = accountNamed(accounts, entry.serviceAccount)
  if (!bound.ok) return problem("service_account", bound.error)
  const by = { registeredBy: "administrator", ownerId: owner.value?.userId ?? null } as const
  const made = { ...clientFrom(registration.value, { ...by, clientId: id.value, secretHash }, now), enabled }
  const stored = decideNewApp(made, bound.value ?? null, null, fresh)
  if (!stored.ok) return problem("service_account", stored.error)
  const { client, changes } = stored.value
  const disabled = enabled ? [] : [recordedApp("app-disabled", client, now, from)]
  return ok({ after: client, changes: [...changes, ...disabled] })
}

function updated(planning: Planning, accounts: readonly Account[], entry: NamedApp, before: Client): Decided {
  const { catalog, present, now } = planning
  const { type, update, enabled, secretHash } = entry
  if (type !== undefined && type !== before.type)
    return problem("type", `The app is ${before.type}, and the type of an app cannot change.`)
  const owner = accountNamed(accounts, entry.owner)
  if (!owner.ok) return problem("owner", owner.error)
  const bound = accountNamed(accounts, entry.serviceAccount)
  if (!bound.ok) return problem("service_account", bound.error)
  // Its document may be denied, which this plan does not know.
  if (enabled === true && !before.enabled && before.registeredBy === "document")
    return problem("enabled", "An app with a document is enabled by app enable, or by document allow.")
  // A binding that was revoked stays revoked until an administrator names the account again.
  const isBound = (bound.value?.userId ?? null) === (before.binding?.userId ?? null)
  const boundCredential = present.boundCredentials.find(
    ({ consent }) => consent.tokenId === before.binding?.tokenId,
  )
  const named = {
    ownerId: owner.value === undefined ? undefined : (owner.value?.userId ?? null),
    serviceAccount: isBound ? undefined : bound.value,
    boundCredential: boundCredential ?? null,
  }
  const fresh = planning.freshOf("apps", entry.key)
  const decided = decideUpdate(catalog, before, update, named, null, fresh)
  if (!decided.ok) {
    const isWrong = (part: AppUpdate) => !clientAfter(catalog, before, part, null).ok
    return problem(
      culprit(entry, isWrong) ?? (named.serviceAccount ? "service_account" : null),
      decided.error,
    )
  }
  const { after: changed, changes: ofBinding } = decided.value
  const noSecret = withoutSecret(changed)
  if (secretHash !== undefined && noSecret !== null) return problem("client_secret_file", noSecret)
  const difference = appDifference(before, changed)
  const isSecretNew = present.knowsSecrets && secretHash !== undefined && secretHash !== before.secretHash
  const isSwitched = enabled !== undefined && (enabled !== before.enabled || before.disabledByOwner)
  const after = {
    ...changed,
    ...(isSecretNew && { secretHash }),
    ...(isSwitched && { enabled, disabledByOwner: false }),
  }
  const events = [
    ...(difference === null ? [] : [recordedApp("app-changed", after, now, from, difference)]),
    ...(isSwitched ? [recordedApp(enabled ? "app-enabled" : "app-disabled", after, now, from)] : []),
    ...(isSecretNew ? [recordedApp("app-secret-rotated", after, now, from)] : []),
  ]
  if (events.length === 0) return ok({ after: before, changes: [] })
  return ok({ after, changes: [{ change: "clientChanged", client: after }, ...events, ...ofBinding] })
}

const fields: readonly (readonly [string, keyof AppUpdate])[] = [
  ["name", "name"],
  ["redirects", "redirectUris"],
  ["permissions", "permissions"],
  ["groups", "groups"],
  ...["jwks", "jwks_file", "jwks_uri"].map((member) => [member, "keys"] as const),
  ...appSwitches.map(({ name, member }) => [name, member] as const),
]

/** Returns the first member that is wrong alone. */
function culprit({ members, update }: NamedApp, isWrong: (part: AppUpdate) => boolean): string | null {
  const found = fields.find(([member, field]) => members.has(member) && isWrong({ [field]: update[field] }))
  return found?.[0] ?? null
}

/** The members of an app in the file, for the plan and for an export. */
export function membersOf(client: Client, accounts: readonly Account[]): ReadonlyMap<string, Shown> {
  return new Map<string, Shown>([
    ["client_id", client.clientId],
    ["name", client.name],
    ["type", client.type],
    ["redirects", client.redirectUris],
    ["permissions", client.ceiling.toSorted()],
    ["groups", client.groups],
    ...appSwitches.map(({ name, member }) => [name, client[member]] as const),
    ["enabled", client.enabled],
    ["owner", usernameOf(accounts, client.ownerId)],
    ["service_account", usernameOf(accounts, client.binding?.userId)],
    ["jwks", client.keys?.jwks ?? null],
    ["jwks_uri", client.keys?.jwksUri ?? null],
  ])
}

function differences(
  accounts: readonly Account[],
  { members }: NamedApp,
  before: Client | null,
  after: Client,
): readonly Difference[] {
  const values = membersOf(after, accounts)
  const shown = (member: string) => values.get(member) ?? null
  if (before === null)
    return [...members.keys()].map((member) => ({ member, before: null, after: shown(member) }))
  const differing = [...membersOf(before, accounts)]
    .map(([member, value]) => ({ member, before: value, after: shown(member) }))
    .filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after))
  return after.secretHash === before.secretHash || after.secretHash === null
    ? differing
    : [...differing, { member: "client_secret_file", before: null, after: null }]
}
