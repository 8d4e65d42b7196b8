/** What the file changes of one app. The rules are those of the single commands. Interface APPLY-1…3. */
import type { AppUpdate } from "../../apps/app-change.rules.ts"
import { clientFrom, decideUpdate, recordedApp } from "../../apps/app-writes.rules.ts"
import { clientAfter } from "../../apps/own-app.rules.ts"
import type { ClientId } from "../../kernel/ids.ts"
import { ok } from "../../kernel/result.ts"
import type { Account } from "../../model/account.rules.ts"
import { appDifference } from "../../model/clients/app-difference.rules.ts"
import { appSwitches, defaultSwitches } from "../../model/clients/app-switches.rules.ts"
import { defaultOpenid, openidMembers } from "../../model/clients/openid-members.rules.ts"
import { parseChosenId, withoutSecret } from "../../model/clients/chosen-client.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { workloadText } from "../../model/clients/workload.rules.ts"
import { groupsProblem } from "./group-plan.rules.ts"
import {
  accountNamed,
  accountProblem,
  type Check,
  compared,
  firstWrong,
  type Part,
  type Planning,
  type Shown,
  usernameOf,
  wrong,
} from "./part.rules.ts"
import type { NamedApp } from "./set-up.rules.ts"

/** What an app may name: what is there when the apply is done. */
export type Known = { readonly accounts: readonly Account[]; readonly groups: ReadonlySet<string> }

const from = { address: null } as const

/** An app is known by its client_id, or by the key under which the set made it. */
export function planApp(planning: Planning, known: Known, entry: NamedApp): Part {
  const { applied, clients } = planning.present
  const made = applied.find(({ what, key }) => what === "app" && key === entry.key)?.made
  const id = entry.members.client_id ?? made
  const before = clients.find(({ clientId }) => clientId === id) ?? null
  const first = firstWrong("apps", entry, checks(planning, known, entry, before))
  if (first !== null) return first
  const updated = updatedApp(planning, known, entry, before ?? newApp(planning, entry))
  if (!updated.ok) return updated
  const { after: changed, changes: ofBinding } = updated.value
  const secret = secretOf(planning, entry, before, changed)
  if (!secret.ok) return secret
  const { after, events } = switched(planning, entry, before, { ...changed, secretHash: secret.value })
  const change = before === null ? "clientAdded" : "clientChanged"
  const changes = events.length === 0 ? [] : [{ change, client: after } as const, ...events, ...ofBinding]
  const shown = (client: Client, isSecretNew: boolean) =>
    membersOf(client, known.accounts).set("client_secret_file", isSecretNew)
  const isSecretNew = after.secretHash !== null && after.secretHash !== before?.secretHash
  const both = [before && shown(before, false), shown(after, isSecretNew)] as const
  return ok(compared(planning, "app", entry, after.clientId, both, changes))
}

function checks(
  { present }: Planning,
  { accounts, groups }: Known,
  { members, lines }: NamedApp,
  before: Client | null,
): readonly Check[] {
  const { type, client_id: id = "" } = members
  const isUsed = present.usedClientIds.includes(id)
  const chosen = before === null && id !== "" ? parseChosenId(id, { registered: null, isUsed }) : null
  const isOther = before !== null && type !== undefined && type !== before.type
  // Its document may be denied, which this plan does not know.
  const isOfDocument = before?.registeredBy === "document" && !before.enabled && members.enabled === true
  return [
    [null, before === null && type === undefined && "expected type"],
    [null, before === null && members.name === undefined && "expected name"],
    ["type", isOther && `The app is ${before.type}, and the type of an app cannot change.`],
    ["client_id", chosen?.ok === false && chosen.error],
    ["groups", groupsProblem(new Set([...groups, ...(before?.groups ?? [])]), members.groups)],
    ["owner", accountProblem(accounts, members.owner)],
    ["service_account", accountProblem(accounts, members.service_account)],
    ["enabled", isOfDocument && "An app with a document is enabled by app enable, or by document allow."],
    [
      "jwks_uri",
      KEYS.filter((name) => lines.has(name)).length > 1 && "Set only one of jwks, jwks_file and jwks_uri.",
    ],
    [
      "workload",
      lines.has("workload") && lines.has("jwks_uri") && "Set either a workload or jwks_uri, not both.",
    ],
  ]
}

/** A new app before the members of the file are set. */
function newApp({ freshOf, now }: Planning, { key, members }: NamedApp): Client {
  const clientId = (members.client_id ?? freshOf("apps", key).id) as ClientId
  const { type = "public" } = members
  const bare = {
    type,
    keys: null,
    name: "-",
    redirectUris: [],
    ceiling: [],
    groups: [],
    ...defaultSwitches,
    ...defaultOpenid,
  }
  return clientFrom(bare, { registeredBy: "administrator", ownerId: null, clientId, secretHash: null }, now)
}

const KEYS = ["jwks", "jwks_file", "jwks_uri"] as const

/** What each member of the file changes of the registration. */
function updatesOf({ members, lines }: NamedApp): readonly (readonly [string, AppUpdate])[] {
  const all: readonly (readonly [string, AppUpdate])[] = [
    ["name", { name: members.name }],
    ["redirects", { redirectUris: members.redirects }],
    ["permissions", { permissions: members.permissions }],
    ["groups", { groups: members.groups }],
    ...KEYS.map((name) => [name, { keys: members[name] }] as const),
    ["workload", { keys: workloadKeys(members) }],
    ...appSwitches.map(({ name, member }) => [name, { [member]: members[name] }] as const),
    ...openidMembers.map(([member, name]) => [name, { [member]: members[name] }] as const),
  ]
  return all.filter(([name]) => lines.has(name))
}

/** The platform's keys are in the file, or are found by its issuer. */
function workloadKeys({ workload: found, jwks, jwks_file: inFile }: NamedApp["members"]) {
  const listed = jwks ?? inFile
  return found && listed ? { ...listed, workload: found.workload } : found
}

function updatedApp(
  { catalog, present, freshOf }: Planning,
  { accounts }: Known,
  entry: NamedApp,
  before: Client,
) {
  const owner = accountNamed(accounts, entry.members.owner)
  const bound = accountNamed(accounts, entry.members.service_account)
  // A binding that was revoked stays revoked until an administrator names the account again.
  const isBound = (bound?.userId ?? null) === (before.binding?.userId ?? null)
  const named = {
    ownerId: owner === undefined ? undefined : (owner?.userId ?? null),
    serviceAccount: isBound ? undefined : bound,
    boundCredential:
      present.boundCredentials.find(({ consent }) => consent.tokenId === before.binding?.tokenId) ?? null,
  }
  const updates = updatesOf(entry)
  const update = Object.assign({}, ...updates.map(([, one]) => one)) as AppUpdate
  const decided = decideUpdate(catalog, before, update, named, null, freshOf("apps", entry.key))
  if (decided.ok) return decided
  const [culprit] = updates.find(([, one]) => !clientAfter(catalog, before, one, null).ok) ?? [
    "service_account",
  ]
  return wrong("apps", entry, culprit, decided.error)
}

/** The digest of the secret that the app has then. */
function secretOf({ present }: Planning, entry: NamedApp, before: Client | null, after: Client) {
  const given = entry.members.client_secret_file
  const noSecret = withoutSecret(after)
  if (noSecret !== null)
    return given === undefined ? ok(null) : wrong("apps", entry, "client_secret_file", noSecret)
  if (given === undefined && before === null)
    return wrong("apps", entry, null, "expected client_secret_file or keys, as no secret is printed")
  return ok(present.knowsSecrets && given !== undefined ? given : after.secretHash)
}

/** Enables or disables the app. Returns its events. */
function switched(
  { now }: Planning,
  { members: { enabled } }: NamedApp,
  before: Client | null,
  changed: Client,
) {
  const isSwitched = enabled !== undefined && (enabled !== changed.enabled || changed.disabledByOwner)
  const after = isSwitched ? { ...changed, enabled, disabledByOwner: false } : changed
  const difference = before && appDifference(before, changed)
  const isSecretNew =
    before !== null && changed.secretHash !== null && changed.secretHash !== before.secretHash
  const events = [
    ...(before === null ? [recordedApp("app-registered", after, now, from)] : []),
    ...(difference === null ? [] : [recordedApp("app-changed", after, now, from, difference)]),
    ...(isSwitched ? [recordedApp(enabled ? "app-enabled" : "app-disabled", after, now, from)] : []),
    ...(isSecretNew ? [recordedApp("app-secret-rotated", after, now, from)] : []),
  ]
  return { after, events }
}

/** The members of an app in the file, for the plan and for an export. */
export function membersOf(client: Client, accounts: readonly Account[]): Map<string, Shown> {
  const workload = workloadText(client.keys)
  return new Map<string, Shown>([
    ["client_id", client.clientId],
    ["name", client.name],
    ["type", client.type],
    ["redirects", client.redirectUris],
    ["permissions", client.ceiling.toSorted()],
    ["groups", client.groups],
    ...appSwitches.map(({ name, member }) => [name, client[member]] as const),
    ...openidMembers.map(([member, name]) => [name, client[member]] as const),
    ["enabled", client.enabled],
    ["owner", usernameOf(accounts, client.ownerId)],
    ["service_account", usernameOf(accounts, client.binding?.userId)],
    ["jwks", client.keys?.jwks ?? null],
    ["jwks_uri", workload === null ? (client.keys?.jwksUri ?? null) : null],
    ["workload", workload],
  ])
}
