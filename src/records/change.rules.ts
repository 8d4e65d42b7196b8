/** Every write there is. A rule decides a list of these; the store applies them in one transaction. */
import type { Account, Proof, Session } from "./account.rules.ts"
import type { ClientId, FactorId, Hash, TokenId, UserId } from "../kernel/ids.ts"
import type { Client, Icon } from "./client.rules.ts"
import type { Credential, RevokedBecause } from "./credential.rules.ts"
import type { DeviceGrant } from "./device-grant.rules.ts"
import type { Event } from "./event.rules.ts"
import type { Factor } from "./factor.rules.ts"
import type { Tally } from "./tally.rules.ts"
import type { CodeTries } from "./failed-codes.rules.ts"

export type Change =
  | { readonly change: "accountAdded"; readonly account: Account }
  | { readonly change: "accountChanged"; readonly account: Account }
  /**
   * Takes the factors, the sessions and the known browsers along and leaves its apps without an owner; credentials are revoked by a
   * change of their own.
   */
  | { readonly change: "accountRemoved"; readonly userId: UserId }
  | { readonly change: "clientAdded"; readonly client: Client }
  | { readonly change: "clientChanged"; readonly client: Client }
  | { readonly change: "clientRemoved"; readonly clientId: ClientId }
  | { readonly change: "iconSet"; readonly clientId: ClientId; readonly icon: Icon | null }
  | { readonly change: "credentialAdded"; readonly credential: Credential }
  /** Rewrites everything but the consent and the code, which are settled for good. */
  | { readonly change: "credentialChanged"; readonly credential: Credential }
  /** Revokes every issued or active credential of an account or of an app. */
  | {
      readonly change: "credentialsRevoked"
      readonly of: { readonly userId: UserId } | { readonly clientId: ClientId }
      readonly at: number
      readonly because: RevokedBecause
    }
  | { readonly change: "deviceGrantAdded"; readonly grant: DeviceGrant }
  /** Rewrites only the answer; the request is settled. */
  | { readonly change: "deviceGrantChanged"; readonly grant: DeviceGrant }
  /** Denies what an account approved and no device has fetched yet. */
  | { readonly change: "approvalsDenied"; readonly userId: UserId; readonly at: number }
  | { readonly change: "factorAdded"; readonly factor: Factor }
  /** Rewrites its name and what use changes: when, up to which step or count, and which codes are left. */
  | { readonly change: "factorChanged"; readonly factor: Factor }
  | { readonly change: "factorRemoved"; readonly factorId: FactorId }
  /** How many codes of an account failed in a row; null where no code did. */
  | { readonly change: "codeTriesSet"; readonly userId: UserId; readonly tries: CodeTries | null }
  /** Removes every factor of an account. */
  | { readonly change: "factorsReset"; readonly userId: UserId }
  | { readonly change: "sessionAdded"; readonly session: Session }
  | { readonly change: "sessionSeen"; readonly sessionHash: Hash; readonly at: number }
  | { readonly change: "sessionProven"; readonly sessionHash: Hash; readonly proof: Proof }
  | { readonly change: "sessionEnded"; readonly sessionHash: Hash }
  | { readonly change: "sessionsEnded"; readonly userId: UserId; readonly except: Hash | null }
  /** A browser that signed in to an account before; sign-in throttles never shut it out. */
  | {
      readonly change: "browserKnown"
      readonly browserHash: Hash
      readonly userId: UserId
      readonly at: number
    }
  /** A consent page was answered, or was too old when it was answered. The ticket is used up. */
  | { readonly change: "ticketSpent"; readonly ticketId: TokenId; readonly at: number }
  | { readonly change: "settingSet"; readonly key: string; readonly value: string }
  | { readonly change: "settingUnset"; readonly key: string }
  /** A fact about the database itself, such as the check value of the service secret. */
  | { readonly change: "metaSet"; readonly key: string; readonly value: string }
  /** The one set-up link that works; null once it was used. */
  | { readonly change: "setupLinkSet"; readonly hash: Hash | null; readonly at: number }
  | { readonly change: "eventRecorded"; readonly event: Event }
  /** Adds each count to what its bucket holds. */
  | { readonly change: "tallied"; readonly tallies: readonly Tally[] }

/** What a rule decides: the answer, and the writes that must be on disk before the answer is sent. */
export type Decided<A> = { readonly answer: A; readonly changes: readonly Change[] }

export function decided<A>(answer: A, ...changes: readonly Change[]): Decided<A> {
  return { answer, changes }
}
