/** Writes every kind of change as SQL. Runs in the transaction that locked and read the rows. */
import type { Change } from "../../../model/change.rules.ts"
import type { Credential } from "../../../model/credential.rules.ts"
import { DAY } from "../../../kernel/time.ts"
import { SESSION_IDLE_SECONDS, SESSION_SECONDS } from "../../../kernel/account-limits.ts"
import {
  credentialColumnList,
  credentialValues,
  lifeColumnList,
  lifeValues,
} from "../../codecs/credential-row.ts"
import { LEAVE_GROUP, removeGroup } from "../../codecs/accounts/group-row.ts"
import { INVALIDATE_MEMBERS } from "./invalidate.ts"
import { eventColumns, eventValues, INSERT_EVENT } from "../../codecs/event-row.ts"
import { endedCredentialDeleteAfter } from "../../codecs/retention.ts"
import * as shared from "../../statements/changes.ts"
import { missingRow, type Statement } from "../../statements/statement.ts"
import { addSession, endWithSessions } from "./end-with-sessions.ts"
import type { Found, Load } from "../../loadable.ts"
import type { Connection } from "../driver/connection.ts"
import type { Parameter } from "../driver/parameter.ts"
import { columnsOf, unnested } from "../driver/unnest.ts"
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
type Applier<K extends shared.OwnChange> = (
  run: Run,
  change: shared.Of<K>,
  on: DecidedOn,
) => readonly Promise<unknown>[]

/** The changes whose statements SQLite does not share. Each sends its statements in order, without waiting. */
const appliers: { readonly [K in shared.OwnChange]: Applier<K> } = {
  groupRemoved: (run, { name }) => [
    run(LEAVE_GROUP, name, name),
    run(INVALIDATE_MEMBERS, name),
    ...removeGroup(name).map(([sql, ...values]) => run(sql, ...values)),
  ],
  credentialAdded: (run, { credential }) => [run(INSERT_CREDENTIAL, ...credentialValues(credential))],
  credentialChanged: (run, { credential }, { before }) => {
    const { tokenId } = credential.consent
    const stored = before.get(tokenId)
    if (stored === undefined) return [Promise.reject(missingRow({ table: "credential", key: tokenId }))]
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
  sessionAdded: (run, { session }) => [addSession(run, session)],
  sessionSeen: (run, { sessionHash, at }) => [
    run(SEE_SESSION, at, at + SESSION_IDLE_SECONDS, sessionHash),
    run(SEE_SESSION_CREDENTIALS, at + SESSION_IDLE_SECONDS, sessionHash),
  ],
  sessionEnded: (run, change) => [
    ...shared.endSession(change).map((statement) => write(run, statement)),
    ...endWithSessions(run, change.at, "session_hash = ?", change.sessionHash),
  ],
  sessionsEnded: (run, { userId, except, at }) => [
    run(shared.END_OTHER_SESSIONS, userId, except),
    ...endWithSessions(run, at, shared.OTHER_SESSIONS, userId, except),
  ],
  ticketSpent: (run, { ticketId, at }, { load }) => [
    // The rule has found that the ticket is unused. If two changes use it, one fails on the other's row and decides
    // again.
    run(load.spentTicket === ticketId ? SPEND_FOUND_TICKET : shared.SPEND_TICKET, ticketId, at),
  ],
  settingSet: (run, { key, value }, { load, found }) => {
    if (load.setting !== key) return [run(shared.SET_SETTING, key, value)]
    const { setting } = found
    return setting ? [changeSetting(run, key, value, setting.value)] : [run(ADD_SETTING, key, value)]
  },
  metaSet: (run, { key, value }, { load, found }) => [
    // The rule has found no value. If two changes add one, the second fails and decides again.
    run(load.meta === key && found.meta === null ? ADD_META : shared.SET_META, key, value),
  ],
  eventRecorded: (run, { event }) => [run(INSERT_EVENT, ...eventValues(event))],
  eventCounted: (run, { event, series }) => [countEvent(run, event, series)],
  tallied: (run, { tallies }) => {
    const sorted = tallies.toSorted((a, b) => compare(tallyKey(a), tallyKey(b)))
    const rows = sorted.map(({ grain, clientId, at, name, count }) => [
      grain,
      clientId ?? "",
      at,
      name,
      count,
    ])
    return [run(ADD_TALLIES, ...columnsOf(tallyColumnList, rows))]
  },
}

/** The time limit of the statement that revokes all credentials of an account or an app. */
const BULK_MILLISECONDS = 120_000

const questionMarks = (count: number) => Array.from({ length: count }, () => "?").join(", ")
const INSERT_CREDENTIAL = `
  INSERT INTO credential (${credentialColumnList.join(", ")}) VALUES (${questionMarks(credentialColumnList.length)})`
const UPDATE_LIFE = `
  UPDATE credential SET version = version + 1, ${lifeColumnList.map((column) => `${column} = ?`).join(", ")} WHERE token_id = ?`
const tallyColumnList = ["grain", "client_id", "at", "name", "count"]
/** Adds counts with one statement. Its rows have the same order on every node, so nodes cannot deadlock. */
const ADD_TALLIES = `
  INSERT INTO tally (grain, client_id, at, name, count)
  SELECT grain, client_id, at, name, sum(count) FROM
    (SELECT * FROM ${unnested(tallyColumnList)}
       WITH ORDINALITY AS counted (grain, client_id, at, name, count, place)) AS counted
  GROUP BY grain, client_id, at, name ORDER BY min(place)
  ON CONFLICT (grain, at, client_id, name) DO UPDATE SET count = tally.count + excluded.count`
/** Stores a visit. Computes `gone_at` as `sessionDeleteAfter` does: the earlier end, rounded up to a whole day. */
const SEE_SESSION = `
  UPDATE session SET seen_at = ?,
    gone_at = (least(created_at + ${SESSION_SECONDS}, ?::bigint) + ${DAY - 1}) / ${DAY} * ${DAY}
  WHERE session_hash = ?`
const SEE_SESSION_CREDENTIALS = `
  UPDATE session_credential SET ends_at = least(session.created_at + ${SESSION_SECONDS}, ?::bigint)
  FROM session WHERE session.session_hash = session_credential.session_hash AND session.session_hash = ?`
const SPEND_FOUND_TICKET = "INSERT INTO spent_ticket (ticket_id, spent_at) VALUES (?, ?)"
const ADD_META = "INSERT INTO meta (key, value) VALUES (?, ?)"
const ADD_SETTING = "INSERT INTO setting (key, value) VALUES (?, ?)"
const CHANGE_SETTING = "UPDATE setting SET value = ? WHERE key = ? AND value = ?"

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

function apply(run: Run, change: Change, on: DecidedOn): readonly Promise<unknown>[] {
  return isOwn(change)
    ? appliers[change.change](run, change as never, on)
    : shared.statementsOf(change).map((statement) => write(run, statement))
}

function isOwn(change: Change): change is shared.Of<shared.OwnChange> {
  return change.change in appliers
}

async function write(run: Run, { sql, values, row }: Statement): Promise<void> {
  if ((await run(sql, ...values)) === 0 && row !== undefined) throw missingRow(row)
}

async function countEvent(
  run: Run,
  event: shared.Of<"eventCounted">["event"],
  series: string,
): Promise<void> {
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

function tallyKey({ grain, clientId, at, name }: shared.Of<"tallied">["tallies"][number]): string {
  return [grain, String(at).padStart(12, "0"), clientId ?? "", name].join(" ")
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
