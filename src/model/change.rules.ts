/** Every kind of write. A rule returns a list of changes. The store applies the list in one transaction. */
import type { Account, Proof, Session } from "./account.rules.ts"
import type { ClientId, FactorId, Hash, InvitationId, KeyId, MailId, TokenId, UserId } from "../kernel/ids.ts"
import type { Client, Icon, FetchedKeys, SpentAssertion } from "./clients/client.rules.ts"
import type { Credential, RememberedConsent, RevokedBecause } from "./credential.rules.ts"
import type { ClientDocument } from "./clients/document.rules.ts"
import type { DeviceGrant } from "./device-grant.rules.ts"
import type { AccountEmail, LinkPurpose, OneTimeLink } from "./mail/email.rules.ts"
import type { Group, Membership } from "./permissions/group.rules.ts"
import { event, type Event, type EventFacts, type EventKind } from "./event.rules.ts"
import type { LogoKey } from "./appearance.rules.ts"
import type { Factor, CodeTries } from "./factor.rules.ts"
import type { Invitation } from "./invitation.rules.ts"
import type { Identity } from "./sign-in/identity.rules.ts"
import type { OrganizationBlock } from "./sign-in/organization.rules.ts"
import type { Import, ImportedToken } from "./moved/import.rules.ts"
import type { MailOutcome, NewMail } from "./mail/mail.rules.ts"
import type { SealedThing } from "./sealed.rules.ts"
import type { ServiceToken } from "./service-token.rules.ts"
import type { SigningKey } from "./signing-key.rules.ts"
import type { Tally } from "./tally.rules.ts"

/** An account of an import that has not finished, with its one-time passwords. */
export type StagedAccount = {
  readonly account: Account
  readonly factors: readonly Factor[]
}

/** What `latchkey apply` has made. Only these things may `--prune` remove. Interface APPLY-4. */
export type Applied = {
  /** The set that the file names. */
  readonly set: string
  readonly what: "app" | "group" | "service_account" | "setting" | "appearance"
  /** The key in the file. */
  readonly key: string
  /** The id of what was made: a client_id, a user_id, a group, a setting or a member of the appearance. */
  readonly made: string
}

export type Change =
  | { readonly change: "accountAdded"; readonly account: Account }
  | { readonly change: "accountChanged"; readonly account: Account }
  /**
   * Removing an account also deletes its factors, sessions and known browsers. Its apps lose their owner. Its
   * credentials need their own change. Its id stays known, because no later account may have it.
   */
  | { readonly change: "accountRemoved"; readonly userId: UserId }
  /** Adds a group, or replaces its title. */
  | { readonly change: "groupSet"; readonly group: Group }
  /** Also ends every membership of the group. */
  | { readonly change: "groupRemoved"; readonly name: string }
  /** Replaces all memberships of an account, and its `groups`. A membership of a group that is gone is left out. */
  | {
      readonly change: "membershipsSet"
      readonly userId: UserId
      readonly memberships: readonly Membership[]
    }
  | { readonly change: "importSet"; readonly import: Import }
  | { readonly change: "importRemoved"; readonly importId: number }
  | { readonly change: "accountStaged"; readonly staged: StagedAccount; readonly importId: number }
  /** Deletes staged accounts and tokens, at most `limit` of each. */
  | { readonly change: "stagedRemoved"; readonly importId: number; readonly limit: number }
  | { readonly change: "importedTokenAdded"; readonly token: ImportedToken }
  | { readonly change: "importedTokenUsed"; readonly hash: Hash; readonly at: number }
  | { readonly change: "clientAdded"; readonly client: Client }
  | { readonly change: "clientChanged"; readonly client: Client }
  | { readonly change: "clientRemoved"; readonly clientId: ClientId }
  | { readonly change: "keysFetched"; readonly fetched: FetchedKeys }
  | { readonly change: "assertionSpent"; readonly spent: SpentAssertion }
  | { readonly change: "iconSet"; readonly clientId: ClientId; readonly icon: Icon | null }
  | { readonly change: "documentSet"; readonly document: ClientDocument }
  | { readonly change: "credentialAdded"; readonly credential: Credential }
  /** Replaces everything except the consent. After the exchange of a code, only its digest and its expiry are kept. */
  | { readonly change: "credentialChanged"; readonly credential: Credential }
  /** Revokes every credential of an account or of an app that is issued or active. */
  | {
      readonly change: "credentialsRevoked"
      readonly of: { readonly userId: UserId } | { readonly clientId: ClientId }
      readonly at: number
      readonly because: RevokedBecause
    }
  /**
   * Adds a token. If a credential has more than `SERVICE_TOKENS_KEPT` live tokens, its oldest tokens end. The store
   * applies such changes of one credential one after the other.
   */
  | { readonly change: "serviceTokenAdded"; readonly token: ServiceToken }
  /** Ends a token and deletes its row. This change also stores an expiry that a response reports. */
  | {
      readonly change: "serviceTokenEnded"
      readonly token: Pick<ServiceToken, "hash" | "tokenId">
      readonly because: "revoked" | "expired"
    }
  | { readonly change: "deviceGrantAdded"; readonly grant: DeviceGrant }
  /** Replaces only the answer. The request never changes. */
  | { readonly change: "deviceGrantChanged"; readonly grant: DeviceGrant }
  /** Denies all grants that the account approved and whose tokens no device has fetched. */
  | { readonly change: "approvalsDenied"; readonly userId: UserId; readonly at: number }
  | { readonly change: "factorAdded"; readonly factor: Factor }
  /** Replaces the name and what a use changes: the time, TOTP step, passkey counter or remaining recovery codes. */
  | { readonly change: "factorChanged"; readonly factor: Factor }
  | { readonly change: "factorRemoved"; readonly factorId: FactorId }
  | { readonly change: "identityAdded"; readonly identity: Identity }
  /** Replaces only `grantsAdministration` and `shownName`. */
  | { readonly change: "identityChanged"; readonly identity: Identity }
  | { readonly change: "identityRemoved"; readonly identity: Identity }
  /** Stores how many codes of an account failed in a row. If `tries` is null, the counts are deleted. */
  | { readonly change: "codeTriesSet"; readonly userId: UserId; readonly tries: CodeTries | null }
  | { readonly change: "factorsReset"; readonly userId: UserId }
  /** If the account then has more than `SESSIONS_AT_MOST`, ends those longest unseen as `sessionEnded` does. */
  | { readonly change: "sessionAdded"; readonly session: Session }
  | { readonly change: "sessionSeen"; readonly sessionHash: Hash; readonly at: number }
  | { readonly change: "sessionProven"; readonly sessionHash: Hash; readonly proof: Proof }
  /** The application that began the session vouched for it again. */
  | { readonly change: "sessionVouched"; readonly sessionHash: Hash; readonly at: number }
  /**
   * Ends a session and revokes the credentials that end with it. If the same account signs in again in the same
   * browser, these credentials pass on to the new session, the `successor`.
   */
  | {
      readonly change: "sessionEnded"
      readonly sessionHash: Hash
      readonly at: number
      readonly successor?: Session
    }
  /** Ends several sessions and revokes the credentials that end with them. */
  | {
      readonly change: "sessionsEnded"
      readonly userId: UserId
      readonly except: Hash | null
      readonly at: number
    }
  /** The credential ends with the session. A device grant gets the same link, because it becomes a credential later. */
  | { readonly change: "sessionCredentialAdded"; readonly tokenId: TokenId; readonly session: Session }
  /** A consent of an app with `remember_consent`. It also ends when redirect URIs, keys, owner or switch of the app change. */
  | { readonly change: "rememberedAdded"; readonly remembered: RememberedConsent }
  | { readonly change: "rememberedEnded"; readonly id: TokenId; readonly userId: UserId }
  /** An organization may not connect the app to the account, until the account holder allows it again. */
  | { readonly change: "organizationBlocked"; readonly block: OrganizationBlock }
  | { readonly change: "organizationAllowed"; readonly block: OrganizationBlock }
  /** The browser has signed in to an account. Rate limits of sign-in never lock it out. */
  | {
      readonly change: "browserKnown"
      readonly browserHash: Hash
      readonly userId: UserId
      readonly at: number
    }
  | { readonly change: "emailSet"; readonly email: AccountEmail }
  | { readonly change: "emailRemoved"; readonly userId: UserId }
  | { readonly change: "linkAdded"; readonly link: OneTimeLink }
  | { readonly change: "linkEnded"; readonly linkHash: Hash; readonly userId: UserId }
  /** Ends the links of an account for a purpose that were made at `since` or later. */
  | {
      readonly change: "linksEnded"
      readonly userId: UserId
      readonly purpose: LinkPurpose
      readonly since: number
    }
  | { readonly change: "invitationAdded"; readonly invitation: Invitation }
  /** Ends an invitation. Its mail, which has the same id, is not sent any more. */
  | { readonly change: "invitationEnded"; readonly invitationId: InvitationId }
  /** Ends every invitation of an administrator who stops being one, in the same way. */
  | { readonly change: "invitationsEnded"; readonly invitedBy: UserId }
  /** Adds nothing if the account has no such address, or too many mails of this kind within a day. */
  | { readonly change: "mailQueued"; readonly mail: NewMail }
  /** Stores the result of an attempt, if `tries` is still the number of the last attempt. */
  | {
      readonly change: "mailSettled"
      readonly mailId: MailId
      readonly tries: number
      readonly outcome: MailOutcome
    }
  /** The ticket of a submitted form. It cannot be used again, even if the submission came too late. */
  | { readonly change: "ticketSpent"; readonly ticketId: TokenId; readonly at: number }
  | { readonly change: "settingSet"; readonly key: string; readonly value: string }
  | { readonly change: "settingUnset"; readonly key: string }
  /** Stores a logo, or removes it. The setting of the same key, which has its digest, needs its own change. */
  | { readonly change: "logoSet"; readonly key: LogoKey; readonly logo: Icon | null }
  /** Stores which set made something, and under which key of its file. */
  | { readonly change: "appliedSet"; readonly applied: Applied }
  | { readonly change: "appliedRemoved"; readonly applied: Pick<Applied, "what" | "made"> }
  /** A fact about the database itself, such as the check value of the service secret. */
  | { readonly change: "metaSet"; readonly key: string; readonly value: string }
  | { readonly change: "metaRemoved"; readonly key: string }
  /** Replaces a sealed text, if the row still has `former`. Only the key of an import may become null. */
  | {
      readonly change: "sealedAgain"
      readonly thing: SealedThing
      readonly key: string
      readonly former: string
      readonly text: string | null
    }
  /** Adds a signing key, or replaces its state, its times and its private part. */
  | { readonly change: "signingKeySet"; readonly key: SigningKey }
  | { readonly change: "signingKeyRemoved"; readonly kid: KeyId }
  /** The only valid set-up link. The hash is null after the link was used. */
  | { readonly change: "setupLinkSet"; readonly hash: Hash | null; readonly at: number }
  | { readonly change: "eventRecorded"; readonly event: Event }
  /** Replaces the detail of the newest such event whose detail begins with `series`. Without one, records `event`. */
  | {
      readonly change: "eventCounted"
      readonly event: Event & { readonly userId: UserId }
      readonly series: string
    }
  | { readonly change: "tallied"; readonly tallies: readonly Tally[] }

/** The result of a rule: the answer, and the changes that must be stored before the answer is sent. */
export type Decided<A> = { readonly answer: A; readonly changes: readonly Change[] }

export function decided<A>(answer: A, ...changes: readonly Change[]): Decided<A> {
  return { answer, changes }
}

/** The change that records an event. */
export function eventRecorded(kind: EventKind, at: number, facts?: EventFacts) {
  return { change: "eventRecorded", event: event(kind, at, facts) } as const
}
