/** What lists of the database are asked for, and what they return. */
import type { Account, AccountType } from "../model/account.rules.ts"
import type { ClientId, TokenId, UserId } from "../kernel/ids.ts"
import type { Client, RegisteredBy } from "../model/clients/client.rules.ts"
import type { Credential } from "../model/credential.rules.ts"
import type { Event, EventKind } from "../model/event.rules.ts"
import type { Invalidation } from "../model/invalidation.rules.ts"
import type { Group } from "../model/permissions/group.rules.ts"
import type { Grain } from "../model/tally.rules.ts"

/** A page of a list: at most `limit` rows after the key `after`. */
export type Page = {
  readonly after?: string | undefined
  readonly limit: number
  readonly newestFirst?: boolean | undefined
}

export type AccountFilter = {
  /** The beginning of the name in canonical form. With this filter, the list is sorted by names. */
  readonly nameBegins?: string | undefined
  readonly admin?: boolean | undefined
  readonly enabled?: boolean | undefined
  readonly type?: AccountType | undefined
  /** The owner of a service account. */
  readonly ownerId?: UserId | undefined
  /** The name of a group that the account is in. */
  readonly group?: string | undefined
}

/** A membership that a provider gave. */
export type Mark = { readonly provider: string; readonly group: string; readonly userId: UserId }

/** A group, and the number of accounts in it. */
export type CountedGroup = Group & { readonly members: number }

export type ClientFilter = {
  readonly ownerId?: UserId | undefined
  readonly registeredBy?: RegisteredBy | undefined
  /** A part of the name. The case of ASCII letters is ignored. */
  readonly nameContains?: string | undefined
  /** The name of a group that the app is for. */
  readonly group?: string | undefined
  readonly verified?: boolean | undefined
  readonly enabled?: boolean | undefined
}

export type CredentialFilter = {
  readonly userId?: UserId | undefined
  readonly clientId?: ClientId | undefined
  /** Selects credentials that are active at this time. */
  readonly live?: number | undefined
  /**
   * Selects credentials that are revoked or ended at this time. Without an account or an app, the list begins with the
   * credential that is deleted last, and `newestFirst` is ignored.
   */
  readonly over?: number | undefined
}

export type EventFilter = {
  readonly kinds?: readonly EventKind[] | undefined
  readonly userId?: UserId | undefined
  readonly clientId?: ClientId | undefined
  readonly tokenId?: TokenId | undefined
  /** Selects events from `since` on and before `until`. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

export type TallyQuery = {
  readonly grain: Grain
  /** Selects buckets that start at `since` or later, and before `until`. */
  readonly since: number
  readonly until: number
  /** Selects the counts of one app or of every app. Undefined selects the counts of the whole service. */
  readonly clientId?: ClientId | "every" | undefined
}

/** The half minutes from `first` to `last`, including both. */
export type Span = { readonly first: number; readonly last: number }

export type Gauges = {
  readonly accounts: number
  readonly apps: number
  /** The number of active credentials. Credentials that end within a day may not be counted. */
  readonly installations: number
}

export type AppUsers = {
  readonly installations: number
  readonly accounts: number
  /** Whether all active credentials of the app were counted. Counting stops at a maximum. */
  readonly isWhole: boolean
}

export type RecordedInvalidation = Invalidation & { readonly id: number }

export type Invalidations = {
  /** The newest id that was ever assigned. It is 0 before the first invalidation. */
  readonly last: number
  /** Whether all invalidations after `after` are still stored. If not, every cached check may be stale. */
  readonly isWhole: boolean
  readonly rows: readonly RecordedInvalidation[]
}

/** A credential with its current app and account. A removed app or account is null. */
export type HeldCredential = {
  readonly credential: Credential
  readonly client: Client | null
  readonly account: Account | null
}

export type RecordedEvent = Event & { readonly id: number }

/** An invariant that a stored row violates. */
export type Problem = { readonly table: string; readonly key: string; readonly problem: string }

export type Progress = (done: number, of: number) => void
