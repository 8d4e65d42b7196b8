/** What a file says that there should be, and what there is. */
import { ID_TOKEN_ALGORITHMS } from "../../model/clients/openid-members.rules.ts"
import type { Hash } from "../../kernel/ids.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import type { Account } from "../../model/account.rules.ts"
import type { Applied } from "../../model/change.rules.ts"
import { type Appearance, appearanceMembers } from "../../model/appearance.rules.ts"
import { appSwitches, type SwitchRow } from "../../model/clients/app-switches.rules.ts"
import type { Client, ClientKeys, Icon } from "../../model/clients/client.rules.ts"
import { type KeysInput, parseClientKeys } from "../../model/clients/key-set.rules.ts"
import type { Credential } from "../../model/credential.rules.ts"
import type { Group } from "../../model/permissions/group.rules.ts"
import { usernameKey } from "../../model/username.rules.ts"
import { workloadShape } from "../apps/workload-shape.rules.ts"
import { choice, flag, list, orNull, type Shape, text } from "../../platform/json/shape.rules.ts"

/** A problem in the file. It names the key. */
export type FileProblem = { readonly line: number; readonly problem: string }

type Parser<T> = Shape<T>["parse"]

const word = text("", "")
const words = list("", word)
const flags = Object.fromEntries(appSwitches.map(({ name }) => [name, flag("").parse]))
const jwks: Parser<ClientKeys> = (json, at) => parseKeys({ jwks: json, jwksUri: undefined }, at)
const jwksUri: Parser<ClientKeys> = (json, at) => {
  const uri = word.parse(json, at)
  return uri.ok ? parseKeys({ jwks: undefined, jwksUri: uri.value }, at) : uri
}

/** The keys are then the platform's, beside `jwks` or `jwks_file`. */
const workload: Parser<ClientKeys> = (json, at) => {
  const named = workloadShape.parse(json, at)
  return named.ok ? parseKeys({ jwks: undefined, jwksUri: undefined, workload: named.value }, at) : named
}

function parseKeys(given: KeysInput, at: string): Result<ClientKeys, Problem> {
  const keys = parseClientKeys(given)
  if (!keys.ok) return err(`${at}: ${keys.error}`)
  return keys.value === null ? err(`${at}: expected keys`) : ok(keys.value)
}

/** How the members of things are read. */
export const parsers = {
  groups: { title: orNull(word).parse },
  service_accounts: { owner: orNull(word).parse, groups: words.parse },
  apps: {
    ...{ client_id: word.parse, name: word.parse, type: choice("", ["public", "confidential"]).parse },
    ...{ redirects: words.parse, permissions: words.parse, groups: words.parse, enabled: flag("").parse },
    ...(flags as { readonly [R in SwitchRow as R["name"]]: Parser<boolean> }),
    id_token_signed_response_alg: choice("", ID_TOKEN_ALGORITHMS).parse,
    post_logout_redirect_uris: words.parse,
    ...{ owner: orNull(word).parse, service_account: orNull(word).parse, jwks, jwks_uri: jwksUri, workload },
  },
}

/** How the members that name files are read. A secret becomes its digest. */
export type FileParsers = {
  readonly client_secret_file: Parser<Hash>
  readonly jwks_file: Parser<ClientKeys>
}

export type Parsers = Readonly<Record<string, Parser<unknown>>>
/** The members that an entry has. One that it leaves out stays as it is. Null removes what the member names. */
export type MembersOf<P> = {
  readonly [K in keyof P]?: (P[K] extends Parser<infer T> ? T : never) | undefined
}

/** An entry of the file. */
export type Named<M> = {
  readonly key: string
  readonly line: number
  /** The members that the file has, each with its line. */
  readonly lines: ReadonlyMap<string, number>
  readonly members: M
}
export type NamedApp = Named<MembersOf<typeof parsers.apps & FileParsers>>
export type NamedGroup = Named<MembersOf<typeof parsers.groups>>
export type NamedServiceAccount = Named<MembersOf<typeof parsers.service_accounts>>
export type NamedSetting = Named<string>
/** The picture of a logo is drawn already. */
export type NamedLook = Named<string | Icon | null>

export type SetUp = {
  readonly set: string
  readonly apps: readonly NamedApp[]
  readonly groups: readonly NamedGroup[]
  readonly serviceAccounts: readonly NamedServiceAccount[]
  readonly settings: readonly NamedSetting[]
  readonly appearance: readonly NamedLook[]
}

/** The name of a member of the appearance in the file, as in the API. */
export function appearanceWord(member: keyof Appearance): string {
  return appearanceMembers[member].key.slice("appearance.".length).replaceAll("-", "_")
}

/** The keys of the accounts that the file and earlier applies of its set name. */
export function accountKeys({ apps, serviceAccounts }: SetUp, applied: readonly Applied[]) {
  const names = [
    ...apps.flatMap(({ members }) => [members.owner, members.service_account]),
    ...serviceAccounts.flatMap(({ key, members }) => [key, members.owner]),
    ...applied.filter(({ what }) => what === "service_account").map(({ key }) => key),
  ]
  return new Set(names.flatMap((name) => (typeof name === "string" ? usernameKey(name) : [])))
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
