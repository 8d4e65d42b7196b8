/** Writes every kind of change as SQL. Runs in the transaction that loaded the rows. */
import type { Change } from "../../../model/change.rules.ts"
import type { Hash, TokenId } from "../../../kernel/ids.ts"
import { type Credential, familyOf } from "../../../model/credential.rules.ts"
import { event as createEvent } from "../../../model/event.rules.ts"
import { EVERYTHING, invalidationOf } from "../../../model/invalidation.rules.ts"
import type { Connection } from "../engine/connection.ts"
import { countEvent } from "./count-event.ts"
import { loadCredential } from "./credential-rows.ts"
import { deleteDay, insertCredential, updateCredential } from "./credential-table.ts"
import { INVALIDATE, INVALIDATE_MEMBERS, invalidateEverything } from "./invalidations.ts"
import type { LoadedRows } from "./load.ts"
import { recordEvent } from "./new-events.ts"
import { numberOf } from "./numbers.ts"
import { LEAVE_GROUP, removeGroup } from "../../codecs/accounts/group-row.ts"
import { denyApprovals } from "../../codecs/device-grant-row.ts"
import {
  endedCredentialDeleteAfter,
  refusedDeleteAfter,
  sessionDeleteAfter,
  sessionEndsAt,
} from "../../codecs/retention.ts"
import { INSERT_SESSION, sessionValues, SURPLUS_SESSIONS, surplusValues } from "../../codecs/session-row.ts"
import * as shared from "../../statements/changes.ts"
import { missingRow, type Statement } from "../../statements/statement.ts"
import type { Value } from "../../codecs/value.ts"

type Appliers = {
  readonly [K in shared.OwnChange]: (connection: Connection, change: shared.Of<K>, rows: LoadedRows) => void
}

/** The changes whose statements PostgreSQL does not share. */
const appliers: Appliers = {
  groupRemoved: (connection, { name }) => {
    connection.run(LEAVE_GROUP, name, name)
    connection.run(INVALIDATE_MEMBERS, name)
    for (const [sql, ...values] of removeGroup(name)) connection.run(sql, ...values)
  },
  credentialAdded: (connection, { credential }) => insertCredential(connection, credential),
  credentialChanged: (connection, { credential }, rows) => changeCredential(connection, credential, rows),
  credentialsRevoked: (connection, { of, at, because }, rows) => {
    const [column, key] = "userId" in of ? ["account", of.userId] : ["client", of.clientId]
    const number = numberOf(connection, key)
    if (number === null) return
    connection.run(
      `UPDATE credential_row SET state = 2, over_at = ?, because = ?, elevated_until = NULL, gone = ?
       WHERE ${column} = ? AND state IN (0, 1)`,
      at,
      because,
      deleteDay(endedCredentialDeleteAfter(at)),
      number,
    )
    rows.clear()
  },
  sessionAdded: (connection, { session }, rows) => {
    connection.run(INSERT_SESSION, ...sessionValues(session))
    const surplus = connection.all<{ session_hash: Hash }>(SURPLUS_SESSIONS, ...surplusValues(session))
    for (const { session_hash: sessionHash } of surplus)
      appliers.sessionEnded(connection, { change: "sessionEnded", sessionHash, at: session.createdAt }, rows)
  },
  sessionSeen: (connection, { sessionHash, at }) => seeSession(connection, sessionHash, at),
  sessionEnded: (connection, change, rows) => {
    for (const statement of shared.endSession(change)) write(connection, statement)
    endWithSessions(connection, change.at, rows, "session_hash = ?", change.sessionHash)
  },
  sessionsEnded: (connection, { userId, except, at }, rows) => {
    connection.run(shared.END_OTHER_SESSIONS, userId, except)
    endWithSessions(connection, at, rows, shared.OTHER_SESSIONS, userId, except)
  },
  ticketSpent: (connection, { ticketId, at }) => connection.run(shared.SPEND_TICKET, ticketId, at),
  settingSet: (connection, { key, value }) => connection.run(shared.SET_SETTING, key, value),
  metaSet: (connection, { key, value }) => connection.run(shared.SET_META, key, value),
  eventRecorded: (connection, { event }) => recordEvent(connection, event),
  eventCounted: (connection, { event, series }) => countEvent(connection, event, series),
  tallied: (connection, { tallies }) => {
    for (const { grain, clientId, at, name, count } of tallies) {
      connection.run(ADD_TALLY, grain, clientId ?? "", at, name, count)
    }
  },
}

const ADD_TALLY = `
  INSERT INTO tally (grain, client_id, at, name, count) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET count = count + excluded.count`

/** Writes one change. Throws if a row to change is missing. */
export function applyChange(connection: Connection, change: Change, rows: LoadedRows): void {
  if (!SPARES_APPS_AND_ACCOUNTS.has(change.change)) connection.rows.forget()
  if (isOwn(change)) appliers[change.change](connection, change as never, rows)
  else for (const statement of shared.statementsOf(change)) write(connection, statement)
  const invalidation = invalidationOf(change)
  if (invalidation === EVERYTHING) invalidateEverything(connection)
  else if (invalidation !== null) connection.run(INVALIDATE, invalidation.of, invalidation.key)
}

function isOwn(change: Change): change is shared.Of<shared.OwnChange> {
  return change.change in appliers
}

function write(connection: Connection, { sql, values, row }: Statement): void {
  if (connection.run(sql, ...values) === 0 && row !== undefined) throw missingRow(row)
}

/** Frequent changes that write no app and no account. All other changes clear the row cache. */
const SPARES_APPS_AND_ACCOUNTS: ReadonlySet<Change["change"]> = new Set<Change["change"]>([
  "documentSet",
  "accountStaged",
  "importedTokenAdded",
  "importedTokenUsed",
  "credentialAdded",
  "credentialChanged",
  "serviceTokenAdded",
  "serviceTokenEnded",
  "eventRecorded",
  "eventCounted",
  "sessionAdded",
  "sessionSeen",
  "sessionProven",
  "sessionVouched",
  "sessionEnded",
  "sessionsEnded",
  "sessionCredentialAdded",
  "browserKnown",
  "emailSet",
  "emailRemoved",
  "linkAdded",
  "linkEnded",
  "linksEnded",
  "mailQueued",
  "mailSettled",
  "codeTriesSet",
  "ticketSpent",
  "assertionSpent",
  "keysFetched",
  "deviceGrantAdded",
  "deviceGrantChanged",
  "tallied",
])

/**
 * Revokes the credentials that a condition on `session_credential` selects. Denies the approvals whose tokens no device
 * has fetched.
 */
export function endWithSessions(
  connection: Connection,
  at: number,
  rows: LoadedRows,
  condition: string,
  ...values: readonly Value[]
): number {
  const ended = connection.all<{ token_id: TokenId }>(
    `SELECT token_id FROM session_credential WHERE ${condition}`,
    ...values,
  )
  for (const { token_id: tokenId } of ended) {
    connection.run("DELETE FROM session_credential WHERE token_id = ?", tokenId)
    connection.run(denyApprovals("grant_id = ?"), at, refusedDeleteAfter(at), tokenId)
    const credential = loadCredential(connection, tokenId)?.credential ?? null
    if (credential === null || (credential.life.state !== "issued" && credential.life.state !== "active"))
      continue
    rows.delete(tokenId)
    const life = {
      state: "revoked",
      family: familyOf(credential),
      revokedAt: at,
      because: "session-ended",
    } as const
    changeCredential(connection, { ...credential, life }, rows)
    connection.run(INVALIDATE, "credential", tokenId)
    const { userId, clientId } = credential.consent
    recordEvent(
      connection,
      createEvent("credential-revoked", at, { userId, clientId, tokenId, detail: life.because }),
    )
  }
  return ended.length
}

function changeCredential(connection: Connection, credential: Credential, rows: LoadedRows): void {
  const { tokenId } = credential.consent
  const known = rows.get(tokenId)
  const row = known?.credential ? known : loadCredential(connection, tokenId)
  if (row === null || row.credential === null) throw missingRow({ table: "credential", key: tokenId })
  rows.set(tokenId, updateCredential(connection, row, row.credential, credential))
}

function seeSession(connection: Connection, sessionHash: string, at: number): void {
  const row = connection.one<{ created_at: number }>(
    "SELECT created_at FROM session WHERE session_hash = ?",
    sessionHash,
  )
  if (row === null) return
  connection.run("UPDATE session SET seen_at = ? WHERE session_hash = ?", at, sessionHash)
  connection.run(
    "UPDATE session_credential SET ends_at = ? WHERE session_hash = ?",
    sessionEndsAt(row.created_at, at),
    sessionHash,
  )
  const deleteAfter = sessionDeleteAfter(row.created_at, at)
  connection.run(
    "UPDATE session SET gone_at = ? WHERE session_hash = ? AND gone_at <> ?",
    deleteAfter,
    sessionHash,
    deleteAfter,
  )
}
