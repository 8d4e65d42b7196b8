/** Writes every kind of change as SQL. Runs in the transaction that locked and read the rows. */
import type { Change } from "../../../model/change.rules.ts"
import type { Credential } from "../../../model/credential.rules.ts"
import { DAY } from "../../../kernel/time.ts"
import { SESSION_IDLE_SECONDS, SESSION_SECONDS } from "../../../kernel/limits.ts"
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
import { documentValues, SET_DOCUMENT } from "../../codecs/document-row.ts"
import { clientValues, INSERT_CLIENT, UPDATE_CLIENT } from "../../codecs/client-row.ts"
import {
  credentialColumnList,
  credentialValues,
  lifeColumnList,
  lifeValues,
} from "../../codecs/credential-row.ts"
import {
  answerValues,
  DENY_APPROVALS,
  deviceGrantValues,
  INSERT_DEVICE_GRANT,
  UPDATE_DEVICE_GRANT,
} from "../../codecs/device-grant-row.ts"
import {
  emailValues,
  END_LINK,
  END_LINKS,
  INSERT_LINK,
  linkValues,
  REMOVE_EMAIL,
  SET_EMAIL,
} from "../../codecs/mail/email-row.ts"
import { eventColumns, eventValues, INSERT_EVENT } from "../../codecs/event-row.ts"
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
import { mailInsertion, mailSettlement } from "../../codecs/mail/mail-row.ts"
import { endedCredentialDeleteAfter, refusedDeleteAfter } from "../../codecs/retention.ts"
import {
  DROP_SERVICE_TOKENS,
  dropValues,
  END_SERVICE_TOKEN,
  INSERT_SERVICE_TOKEN,
  serviceTokenValues,
} from "../../codecs/service-token-row.ts"
import { INSERT_SESSION, sessionValues } from "../../codecs/session-row.ts"
import {
  INSERT_SESSION_CREDENTIAL,
  PASS_ON,
  passOnValues,
  sessionCredentialValues,
} from "../../codecs/session-credential-row.ts"
import { endWithSessions } from "./end-with-sessions.ts"
import type { Found, Load } from "../../store.ts"
import { binaryArray } from "../driver/binary-array.ts"
import type { Connection } from "../driver/connection.ts"
import type { Parameter } from "../driver/parameter.ts"
import { LostRace } from "../driver/postgres-error.ts"

/** The rows on which a rule has decided. */
export type DecidedOn = {
  readonly load: Load
  readonly found: Partial<Found<Load>>
  /** The stored state of each changed credential. Its consent and its code keep these values. */
  readonly before: ReadonlyMap<string, Credential>
}

/** Sends one statement. Resolves with the number of rows that it wrote. */
type Run = (sql: string, ...values: Parameter[]) => Promise<number>
type Of<K extends Change["change"]> = Extract<Change, { change: K }>
type Applier<K extends Change["change"]> = (
  run: Run,
  change: Of<K>,
  on: DecidedOn,
) => readonly Promise<unknown>[]

/** Each applier sends its statements in order, without waiting between them. */
const appliers: { readonly [K in Change["change"]]: Applier<K> } = {
  accountAdded: (run, { account }) => [run(INSERT_ACCOUNT, ...accountValues(account))],
  accountChanged: (run, { account }) => [
    mustWrite(run(UPDATE_ACCOUNT, ...accountValues(account)), "account", account.userId),
  ],
  accountRemoved: (run, { userId }) => [
    run("DELETE FROM account WHERE user_id = ?", userId),
    run(KEEP_REMOVED_ID, userId),
  ],
  importSet: (run, { import: one }) => [run(SET_IMPORT, ...importValues(one))],
  importRemoved: (run, { importId }) => [run("DELETE FROM import WHERE id = ?", importId)],
  accountStaged: (run, { staged: { account, factors }, importId }) => [
    run(INSERT_STAGED_ACCOUNT, ...accountValues(account), importId),
    ...factors.map((factor) => run(INSERT_FACTOR, ...factorValues(factor))),
  ],
  stagedRemoved: (run, { importId, limit }) => REMOVE_STAGED.map((sql) => run(sql, importId, limit)),
  importedTokenAdded: (run, { token }) => [run(INSERT_IMPORTED_TOKEN, ...importedTokenValues(token))],
  importedTokenUsed: (run, { hash, at }) => [run(USE_IMPORTED_TOKEN, at, hash)],
  clientAdded: (run, { client }) => [run(INSERT_CLIENT, ...clientValues(client))],
  clientChanged: (run, { client }) => [
    mustWrite(run(UPDATE_CLIENT, ...clientValues(client)), "client", client.clientId),
  ],
  clientRemoved: (run, { clientId }) => [
    run("DELETE FROM client WHERE client_id = ?", clientId),
    run(REMOVE_TOKENS_OF_APP, clientId),
  ],
  keysFetched: (run, { fetched }) => [run(SET_FETCHED_KEYS, ...fetchedKeysValues(fetched))],
  // The rule has found that the assertion is unused. If two changes use it, one fails on the other's row and decides
  // again.
  assertionSpent: (run, { spent }) => [run(SPEND_ASSERTION, ...spentAssertionValues(spent))],
  iconSet: (run, { clientId, icon }) => [
    icon === null
      ? run("DELETE FROM icon WHERE client_id = ?", clientId)
      : run(SET_ICON, clientId, icon.png, icon.hash),
  ],
  documentSet: (run, { document }) => [run(SET_DOCUMENT, ...documentValues(document))],
  credentialAdded: (run, { credential }) => [run(INSERT_CREDENTIAL, ...credentialValues(credential))],
  credentialChanged: (run, { credential }, { before }) => {
    const { tokenId } = credential.consent
    const stored = before.get(tokenId)
    if (stored === undefined) return [mustWrite(Promise.resolve(0), "credential", tokenId)]
    return [run(UPDATE_LIFE, ...lifeValues({ ...stored, life: credential.life }), tokenId)]
  },
  credentialsRevoked: (run, { of, at, because }) => {
    const [column, key] = "userId" in of ? ["user_id", of.userId] : ["client_id", of.clientId]
    return [
      run(`SET LOCAL statement_timeout = ${BULK_MILLISECONDS}`),
      run(
        `UPDATE credential SET state = 'revoked', over_at = ?, because = ?, elevated_until = NULL, gone_at = ?,
           version = version + 1
         WHERE ${column} = ? AND state IN ('issued', 'active')`,
        at,
        because,
        endedCredentialDeleteAfter(at),
        key,
      ),
    ]
  },
  serviceTokenAdded: (run, { token }) => [
    run(INSERT_SERVICE_TOKEN, ...serviceTokenValues(token), token.tokenId),
    run(DROP_SERVICE_TOKENS, ...dropValues(token)),
  ],
  serviceTokenEnded: (run, { token }) => [run(END_SERVICE_TOKEN, token.hash)],
  deviceGrantAdded: (run, { grant }) => [run(INSERT_DEVICE_GRANT, ...deviceGrantValues(grant))],
  deviceGrantChanged: (run, { grant }) => {
    const { grantId } = grant.request
    const written = run(UPDATE_DEVICE_GRANT, ...answerValues(grant), grantId)
    return [mustWrite(written, "device grant", grantId)]
  },
  approvalsDenied: (run, { userId, at }) => [run(DENY_APPROVALS, at, refusedDeleteAfter(at), userId)],
  factorAdded: (run, { factor }) => [run(INSERT_FACTOR, ...factorValues(factor))],
  factorChanged: (run, { factor }) => [
    mustWrite(run(UPDATE_FACTOR, ...changedValues(factor)), "factor", factor.factorId),
  ],
  factorRemoved: (run, { factorId }) => [run("DELETE FROM factor WHERE factor_id = ?", factorId)],
  factorsReset: (run, { userId }) => [run("DELETE FROM factor WHERE user_id = ?", userId)],
  sessionAdded: (run, { session }) => [run(INSERT_SESSION, ...sessionValues(session))],
  sessionSeen: (run, { sessionHash, at }) => [
    run(SEE_SESSION, at, at + SESSION_IDLE_SECONDS, sessionHash),
    run(SEE_SESSION_CREDENTIALS, at + SESSION_IDLE_SECONDS, sessionHash),
  ],
  sessionProven: (run, { sessionHash, proof }) => [run(PROVE_SESSION, proof.at, proof.by, sessionHash)],
  sessionEnded: (run, { sessionHash, at, successor }) => [
    ...(successor === undefined ? [] : [run(PASS_ON, ...passOnValues(sessionHash, successor))]),
    run("DELETE FROM session WHERE session_hash = ?", sessionHash),
    ...endWithSessions(run, at, "session_hash = ?", sessionHash),
  ],
  sessionsEnded: (run, { userId, except, at }) => {
    const condition = "user_id = ? AND session_hash IS DISTINCT FROM ?"
    return [
      run(`DELETE FROM session WHERE ${condition}`, userId, except),
      ...endWithSessions(run, at, condition, userId, except),
    ]
  },
  sessionCredentialAdded: (run, { tokenId, session }) => [
    run(INSERT_SESSION_CREDENTIAL, ...sessionCredentialValues(tokenId, session)),
  ],
  identityAdded: (run, { identity }) => [run(INSERT_IDENTITY, ...identityValues(identity))],
  identityChanged: (run, { identity }) => {
    const written = run(UPDATE_IDENTITY, ...changedIdentityValues(identity))
    return [mustWrite(written, "identity", identity.identityHash)]
  },
  identityRemoved: (run, { identity }) => [
    run("DELETE FROM identity WHERE identity_hash = ?", identity.identityHash),
  ],
  codeTriesSet: (run, { userId, tries }) => [
    tries === null
      ? run("DELETE FROM code_tries WHERE user_id = ?", userId)
      : run(SET_CODE_TRIES, userId, tries.unknownFailures, tries.knownFailures),
  ],
  browserKnown: (run, { browserHash, userId, at }) => [run(KNOW_BROWSER, browserHash, userId, at)],
  emailSet: (run, { email }) => [run(SET_EMAIL, ...emailValues(email))],
  emailRemoved: (run, { userId }) => [run(REMOVE_EMAIL, userId)],
  linkAdded: (run, { link }) => [run(INSERT_LINK, ...linkValues(link))],
  linkEnded: (run, { linkHash }) => [run(END_LINK, linkHash)],
  linksEnded: (run, { userId, purpose, since }) => [run(END_LINKS, userId, purpose, since)],
  mailQueued: (run, { mail }) => {
    const { sql, values } = mailInsertion(mail)
    return [run(sql, ...values)]
  },
  mailSettled: (run, { mailId, tries, outcome }) => {
    const { sql, values } = mailSettlement(mailId, tries, outcome)
    return [run(sql, ...values)]
  },
  ticketSpent: (run, { ticketId, at }, { load }) => [
    // The rule has found that the ticket is unused. If two changes use it, one fails on the other's row and decides
    // again.
    run(
      load.spentTicket === ticketId ? SPEND_TICKET : `${SPEND_TICKET} ON CONFLICT DO NOTHING`,
      ticketId,
      at,
    ),
  ],
  settingSet: (run, { key, value }, { load, found }) => {
    if (load.setting !== key) return [run(SET_SETTING, key, value)]
    const { setting } = found
    return setting ? [changeSetting(run, key, value, setting.value)] : [run(ADD_SETTING, key, value)]
  },
  settingUnset: (run, { key }) => [run("DELETE FROM setting WHERE key = ?", key)],
  metaSet: (run, { key, value }, { load, found }) => [
    // The rule has found no value. If two changes add one, the second fails and decides again.
    run(load.meta === key && found.meta === null ? ADD_META : SET_META, key, value),
  ],
  setupLinkSet: (run, { hash, at }) => [
    hash === null ? run("DELETE FROM setup_link") : run(SET_SETUP_LINK, hash, at),
  ],
  eventRecorded: (run, { event }) => [run(INSERT_EVENT, ...eventValues(event))],
  eventCounted: (run, { event, series }) => [countEvent(run, event, series)],
  tallied: (run, { tallies }) => {
    const sorted = tallies.toSorted((a, b) => compare(tallyKey(a), tallyKey(b)))
    return [
      run(
        ADD_TALLIES,
        binaryArray(
          "text",
          sorted.map(({ grain }) => grain),
        ),
        binaryArray(
          "text",
          sorted.map(({ clientId }) => clientId ?? ""),
        ),
        binaryArray(
          "bigint",
          sorted.map(({ at }) => at),
        ),
        binaryArray(
          "text",
          sorted.map(({ name }) => name),
        ),
        binaryArray(
          "bigint",
          sorted.map(({ count }) => count),
        ),
      ),
    ]
  },
}

/** The time limit of the statement that revokes all credentials of an account or an app. */
const BULK_MILLISECONDS = 120_000

const questionMarks = (count: number) => Array.from({ length: count }, () => "?").join(", ")
const INSERT_CREDENTIAL = `
  INSERT INTO credential (${credentialColumnList.join(", ")}) VALUES (${questionMarks(credentialColumnList.length)})`
const UPDATE_LIFE = `
  UPDATE credential SET version = version + 1, ${lifeColumnList.map((column) => `${column} = ?`).join(", ")} WHERE token_id = ?`
/** Adds counts with one statement. Its rows have the same order on every node, so nodes cannot deadlock. */
const ADD_TALLIES = `
  INSERT INTO tally (grain, client_id, at, name, count)
  SELECT grain, client_id, at, name, sum(count) FROM
    (SELECT * FROM unnest(?::text[], ?::text[], ?::bigint[], ?::text[], ?::bigint[])
       WITH ORDINALITY AS counted (grain, client_id, at, name, count, place)) AS counted
  GROUP BY grain, client_id, at, name ORDER BY min(place)
  ON CONFLICT (grain, at, client_id, name) DO UPDATE SET count = tally.count + excluded.count`
const SET_CODE_TRIES = `
  INSERT INTO code_tries (user_id, unknown_failures, known_failures) VALUES (?, ?, ?)
  ON CONFLICT (user_id) DO UPDATE SET
    unknown_failures = excluded.unknown_failures, known_failures = excluded.known_failures`
const KNOW_BROWSER = `
  INSERT INTO known_browser (browser_hash, user_id, seen_at) VALUES (?, ?, ?)
  ON CONFLICT (browser_hash, user_id) DO UPDATE SET seen_at = excluded.seen_at`
const PROVE_SESSION = "UPDATE session SET proven_at = ?, proven_by = ? WHERE session_hash = ?"
/** Stores a visit. Computes `gone_at` as `sessionDeleteAfter` does: the earlier end, rounded up to a whole day. */
const SEE_SESSION = `
  UPDATE session SET seen_at = ?,
    gone_at = (least(created_at + ${SESSION_SECONDS}, ?::bigint) + ${DAY - 1}) / ${DAY} * ${DAY}
  WHERE session_hash = ?`
const SEE_SESSION_CREDENTIALS = `
  UPDATE session_credential SET ends_at = least(session.created_at + ${SESSION_SECONDS}, ?::bigint)
  FROM session WHERE session.session_hash = session_credential.session_hash AND session.session_hash = ?`
const SET_ICON = `
  INSERT INTO icon (client_id, png, png_hash) VALUES (?, ?, ?)
  ON CONFLICT (client_id) DO UPDATE SET png = excluded.png, png_hash = excluded.png_hash`
const SPEND_TICKET = "INSERT INTO spent_ticket (ticket_id, spent_at) VALUES (?, ?)"
const ADD_META = "INSERT INTO meta (key, value) VALUES (?, ?)"
const SET_META = `${ADD_META} ON CONFLICT (key) DO UPDATE SET value = excluded.value`
const ADD_SETTING = "INSERT INTO setting (key, value) VALUES (?, ?)"
const SET_SETTING = `${ADD_SETTING} ON CONFLICT (key) DO UPDATE SET value = excluded.value`
const CHANGE_SETTING = "UPDATE setting SET value = ? WHERE key = ? AND value = ?"
const SET_SETUP_LINK = `
  INSERT INTO setup_link (only_one, link_hash, made_at) VALUES (1, ?, ?)
  ON CONFLICT (only_one) DO UPDATE SET link_hash = excluded.link_hash, made_at = excluded.made_at`

/** Deletes the event and inserts it again with its id, because a trigger refuses updates of events. */
const COUNT_EVENT = `
  WITH counted AS (
    DELETE FROM event WHERE id = (
      SELECT id FROM event WHERE user_id BETWEEN ? AND ? AND kind || '' = ? AND strpos(detail, ?) = 1
      ORDER BY user_id DESC, id DESC LIMIT 1)
    RETURNING *)
  INSERT INTO event (${eventColumns})
  SELECT id, at, kind, user_id, client_id, token_id, actor_id, address, ?::text FROM counted`

/** Writes all changes of one rule, in order. Throws if a row to change is missing. */
export async function applyAll(
  connection: Connection,
  changes: readonly Change[],
  on: DecidedOn,
): Promise<void> {
  const run: Run = async (sql, ...values) => (await connection.query(sql, values)).written
  await Promise.all(changes.flatMap((change) => apply(run, change, on)))
}

function apply<K extends Change["change"]>(
  run: Run,
  change: Of<K>,
  on: DecidedOn,
): readonly Promise<unknown>[] {
  return appliers[change.change](run, change, on)
}

async function countEvent(run: Run, event: Of<"eventCounted">["event"], series: string): Promise<void> {
  const { userId, kind, detail } = event
  const counted = await run(COUNT_EVENT, userId, userId, kind, series, detail)
  if (counted === 0) await run(INSERT_EVENT, ...eventValues(event))
}

/**
 * Writes a setting only if it still has the value that the rule read. A row that another change inserted after the
 * locking was read without a lock.
 */
async function changeSetting(run: Run, key: string, value: string, read: string): Promise<void> {
  if ((await run(CHANGE_SETTING, value, key, read)) === 0) throw new LostRace()
}

async function mustWrite(written: Promise<number>, table: string, key: string): Promise<void> {
  if ((await written) === 0) throw new Error(`there is no ${table} ${key} to change`)
}

function tallyKey({ grain, clientId, at, name }: Of<"tallied">["tallies"][number]): string {
  return [grain, String(at).padStart(12, "0"), clientId ?? "", name].join(" ")
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
