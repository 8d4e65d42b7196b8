/** Every kind of write. A rule returns a list of changes; the store applies the list in one transaction. */
import type { Account, Proof, Session } from "./account.rules.ts"
import type { ClientId, FactorId, Hash, TokenId, UserId } from "../kernel/ids.ts"
import type { Client, Icon } from "./client.rules.ts"
import type { Credential, RevokedBecause } from "./credential.rules.ts"
import type { ClientDocument } from "./document.rules.ts"
import type { DeviceGrant } from "./device-grant.rules.ts"
import type { Event } from "./event.rules.ts"
import type { Factor } from "./factor.rules.ts"
import type { FetchedKeys, SpentAssertion } from "./key.rules.ts"
import type { ServiceToken } from "./service-token.rules.ts"
import type { Tally } from "./tally.rules.ts"
import type { CodeTries } from "./failed-codes.rules.ts"

export type Change =
  | { readonly change: "accountAdded"; readonly account: Account }
  | { readonly change: "accountChanged"; readonly account: Account }
  /** Also deletes factors, sessions and known browsers. Apps lose their owner. Credentials need their own change. */
  | { readonly change: "accountRemoved"; readonly userId: UserId }
  | { readonly change: "clientAdded"; readonly client: Client }
  | { readonly change: "clientChanged"; readonly client: Client }
  | { readonly change: "clientRemoved"; readonly clientId: ClientId }
  /** Stores the result of fetching a client's keys. */
  | { readonly change: "keysFetched"; readonly fetched: FetchedKeys }
  | { readonly change: "assertionSpent"; readonly spent: SpentAssertion }
  | { readonly change: "iconSet"; readonly clientId: ClientId; readonly icon: Icon | null }
  /** Adds or rewrites the facts about a client's document. */
  | { readonly change: "documentSet"; readonly document: ClientDocument }
  | { readonly change: "credentialAdded"; readonly credential: Credential }
  /** Rewrites everything except the consent. Of a code, only the digest and the expiry stay after its exchange. */
  | { readonly change: "credentialChanged"; readonly credential: Credential }
  /** Revokes every issued or active credential of an account or of an app. */
  | {
      readonly change: "credentialsRevoked"
      readonly of: { readonly userId: UserId } | { readonly clientId: ClientId }
      readonly at: number
      readonly because: RevokedBecause
    }
  /**
   * Also ends the oldest tokens of the same credential above `SERVICE_TOKENS_KEPT` live ones. The store serializes
   * these changes of one credential.
   */
  | { readonly change: "serviceTokenAdded"; readonly token: ServiceToken }
  /** Ends one token and deletes its row. An expiry that a response reports is stored in this way too. */
  | {
      readonly change: "serviceTokenEnded"
      readonly token: Pick<ServiceToken, "hash" | "tokenId">
      readonly because: "revoked" | "expired"
    }
  | { readonly change: "deviceGrantAdded"; readonly grant: DeviceGrant }
  /** Rewrites only the answer. The request never changes. */
  | { readonly change: "deviceGrantChanged"; readonly grant: DeviceGrant }
  /** Denies the account's approvals whose tokens no device has fetched. */
  | { readonly change: "approvalsDenied"; readonly userId: UserId; readonly at: number }
  | { readonly change: "factorAdded"; readonly factor: Factor }
  /** Rewrites the name, and what each use changes: time, TOTP step, passkey counter, remaining recovery codes. */
  | { readonly change: "factorChanged"; readonly factor: Factor }
  | { readonly change: "factorRemoved"; readonly factorId: FactorId }
  /** Sets the counts of consecutive failed codes of an account. Null `tries` deletes both counts. */
  | { readonly change: "codeTriesSet"; readonly userId: UserId; readonly tries: CodeTries | null }
  /** Removes every factor of an account. */
  | { readonly change: "factorsReset"; readonly userId: UserId }
  | { readonly change: "sessionAdded"; readonly session: Session }
  | { readonly change: "sessionSeen"; readonly sessionHash: Hash; readonly at: number }
  | { readonly change: "sessionProven"; readonly sessionHash: Hash; readonly proof: Proof }
  /**
   * Also revokes the credentials that end with the session. After another sign-in of the same account in the same
   * browser they pass on to its session, the `successor`.
   */
  | {
      readonly change: "sessionEnded"
      readonly sessionHash: Hash
      readonly at: number
      readonly successor?: Session
    }
  /** Also revokes the credentials that end with these sessions. */
  | {
      readonly change: "sessionsEnded"
      readonly userId: UserId
      readonly except: Hash | null
      readonly at: number
    }
  /** The credential, or the device grant that becomes it, ends with the session. */
  | { readonly change: "sessionCredentialAdded"; readonly tokenId: TokenId; readonly session: Session }
  /** A browser that has signed in to an account. Sign-in rate limits never lock it out. */
  | {
      readonly change: "browserKnown"
      readonly browserHash: Hash
      readonly userId: UserId
      readonly at: number
    }
  /** The ticket of a submitted form. It cannot be used again, even if the form was submitted too late. */
  | { readonly change: "ticketSpent"; readonly ticketId: TokenId; readonly at: number }
  | { readonly change: "settingSet"; readonly key: string; readonly value: string }
  | { readonly change: "settingUnset"; readonly key: string }
  /** A fact about the database itself, such as the check value of the service secret. */
  | { readonly change: "metaSet"; readonly key: string; readonly value: string }
  /** The only valid set-up link; null after it was used. */
  | { readonly change: "setupLinkSet"; readonly hash: Hash | null; readonly at: number }
  | { readonly change: "eventRecorded"; readonly event: Event }
  /**
   * Writes the detail of `event` to the newest event of the same account and kind whose detail begins with `series`.
   * Without such an event, records `event`.
   */
  | {
      readonly change: "eventCounted"
      readonly event: Event & { readonly userId: UserId }
      readonly series: string
    }
  /** Adds each count to its bucket. */
  | { readonly change: "tallied"; readonly tallies: readonly Tally[] }

/** The result of a rule: the answer, and the changes that must be stored before the answer is sent. */
export type Decided<A> = { readonly answer: A; readonly changes: readonly Change[] }

export function decided<A>(answer: A, ...changes: readonly Change[]): Decided<A> {
  return { answer, changes }
}
