/**
 * The locks of a change while it decides: exclusive for rows that it writes, shared for rows that it depends on. All
 * changes lock in one order, so they cannot deadlock.
 *
 * | a rule that                                 | locks                                                                |
 * | ------------------------------------------- | -------------------------------------------------------------------- |
 * | loads an app, an account, a grant, a session | that row, exclusively if it writes it                                |
 * | loads or writes factors                     | their account, exclusively if it writes any                          |
 * | loads or writes links to sign-in providers  | their account, exclusively if it writes any                          |
 * | loads the number of an account's apps       | that account, exclusively: the count of apps is limited              |
 * | looks for another administrator             | one common lock: two administrators cannot disable each other        |
 * | looks for an open import                    | the same lock: two imports do not begin together                     |
 * | loads what a set has made                   | the same lock: two applies do not make the same thing                |
 * | loads the signing keys                      | the same lock: two nodes do not take one step twice                  |
 * | looks for any account, or the set-up link   | the table of the link, which has at most one row                     |
 * | loads an address or a one-time link          | its account; exclusively if it writes one                            |
 * | loads or writes memberships                 | their account, exclusively if it writes any                          |
 * | loads an invitation                          | that row, exclusively if it ends it: one click makes an account      |
 * | ends all invitations of an administrator    | that account, exclusively: it invites no one meanwhile               |
 * | counts the mails of an account               | that account, exclusively: their number is limited                   |
 * | counts an event of a series                 | its account, exclusively: each series is one event                   |
 * | adds a session                              | its account, exclusively: their number is limited                    |
 * | loads an imported token                     | that row, exclusively if it uses it: its exchange or its revocation  |
 * | adds a credential                           | its app and its account: a removal waits, then finds the credential  |
 * | adds a credential of an organization        | that account, exclusively: there is one for app and organization     |
 * | ends or allows what an organization gives   | its account, exclusively                                             |
 * | adds an access token of a service account   | its credential, exclusively: the limit is exact                      |
 * | revokes all of an account or an app         | that account or app, exclusively: consents wait                      |
 *
 * A missing row cannot be locked. The insert of another session fails on a unique key, and the change decides again.
 */
import type { Change } from "../../../model/change.rules.ts"
import type { Found, Load } from "../../loadable.ts"
import type { Connection } from "../driver/connection.ts"
import { binaryArray } from "../driver/binary-array.ts"

/** Rows are locked in this order of their tables. */
const tables = {
  account: "user_id",
  client: "client_id",
  device_grant: "grant_id",
  credential: "token_id",
  session: "session_hash",
  setting: "key",
  import: "id::text",
  imported_token: "token_hash",
  invitation: "invitation_id",
} as const

type Table = keyof typeof tables

export class Locks {
  /** Whether each row needs an exclusive lock, by table and key. */
  readonly #rows = new Map<Table, Map<string, boolean>>()
  #administrators = false
  #setUp = false

  row(table: Table, key: string | null | undefined, alone = false): void {
    if (key === null || key === undefined) return
    const rows = this.#rows.get(table) ?? new Map<string, boolean>()
    rows.set(key, alone || rows.get(key) === true)
    this.#rows.set(table, rows)
  }

  administrators(): void {
    this.#administrators = true
  }

  setUp(): void {
    this.#setUp = true
  }

  /** A name for each lock. */
  get names(): readonly string[] {
    const rows = [...this.#rows].flatMap(([table, keys]) => [...keys.keys()].map((key) => `${table} ${key}`))
    return [...rows, ...(this.#administrators ? ["administrators"] : []), ...(this.#setUp ? ["set-up"] : [])]
  }

  /** Adds the locks of `others`. Returns whether a new lock was added. */
  add(others: Locks): boolean {
    let isMore = (others.#administrators && !this.#administrators) || (others.#setUp && !this.#setUp)
    this.#administrators ||= others.#administrators
    this.#setUp ||= others.#setUp
    for (const [table, rows] of others.#rows) {
      for (const [key, alone] of rows) {
        const held = this.#rows.get(table)?.get(key)
        if (held === undefined || (alone && !held)) isMore = true
        this.row(table, key, alone)
      }
    }
    return isMore
  }

  /** Sends the statements that lock rows, in order. Later statements on this connection run under the locks. */
  send(connection: Connection): Promise<unknown>[] {
    const sent: Promise<unknown>[] = []
    if (this.#setUp) sent.push(connection.query("LOCK TABLE setup_link IN SHARE ROW EXCLUSIVE MODE", []))
    if (this.#administrators) sent.push(connection.query(ADMINISTRATORS, []))
    for (const table of Object.keys(tables) as Table[]) {
      const rows = this.#rows.get(table)
      if (rows === undefined) continue
      // All rows of a table are locked in the same mode, with one statement. With two modes, two nodes could lock rows
      // in different orders and deadlock.
      const alone = [...rows.values()].includes(true)
      sent.push(connection.query(lockSql(table, alone), [binaryArray("text", [...rows.keys()])]))
    }
    return sent
  }
}

/**
 * A change that disables, removes or demotes an administrator checks that another administrator exists. The
 * administrators have no common lock order, because their set changes. The change therefore locks one row that always
 * exists.
 */
export const ADMINISTRATORS = "SELECT 1 FROM schema_version FOR UPDATE"

function lockSql(table: Table, alone: boolean): string {
  const key = tables[table]
  return `SELECT 1 FROM ${table} WHERE ${key} = ANY(?) ORDER BY ${key} FOR ${alone ? "UPDATE" : "SHARE"}`
}

/** Returns the locks for a rule that found these rows and returned these changes. */
export function locksFor<L extends Load>(load: L, found: Found<L>, changes: readonly Change[]): Locks {
  const locks = new Locks()
  restOn(load, found as Found<Load>, locks)
  for (const change of changes) writeTo(change, found as Found<Load>, locks)
  return locks
}

function restOn(load: Load, found: Partial<Found<Load>>, locks: Locks): void {
  for (const client of [found.client, found.appOf, found.clientByRegistration])
    locks.row("client", client?.clientId)
  const { account, accountByName, serviceAccount, ownerOf, boundAccount, approverOf, signedIn } = found
  for (const one of [account, accountByName, serviceAccount, ownerOf, boundAccount, approverOf, signedIn])
    locks.row("account", one?.userId)
  locks.row("account", found.ownerOfAccount?.userId)
  locks.row("account", load.serviceAccountsOf)
  for (const factor of [found.factor, found.passkey]) locks.row("account", factor?.userId)
  locks.row("account", load.factors)
  locks.row("account", load.memberships)
  locks.row("account", load.rememberedConsents)
  locks.row("account", load.organizationCredentials)
  locks.row("account", load.organizationBlocks)
  locks.row("account", found.identity?.userId)
  locks.row("account", load.identities)
  locks.row("account", load.codeTries)
  locks.row("account", load.mailsOf, true)
  for (const one of [found.email, found.emailByKey, found.link]) locks.row("account", one?.userId)
  locks.row("account", load.ownedApps, true)
  for (const credential of [found.credential, found.boundCredential])
    locks.row("credential", credential?.consent.tokenId)
  for (const grant of [found.deviceGrant, found.deviceGrantByCode])
    locks.row("device_grant", grant?.request.grantId)
  locks.row("session", found.session?.sessionHash)
  locks.row("client", found.document?.clientId)
  locks.row("setting", load.setting)
  for (const client of found.clients ?? []) locks.row("client", client.clientId)
  for (const { userId } of found.accountsNamed ?? []) locks.row("account", userId)
  for (const { consent } of found.boundCredentials ?? []) locks.row("credential", consent.tokenId)
  locks.row("imported_token", found.importedToken?.hash)
  for (const one of [found.invitation, found.invitationById]) locks.row("invitation", one?.invitationId)
  if (
    typeof load.otherAdministrator === "string" ||
    load.openImport === true ||
    load.signingKeys === true ||
    typeof load.applied === "string"
  )
    locks.administrators()
  if (load.anyAccount === true || load.setupLink === true) locks.setUp()
}

type Of<K extends Change["change"]> = Extract<Change, { change: K }>
type Writers = {
  readonly [K in Change["change"]]: (change: Of<K>, locks: Locks, found: Partial<Found<Load>>) => void
}

const nothing = (): void => undefined

/** The locks that each kind of change needs. The type requires an entry for every kind of change. */
const writers: Writers = {
  accountAdded: ({ account }, locks) => locks.row("account", account.ownerId),
  accountChanged: ({ account }, locks) => locks.row("account", account.userId, true),
  accountRemoved: ({ userId }, locks) => locks.row("account", userId, true),
  groupSet: nothing,
  groupRemoved: nothing,
  membershipsSet: ({ userId }, locks) => locks.row("account", userId, true),
  importSet: ({ import: { importId } }, locks) => locks.row("import", String(importId), true),
  importRemoved: ({ importId }, locks) => locks.row("import", String(importId), true),
  accountStaged: ({ importId }, locks) => locks.row("import", String(importId), true),
  stagedRemoved: ({ importId }, locks) => locks.row("import", String(importId), true),
  importedTokenAdded: ({ token: { importId } }, locks) => locks.row("import", String(importId), true),
  importedTokenUsed: ({ hash }, locks) => locks.row("imported_token", hash, true),
  clientAdded: ({ client }, locks) => locks.row("account", client.ownerId),
  clientChanged: ({ client }, locks) => {
    locks.row("client", client.clientId, true)
    locks.row("account", client.ownerId)
  },
  clientRemoved: ({ clientId }, locks) => locks.row("client", clientId, true),
  keysFetched: ({ fetched }, locks) => locks.row("client", fetched.clientId),
  assertionSpent: nothing,
  iconSet: ({ clientId }, locks) => locks.row("client", clientId, true),
  documentSet: ({ document }, locks) => locks.row("client", document.clientId, true),
  credentialAdded: ({ credential: { consent } }, locks) => {
    locks.row("account", consent.userId, consent.organization !== undefined)
    locks.row("client", consent.clientId)
  },
  credentialChanged: ({ credential }, locks) => locks.row("credential", credential.consent.tokenId, true),
  credentialsRevoked: ({ of }, locks) =>
    "userId" in of ? locks.row("account", of.userId, true) : locks.row("client", of.clientId, true),
  serviceTokenAdded: ({ token }, locks) => locks.row("credential", token.tokenId, true),
  serviceTokenEnded: nothing,
  deviceGrantAdded: nothing,
  deviceGrantChanged: ({ grant: { request, answer } }, locks) => {
    locks.row("device_grant", request.grantId, true)
    if (answer.state === "approved") locks.row("account", answer.userId)
  },
  approvalsDenied: ({ userId }, locks) => locks.row("account", userId, true),
  factorAdded: ({ factor }, locks) => locks.row("account", factor.userId, true),
  factorChanged: ({ factor }, locks) => locks.row("account", factor.userId, true),
  factorRemoved: (_, locks, found) => {
    for (const factor of [found.factor, found.passkey, ...(found.factors ?? [])])
      locks.row("account", factor?.userId, true)
  },
  factorsReset: ({ userId }, locks) => locks.row("account", userId, true),
  sessionAdded: ({ session }, locks) => locks.row("account", session.userId, true),
  sessionSeen: nothing,
  sessionProven: ({ sessionHash }, locks) => locks.row("session", sessionHash, true),
  sessionVouched: ({ sessionHash }, locks) => locks.row("session", sessionHash, true),
  sessionEnded: nothing,
  sessionCredentialAdded: ({ session }, locks) => locks.row("session", session.sessionHash),
  rememberedAdded: ({ remembered: { userId, clientId } }, locks) => {
    locks.row("account", userId, true)
    locks.row("client", clientId)
  },
  rememberedEnded: ({ userId }, locks) => locks.row("account", userId, true),
  organizationBlocked: ({ block: { userId, clientId } }, locks) => {
    locks.row("account", userId, true)
    locks.row("client", clientId)
  },
  organizationAllowed: ({ block: { userId } }, locks) => locks.row("account", userId, true),
  sessionsEnded: ({ userId }, locks) => locks.row("account", userId, true),
  identityAdded: ({ identity }, locks) => locks.row("account", identity.userId, true),
  identityChanged: ({ identity }, locks) => locks.row("account", identity.userId, true),
  identityRemoved: ({ identity }, locks) => locks.row("account", identity.userId, true),
  codeTriesSet: ({ userId }, locks) => locks.row("account", userId, true),
  browserKnown: ({ userId }, locks) => locks.row("account", userId),
  emailSet: ({ email }, locks) => locks.row("account", email.userId, true),
  emailRemoved: ({ userId }, locks) => locks.row("account", userId, true),
  linkAdded: ({ link }, locks) => locks.row("account", link.userId, true),
  linkEnded: ({ userId }, locks) => locks.row("account", userId, true),
  linksEnded: ({ userId }, locks) => locks.row("account", userId, true),
  invitationAdded: nothing,
  invitationEnded: ({ invitationId }, locks) => locks.row("invitation", invitationId, true),
  invitationsEnded: ({ invitedBy }, locks) => locks.row("account", invitedBy, true),
  mailQueued: ({ mail }, locks) => locks.row("account", mail.userId),
  mailSettled: nothing,
  ticketSpent: nothing,
  settingSet: ({ key }, locks) => locks.row("setting", key, true),
  settingUnset: ({ key }, locks) => locks.row("setting", key, true),
  // The change of the setting in the same list locks it.
  logoSet: nothing,
  appliedSet: nothing,
  appliedRemoved: nothing,
  metaSet: nothing,
  metaRemoved: nothing,
  sealedAgain: nothing,
  signingKeySet: nothing,
  signingKeyRemoved: nothing,
  setupLinkSet: (_, locks) => locks.setUp(),
  eventRecorded: nothing,
  eventCounted: ({ event }, locks) => locks.row("account", event.userId, true),
  tallied: nothing,
}

function writeTo<K extends Change["change"]>(change: Of<K>, found: Partial<Found<Load>>, locks: Locks): void {
  writers[change.change](change, locks, found)
}
