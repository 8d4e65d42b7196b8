/**
 * What a change locks while it decides: rows that it writes exclusively, rows that it depends on shared. All changes lock
 * in one order.
 *
 * | a rule that                                 | locks                                                                |
 * | ------------------------------------------- | -------------------------------------------------------------------- |
 * | loads an app, an account, a grant, a session | that row; exclusively, if it writes it                               |
 * | loads or writes factors                     | their account; exclusively, if it writes any                         |
 * | loads the number of an account's apps       | that account, exclusively: the hundredth app is counted once         |
 * | looks for another administrator             | one common lock: two of them cannot disable each other               |
 * | looks for any account, or the set-up link   | the table of the link, which has at most one row                     |
 * | adds a credential                           | its app and its account: a removal waits, and then finds it          |
 * | revokes all of an account or an app         | that account or app, exclusively: no consent comes in between        |
 *
 * A missing row cannot be locked. The insert of another session fails on a unique key, and the change decides again.
 */
import type { Change } from "../../../records/change.rules.ts"
import type { Found, Load } from "../../store.ts"
import type { Connection } from "../driver/connection.ts"
import { binaryArray } from "../driver/binary-array.ts"

/** In the order in which they are taken. */
const tables = {
  account: "user_id",
  client: "client_id",
  device_grant: "grant_id",
  credential: "token_id",
  session: "session_hash",
  setting: "key",
} as const

type Table = keyof typeof tables

export class Locks {
  /** By table and key: whether the lock is exclusive. */
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

  /** Adds the locks of `others`; returns whether any is new. */
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

  /** Sends the statements that take them, in order. What follows on this connection waits until they are held. */
  send(connection: Connection): Promise<unknown>[] {
    const sent: Promise<unknown>[] = []
    if (this.#setUp) sent.push(connection.query("LOCK TABLE setup_link IN SHARE ROW EXCLUSIVE MODE", []))
    if (this.#administrators) sent.push(connection.query(ADMINISTRATORS, []))
    for (const table of Object.keys(tables) as Table[]) {
      const rows = this.#rows.get(table)
      if (rows === undefined) continue
      // One order for all: exclusive locks before shared ones would be a second order, and nodes could deadlock.
      const alone = [...rows.values()].includes(true)
      sent.push(connection.query(lockSql(table, alone), [binaryArray("text", [...rows.keys()])]))
    }
    return sent
  }
}

/**
 * A change that disables, removes or withdraws an administrator looks for another one first. The administrators' rows are
 * not locked: the set of them changes, so they have no common order. One row that always exists stands for all of them.
 * Every compatible database has row locks, and not every one has advisory locks.
 */
export const ADMINISTRATORS = "SELECT 1 FROM schema_version FOR UPDATE"

function lockSql(table: Table, alone: boolean): string {
  const key = tables[table]
  return `SELECT 1 FROM ${table} WHERE ${key} = ANY(?) ORDER BY ${key} FOR ${alone ? "UPDATE" : "SHARE"}`
}

/** What a rule with these rows and these changes has to hold. */
export function locksFor<L extends Load>(load: L, found: Found<L>, changes: readonly Change[]): Locks {
  const locks = new Locks()
  restOn(load, found as Found<Load>, locks)
  for (const change of changes) writeTo(change, found as Found<Load>, locks)
  return locks
}

function restOn(load: Load, found: Partial<Found<Load>>, locks: Locks): void {
  for (const client of [found.client, found.appOf, found.clientByRegistration])
    locks.row("client", client?.clientId)
  const { account, accountByName, ownerOf, approverOf, signedIn } = found
  for (const person of [account, accountByName, ownerOf, approverOf, signedIn])
    locks.row("account", person?.userId)
  for (const factor of [found.factor, found.passkey]) locks.row("account", factor?.userId)
  locks.row("account", load.factors)
  locks.row("account", load.codeTries)
  locks.row("account", load.ownedApps, true)
  locks.row("credential", found.credential?.consent.tokenId)
  for (const grant of [found.deviceGrant, found.deviceGrantByCode])
    locks.row("device_grant", grant?.request.grantId)
  locks.row("session", found.session?.sessionHash)
  locks.row("setting", load.setting)
  if (typeof load.otherAdministrator === "string") locks.administrators()
  if (load.anyAccount === true || load.setupLink === true) locks.setUp()
}

type Of<K extends Change["change"]> = Extract<Change, { change: K }>
type Writers = {
  readonly [K in Change["change"]]: (change: Of<K>, locks: Locks, found: Partial<Found<Load>>) => void
}

const nothing = (): void => undefined

/** One row a kind of change: leaving one out does not compile. */
const writers: Writers = {
  accountAdded: nothing,
  accountChanged: ({ account }, locks) => locks.row("account", account.userId, true),
  accountRemoved: ({ userId }, locks) => locks.row("account", userId, true),
  clientAdded: ({ client }, locks) => locks.row("account", client.ownerId),
  clientChanged: ({ client }, locks) => {
    locks.row("client", client.clientId, true)
    locks.row("account", client.ownerId)
  },
  clientRemoved: ({ clientId }, locks) => locks.row("client", clientId, true),
  iconSet: ({ clientId }, locks) => locks.row("client", clientId, true),
  credentialAdded: ({ credential: { consent } }, locks) => {
    locks.row("account", consent.userId)
    locks.row("client", consent.clientId)
  },
  credentialChanged: ({ credential }, locks) => locks.row("credential", credential.consent.tokenId, true),
  credentialsRevoked: ({ of }, locks) =>
    "userId" in of ? locks.row("account", of.userId, true) : locks.row("client", of.clientId, true),
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
  sessionAdded: ({ session }, locks) => locks.row("account", session.userId),
  sessionSeen: nothing,
  sessionProven: ({ sessionHash }, locks) => locks.row("session", sessionHash, true),
  sessionEnded: nothing,
  sessionsEnded: ({ userId }, locks) => locks.row("account", userId, true),
  codeTriesSet: ({ userId }, locks) => locks.row("account", userId, true),
  browserKnown: ({ userId }, locks) => locks.row("account", userId),
  ticketSpent: nothing,
  settingSet: ({ key }, locks) => locks.row("setting", key, true),
  settingUnset: ({ key }, locks) => locks.row("setting", key, true),
  metaSet: nothing,
  setupLinkSet: (_, locks) => locks.setUp(),
  eventRecorded: nothing,
  tallied: nothing,
}

function writeTo<K extends Change["change"]>(change: Of<K>, found: Partial<Found<Load>>, locks: Locks): void {
  writers[change.change](change, locks, found)
}
