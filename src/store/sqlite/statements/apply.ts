/** Writes every kind of change as SQL. Runs in the transaction that loaded the rows. */
import type { Change } from "../../../model/change.rules.ts"
import type { TokenId } from "../../../kernel/ids.ts"
import { type Credential, familyOf } from "../../../model/credential.rules.ts"
import { event as createEvent } from "../../../model/event.rules.ts"
import { invalidationOf } from "../../../model/invalidation.rules.ts"
import type { Connection } from "../engine/connection.ts"
import { countEvent } from "./count-event.ts"
import { deleteDay, insertCredential, loadCredential, updateCredential } from "./credential-table.ts"
import { INVALIDATE } from "./invalidations.ts"
import type { LoadedRows } from "./load.ts"
import { recordEvent } from "./new-events.ts"
import { numberOf } from "./numbers.ts"
import {
  accountValues,
  INSERT_ACCOUNT,
  INSERT_STAGED_ACCOUNT,
  KEEP_REMOVED_ID,
  UPDATE_ACCOUNT,
} from "../../codecs/account-row.ts"
import {
  importedTokenValues,
  importValues,
  INSERT_IMPORTED_TOKEN,
  REMOVE_STAGED,
  REMOVE_TOKENS_OF_APP,
  SET_IMPORT,
  USE_IMPORTED_TOKEN,
} from "../../codecs/import-row.ts"
import { clientValues, INSERT_CLIENT, UPDATE_CLIENT } from "../../codecs/client-row.ts"
import {
  answerValues,
  DENY_APPROVALS,
  denyApprovals,
  deviceGrantValues,
  INSERT_DEVICE_GRANT,
  UPDATE_DEVICE_GRANT,
} from "../../codecs/device-grant-row.ts"
import { documentValues, SET_DOCUMENT } from "../../codecs/document-row.ts"
import {
  emailValues,
  END_LINK,
  END_LINKS,
  INSERT_LINK,
  linkValues,
  REMOVE_EMAIL,
  SET_EMAIL,
} from "../../codecs/mail/email-row.ts"
import { mailInsertion, mailSettlement } from "../../codecs/mail/mail-row.ts"
import {
  endedCredentialDeleteAfter,
  sessionDeleteAfter,
  sessionEndsAt,
  refusedDeleteAfter,
} from "../../codecs/retention.ts"
import {
  fetchedKeysValues,
  SET_FETCHED_KEYS,
  SPEND_ASSERTION,
  spentAssertionValues,
} from "../../codecs/key-row.ts"
import { changedValues, factorValues, INSERT_FACTOR, UPDATE_FACTOR } from "../../codecs/factor-row.ts"
import {
  changedIdentityValues,
  identityValues,
  INSERT_IDENTITY,
  UPDATE_IDENTITY,
} from "../../codecs/identity-row.ts"
import {
  DROP_SERVICE_TOKENS,
  dropValues,
  END_SERVICE_TOKEN,
  INSERT_SERVICE_TOKEN,
  serviceTokenValues,
} from "../../codecs/service-token-row.ts"
import {
  INSERT_SESSION_CREDENTIAL,
  PASS_ON,
  passOnValues,
  sessionCredentialValues,
} from "../../codecs/session-credential-row.ts"
import type { Value } from "../../codecs/value.ts"
import { INSERT_SESSION, sessionValues } from "../../codecs/session-row.ts"

type Of<K extends Change["change"]> = Extract<Change, { change: K }>

type Appliers = {
  readonly [K in Change["change"]]: (connection: Connection, change: Of<K>, rows: LoadedRows) => void
}

const appliers: Appliers = {
  accountAdded: (connection, { account }) => {
    connection.run(INSERT_ACCOUNT, ...accountValues(account))
  },
  accountChanged: (connection, { account }) => {
    mustWrite(connection.run(UPDATE_ACCOUNT, ...accountValues(account)), "account", account.userId)
  },
  accountRemoved: (connection, { userId }) => {
    connection.run("DELETE FROM account WHERE user_id = ?", userId)
    connection.run(KEEP_REMOVED_ID, userId)
  },
  importSet: (connection, { import: one }) => {
    connection.run(SET_IMPORT, ...importValues(one))
  },
  importRemoved: (connection, { importId }) => {
    connection.run("DELETE FROM import WHERE id = ?", importId)
  },
  accountStaged: (connection, { staged: { account, factors }, importId }) => {
    connection.run(INSERT_STAGED_ACCOUNT, ...accountValues(account), importId)
    for (const factor of factors) connection.run(INSERT_FACTOR, ...factorValues(factor))
  },
  stagedRemoved: (connection, { importId, limit }) => {
    for (const sql of REMOVE_STAGED) connection.run(sql, importId, limit)
  },
  importedTokenAdded: (connection, { token }) => {
    connection.run(INSERT_IMPORTED_TOKEN, ...importedTokenValues(token))
  },
  importedTokenUsed: (connection, { hash, at }) => {
    connection.run(USE_IMPORTED_TOKEN, at, hash)
  },
  clientAdded: (connection, { client }) => {
    connection.run(INSERT_CLIENT, ...clientValues(client))
  },
  clientChanged: (connection, { client }) => {
    mustWrite(connection.run(UPDATE_CLIENT, ...clientValues(client)), "client", client.clientId)
  },
  clientRemoved: (connection, { clientId }) => {
    connection.run("DELETE FROM client WHERE client_id = ?", clientId)
    connection.run(REMOVE_TOKENS_OF_APP, clientId)
  },
  keysFetched: (connection, { fetched }) => {
    connection.run(SET_FETCHED_KEYS, ...fetchedKeysValues(fetched))
  },
  assertionSpent: (connection, { spent }) => {
    connection.run(SPEND_ASSERTION, ...spentAssertionValues(spent))
  },
  iconSet: (connection, { clientId, icon }) => {
    if (icon === null) connection.run("DELETE FROM icon WHERE client_id = ?", clientId)
    else connection.run(SET_ICON, clientId, icon.png, icon.hash)
  },
  documentSet: (connection, { document }) => {
    connection.run(SET_DOCUMENT, ...documentValues(document))
  },
  credentialAdded: (connection, { credential }) => {
    insertCredential(connection, credential)
  },
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
  serviceTokenAdded: (connection, { token }) => {
    connection.run(INSERT_SERVICE_TOKEN, ...serviceTokenValues(token), token.tokenId)
    connection.run(DROP_SERVICE_TOKENS, ...dropValues(token))
  },
  serviceTokenEnded: (connection, { token }) => {
    connection.run(END_SERVICE_TOKEN, token.hash)
  },
  deviceGrantAdded: (connection, { grant }) => {
    connection.run(INSERT_DEVICE_GRANT, ...deviceGrantValues(grant))
  },
  deviceGrantChanged: (connection, { grant }) => {
    const { grantId } = grant.request
    mustWrite(connection.run(UPDATE_DEVICE_GRANT, ...answerValues(grant), grantId), "device grant", grantId)
  },
  approvalsDenied: (connection, { userId, at }) => {
    connection.run(DENY_APPROVALS, at, refusedDeleteAfter(at), userId)
  },
  factorAdded: (connection, { factor }) => {
    connection.run(INSERT_FACTOR, ...factorValues(factor))
  },
  factorChanged: (connection, { factor }) => {
    mustWrite(connection.run(UPDATE_FACTOR, ...changedValues(factor)), "factor", factor.factorId)
  },
  factorRemoved: (connection, { factorId }) => {
    connection.run("DELETE FROM factor WHERE factor_id = ?", factorId)
  },
  factorsReset: (connection, { userId }) => {
    connection.run("DELETE FROM factor WHERE user_id = ?", userId)
  },
  sessionAdded: (connection, { session }) => {
    connection.run(INSERT_SESSION, ...sessionValues(session))
  },
  sessionSeen: (connection, { sessionHash, at }) => seeSession(connection, sessionHash, at),
  sessionProven: (connection, { sessionHash, proof }) => {
    connection.run(PROVE_SESSION, proof.at, proof.by, sessionHash)
  },
  sessionEnded: (connection, { sessionHash, at, successor }, rows) => {
    if (successor !== undefined) connection.run(PASS_ON, ...passOnValues(sessionHash, successor))
    connection.run("DELETE FROM session WHERE session_hash = ?", sessionHash)
    endWithSessions(connection, at, rows, "session_hash = ?", sessionHash)
  },
  sessionsEnded: (connection, { userId, except, at }, rows) => {
    const condition = "user_id = ? AND session_hash IS NOT ?"
    connection.run(`DELETE FROM session WHERE ${condition}`, userId, except)
    endWithSessions(connection, at, rows, condition, userId, except)
  },
  sessionCredentialAdded: (connection, { tokenId, session }) => {
    connection.run(INSERT_SESSION_CREDENTIAL, ...sessionCredentialValues(tokenId, session))
  },
  identityAdded: (connection, { identity }) => {
    connection.run(INSERT_IDENTITY, ...identityValues(identity))
  },
  identityChanged: (connection, { identity }) => {
    const written = connection.run(UPDATE_IDENTITY, ...changedIdentityValues(identity))
    mustWrite(written, "identity", identity.identityHash)
  },
  identityRemoved: (connection, { identity }) => {
    connection.run("DELETE FROM identity WHERE identity_hash = ?", identity.identityHash)
  },
  codeTriesSet: (connection, { userId, tries }) => {
    if (tries === null) connection.run("DELETE FROM code_tries WHERE user_id = ?", userId)
    else connection.run(SET_CODE_TRIES, userId, tries.unknownFailures, tries.knownFailures)
  },
  browserKnown: (connection, { browserHash, userId, at }) => {
    connection.run(KNOW_BROWSER, browserHash, userId, at)
  },
  emailSet: (connection, { email }) => {
    connection.run(SET_EMAIL, ...emailValues(email))
  },
  emailRemoved: (connection, { userId }) => {
    connection.run(REMOVE_EMAIL, userId)
  },
  linkAdded: (connection, { link }) => {
    connection.run(INSERT_LINK, ...linkValues(link))
  },
  linkEnded: (connection, { linkHash }) => {
    connection.run(END_LINK, linkHash)
  },
  linksEnded: (connection, { userId, purpose, since }) => {
    connection.run(END_LINKS, userId, purpose, since)
  },
  mailQueued: (connection, { mail }) => {
    const { sql, values } = mailInsertion(mail)
    connection.run(sql, ...values)
  },
  mailSettled: (connection, { mailId, tries, outcome }) => {
    const { sql, values } = mailSettlement(mailId, tries, outcome)
    connection.run(sql, ...values)
  },
  ticketSpent: (connection, { ticketId, at }) => {
    connection.run("INSERT OR IGNORE INTO spent_ticket (ticket_id, spent_at) VALUES (?, ?)", ticketId, at)
  },
  settingSet: (connection, { key, value }) => {
    connection.run("INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", key, value)
  },
  settingUnset: (connection, { key }) => {
    connection.run("DELETE FROM setting WHERE key = ?", key)
  },
  metaSet: (connection, { key, value }) => {
    connection.run("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", key, value)
  },
  setupLinkSet: (connection, { hash, at }) => {
    if (hash === null) connection.run("DELETE FROM setup_link")
    else connection.run(SET_SETUP_LINK, hash, at)
  },
  eventRecorded: (connection, { event }) => {
    recordEvent(connection, event)
  },
  eventCounted: (connection, { event, series }) => {
    countEvent(connection, event, series)
  },
  tallied: (connection, { tallies }) => {
    for (const { grain, clientId, at, name, count } of tallies) {
      connection.run(ADD_TALLY, grain, clientId ?? "", at, name, count)
    }
  },
}

const ADD_TALLY = `
  INSERT INTO tally (grain, client_id, at, name, count) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET count = count + excluded.count`
const SET_CODE_TRIES =
  "INSERT OR REPLACE INTO code_tries (user_id, unknown_failures, known_failures) VALUES (?, ?, ?)"
const KNOW_BROWSER = "INSERT OR REPLACE INTO known_browser (browser_hash, user_id, seen_at) VALUES (?, ?, ?)"
const PROVE_SESSION = "UPDATE session SET proven_at = ?, proven_by = ? WHERE session_hash = ?"
const SET_ICON = "INSERT OR REPLACE INTO icon (client_id, png, png_hash) VALUES (?, ?, ?)"
const SET_SETUP_LINK = "INSERT OR REPLACE INTO setup_link (only_one, link_hash, made_at) VALUES (1, ?, ?)"

/** Writes one change. Throws if a row to change is missing. */
export function applyChange<K extends Change["change"]>(
  connection: Connection,
  change: Of<K>,
  rows: LoadedRows,
): void {
  if (!SPARES_APPS_AND_ACCOUNTS.has(change.change)) connection.rows.forget()
  appliers[change.change](connection, change, rows)
  const invalidation = invalidationOf(change)
  if (invalidation !== null) connection.run(INVALIDATE, invalidation.of, invalidation.key)
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
  const row =
    known?.credential === undefined || known.credential === null ? loadCredential(connection, tokenId) : known
  if (row === null || row.credential === null) return mustWrite(0, "credential", tokenId)
  rows.set(tokenId, updateCredential(connection, { ...row, credential: row.credential }, credential))
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

function mustWrite(rows: number, table: string, key: string): void {
  if (rows === 0) throw new Error(`there is no ${table} ${key} to change`)
}
