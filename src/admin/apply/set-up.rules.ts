/** What a file says that there should be, and what there is. */
import type { Hash } from "../../kernel/ids.ts"
import type { Account } from "../../model/account.rules.ts"
import type { Applied } from "../../model/change.rules.ts"
import { type Appearance, appearanceMembers } from "../../model/appearance.rules.ts"
import type { Client, ClientType, Icon } from "../../model/clients/client.rules.ts"
import type { Credential } from "../../model/credential.rules.ts"
import type { Group } from "../../model/permissions/group.rules.ts"
import type { AppUpdate } from "../../apps/app-change.rules.ts"

/** A problem in the file. It names the key. */
export type FileProblem = { readonly line: number; readonly problem: string }

export type NamedApp = {
  readonly key: string
  readonly line: number
  /** The members that the file has, each with its line. */
  readonly members: ReadonlyMap<string, number>
  readonly clientId: string | undefined
  readonly type: ClientType | undefined
  readonly update: AppUpdate
  readonly enabled: boolean | undefined
  readonly secretHash: Hash | undefined
  /** Null removes the account. */
  readonly owner: string | null | undefined
  readonly serviceAccount: string | null | undefined
}

export type NamedServiceAccount = {
  readonly name: string
  readonly line: number
  readonly owner: string | null | undefined
  readonly groups: readonly string[] | undefined
}

export type NamedGroup = {
  readonly name: string
  readonly line: number
  readonly title: string | null | undefined
}

export type NamedValue<T> = { readonly key: string; readonly line: number; readonly value: T }
export type AppearanceValue = { readonly member: keyof Appearance; readonly value: string | Icon | null }

/** The name of a member of the appearance in the file, as in the API. */
export function appearanceWord(member: keyof Appearance): string {
  return appearanceMembers[member].key.slice("appearance.".length).replaceAll("-", "_")
}

export type SetUp = {
  readonly set: string
  readonly apps: readonly NamedApp[]
  readonly groups: readonly NamedGroup[]
  readonly serviceAccounts: readonly NamedServiceAccount[]
  readonly settings: readonly NamedValue<string>[]
  readonly appearance: readonly NamedValue<AppearanceValue>[]
}

/** The rows that the file and earlier applies of its set name. */
export type Present = {
  readonly applied: readonly Applied[]
  readonly clients: readonly Client[]
  readonly accounts: readonly Account[]
  readonly groups: readonly (Group & { readonly members: number })[]
  readonly boundCredentials: readonly Credential[]
  /** The client_ids of which something is stored, also of removed apps. */
  readonly usedClientIds: readonly string[]
  readonly settings: ReadonlyMap<string, string>
  /** Whether the digests of secrets are known. The API does not show them. */
  readonly knowsSecrets: boolean
}
