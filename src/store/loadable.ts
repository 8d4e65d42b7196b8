/** The rows that a rule can load before it decides, and the facts about the database itself. */
import type { Account, Session } from "../model/account.rules.ts"
import type { ClientId, FactorId, GrantId, Hash, InvitationId, TokenId, UserId } from "../kernel/ids.ts"
import type { Client, Icon, FetchedKeys, SpentAssertion } from "../model/clients/client.rules.ts"
import type { Credential, RememberedConsent } from "../model/credential.rules.ts"
import type { ClientDocument } from "../model/clients/document.rules.ts"
import type { DeviceGrant } from "../model/device-grant.rules.ts"
import type { AccountEmail, OneTimeLink } from "../model/mail/email.rules.ts"
import type { CountedGroup } from "./list-shapes.ts"
import type { Group, Membership } from "../model/permissions/group.rules.ts"
import type { Invitation } from "../model/invitation.rules.ts"
import type { Applied } from "../model/change.rules.ts"
import type { LogoKey } from "../model/appearance.rules.ts"
import type { Factor, Passkey, CodeTries } from "../model/factor.rules.ts"
import type { RecentMail } from "../model/mail/mail.rules.ts"
import type { Import, ImportedToken } from "../model/moved/import.rules.ts"
import type { SigningKey } from "../model/signing-key.rules.ts"
import type { ServiceToken } from "../model/service-token.rules.ts"
import type { Identity } from "../model/sign-in/identity.rules.ts"
import type { OrganizationBlock } from "../model/sign-in/organization.rules.ts"

/** The rows that a rule can load, by their keys. A missing row is null. */
export type Loadable = {
  client: { key: ClientId; row: Client }
  /** A self-registered app without a consent, by the digest of its registration. */
  clientByRegistration: { key: Hash; row: Client }
  /** The number of apps that an account owns. This row is never null. */
  ownedApps: { key: UserId; row: { readonly count: number } }
  account: { key: UserId; row: Account }
  accountByName: { key: string; row: Account }
  /** Who put the account into its groups. In the order of the groups. */
  memberships: { key: UserId; row: readonly Membership[] }
  group: { key: string; row: Group }
  /** The service accounts that a person owns. */
  serviceAccountsOf: { key: UserId; row: readonly Account[] }
  /** The owner of a service account. */
  ownerOfAccount: { key: UserId; row: Account }
  /** The service account that an app will be bound to. It is loaded in addition to `account`. */
  serviceAccount: { key: UserId; row: Account }
  /** An import, and the only one that has not finished. */
  import: { key: number; row: Import }
  openImport: { key: true; row: Import }
  /** A number above zero if rows of an import are left. This row is never null. */
  stagedRows: { key: number; row: { readonly count: number } }
  /** An imported refresh token of a finished import. */
  importedToken: { key: Hash; row: ImportedToken }
  credential: { key: TokenId; row: Credential }
  /** A credential for the check of an access token. Its code and the facts of its sign-in are not loaded: both are null. */
  tokensOf: { key: TokenId; row: Credential }
  /** The app of a credential. `ownerOf` is the account of the credential. */
  appOf: { key: TokenId; row: Client }
  ownerOf: { key: TokenId; row: Account }
  /** An access token of a service account, by its digest. */
  serviceToken: { key: Hash; row: ServiceToken }
  /**
   * The newest access tokens of a service account's credential, newest first. There are at most `ACCESS_TOKENS_KEPT`.
   */
  latestServiceTokens: { key: TokenId; row: readonly ServiceToken[] }
  /** The credential and the service account that an app is bound to. */
  boundCredential: { key: ClientId; row: Credential }
  boundAccount: { key: ClientId; row: Account }
  /** The active credentials of an account that an organization gave. */
  organizationCredentials: { key: UserId; row: readonly Credential[] }
  /** What its holder or an administrator ended of these. In no particular order. */
  organizationBlocks: { key: UserId; row: readonly OrganizationBlock[] }
  deviceGrant: { key: GrantId; row: DeviceGrant }
  deviceGrantByCode: { key: Hash; row: DeviceGrant }
  /** The account that approved a device grant. */
  approverOf: { key: GrantId; row: Account }
  /** Every factor of an account, oldest first. */
  factors: { key: UserId; row: readonly Factor[] }
  factor: { key: FactorId; row: Factor }
  /** A passkey by the id that its authenticator chose. */
  passkey: { key: string; row: Passkey }
  /** A link to a person at a sign-in provider, by the digest of issuer and subject. */
  identity: { key: Hash; row: Identity }
  /** Every such link of an account, in no particular order. */
  identities: { key: UserId; row: readonly Identity[] }
  /** The number of one-time passwords and recovery codes of an account that failed in a row. */
  codeTries: { key: UserId; row: CodeTries }
  session: { key: Hash; row: Session }
  /** Those of these credentials that end with a sign-in session. */
  sessionCredentials: { key: KeyList; row: readonly TokenId[] }
  /** The remembered consents of an account, oldest first. */
  rememberedConsents: { key: UserId; row: readonly RememberedConsent[] }
  /** The account of a session. */
  signedIn: { key: Hash; row: Account }
  spentTicket: { key: TokenId; row: { readonly spentAt: number } }
  knownBrowser: { key: { readonly browserHash: Hash; readonly userId: UserId }; row: { readonly at: number } }
  /** A browser that has signed in to any account. */
  anyKnownBrowser: { key: Hash; row: { readonly at: number } }
  email: { key: UserId; row: AccountEmail }
  /** A confirmed e-mail address by its canonical form. */
  emailByKey: { key: string; row: AccountEmail }
  link: { key: Hash; row: OneTimeLink }
  /** An invitation by the digest of its link, and by its id. */
  invitation: { key: Hash; row: Invitation }
  invitationById: { key: InvitationId; row: Invitation }
  /** The mails of an account that wait or were queued within a day. */
  mailsOf: { key: UserId; row: readonly RecentMail[] }
  icon: { key: ClientId; row: Icon }
  fetchedKeys: { key: ClientId; row: FetchedKeys }
  spentAssertion: { key: Hash; row: SpentAssertion }
  /** The assertion of a grant. It is loaded in addition to the one that authenticates the client. */
  spentGrant: { key: Hash; row: SpentAssertion }
  anyClientWithKeys: { key: true; row: Client }
  document: { key: ClientId; row: ClientDocument }
  setting: { key: string; row: { readonly value: string } }
  /** All stored settings. */
  settings: { key: true; row: readonly { readonly key: string; readonly value: string }[] }
  logo: { key: LogoKey; row: Icon }
  /** What a set has made. Changes that load it run one after the other. */
  applied: { key: string; row: readonly Applied[] }
  /** The apps with these ids, the accounts and the groups with these names, and the credentials that these apps are bound to. */
  clients: { key: KeyList; row: readonly Client[] }
  accountsNamed: { key: KeyList; row: readonly Account[] }
  groupsNamed: { key: KeyList; row: readonly CountedGroup[] }
  boundCredentials: { key: KeyList; row: readonly Credential[] }
  /** Those of these client_ids of which credentials or device grants are stored, also of removed apps. */
  usedClientIds: { key: KeyList; row: readonly ClientId[] }
  /** A fact about the database itself, such as the check value of the service secret. */
  meta: { key: string; row: { readonly value: string } }
  /** What each running node has recorded of itself. */
  nodes: { key: true; row: readonly NodeFact[] }
  setupLink: { key: true; row: { readonly hash: Hash; readonly at: number } }
  /** Every signing key, in the order in which they were made. */
  signingKeys: { key: true; row: readonly SigningKey[] }
  /** The account of any one person. The row is null if the service has no account. */
  anyAccount: { key: true; row: { readonly userId: UserId } }
  /** Any app that is bound to a service account. */
  anyBinding: { key: true; row: { readonly clientId: ClientId } }
  /** Any other enabled administrator who can sign in. The last administrator cannot be disabled, removed or demoted. */
  otherAdministrator: { key: UserId; row: Account }
}

/** Several keys of one kind, as the text of a JSON list. */
export type KeyList = string & { readonly __list: true }

/** PostgreSQL cannot compare texts with NUL, which no stored key contains. */
export function keyList(keys: readonly string[]): KeyList {
  return JSON.stringify(keys.filter((key) => !key.includes("\0"))) as KeyList
}

export const metaKeys = {
  serviceSecretCheck: "service_secret_check",
  /** The check value of the secret that `secret rotate` is putting in place. Empty between two rotations. */
  nextSecretCheck: "next_secret_check",
  believedTime: "believed_time",
  /** The base URL that the service last served with. */
  baseUrl: "base_url",
  /** A hash without a password, of the form that most accounts of the last import have. */
  importedHash: "imported_hash",
  /** The latest `deleteAfter` of the used assertions that were deleted. */
  assertionsSwept: "assertions_swept",
} as const

/** Each running node has a fact of its own, whose key begins with this. */
export const NODE_KEY_PREFIX = "node "

export type NodeFact = { readonly key: string; readonly value: string }

/**
 * The rows to load, with at most one key of each kind. The row of a null key is null, so that an unreadable token needs
 * no special case.
 */
export type Load = { readonly [K in keyof Loadable]?: Loadable[K]["key"] | null }

export type Found<L extends Load> = {
  readonly [K in keyof L & keyof Loadable]: Loadable[K]["row"] | null
}
