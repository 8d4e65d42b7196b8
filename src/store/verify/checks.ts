/** One check for each table, for both engines: how its rows are read in pages, and what must hold of them. */
import { accountColumns, type AccountRow } from "../codecs/account-row.ts"
import { clientColumns, type ClientRow } from "../codecs/client-row.ts"
import { codeTriesColumns, type CodeTriesRow } from "../codecs/code-tries-row.ts"
import { credentialColumns } from "../codecs/credential-row.ts"
import { deviceGrantColumns } from "../codecs/device-grant-row.ts"
import { eventColumns, type EventRow } from "../codecs/event-row.ts"
import { factorColumns } from "../codecs/factor-row.ts"
import { sessionDeleteAfter } from "../codecs/retention.ts"
import { sessionColumns, type SessionRow } from "../codecs/session-row.ts"
import type { TallyRow } from "../codecs/tally-row.ts"
import type { Value } from "../codecs/value.ts"
import { accountProblems } from "./account-problems.ts"
import { clientProblems } from "./client-problems.ts"
import { consentProblems } from "./consent-problems.ts"
import { credentialProblems, type VerifiedCredentialRow } from "./credential-problems.ts"
import { deviceGrantProblems, type VerifiedDeviceGrantRow } from "./device-grant-problems.ts"
import { factorProblems, type VerifiedFactorRow } from "./factor-problems.ts"
import {
  codeTriesProblems,
  eventProblems,
  metaProblems,
  settingProblems,
  tallyProblems,
} from "./plain-problems.ts"
import { isDigest, isIdentifierOrNull, problemsIn } from "./rule.ts"

export type Check = {
  readonly table: string
  /** The statement that reads the rows after the key `after`; from the first if it is null. */
  readonly page: (
    after: Key | null,
    limit: number,
  ) => { readonly sql: string; readonly values: readonly Value[] }
  /** Reports the problems in the rows of a page; returns the last row's key, or null at the end. */
  readonly look: (rows: readonly Row[], limit: number, found: Found) => Key | null
}

type Row = Readonly<Record<string, Value>>

/** The values of a table's key, in its order. */
export type Key = readonly Value[]

/** Called for each problem with the row's name and the sentence. */
export type Found = (name: string, problem: string) => void

export const checks: readonly Check[] = [
  check<AccountRow>("account", accountColumns, ["user_id"], accountProblems),
  check<ClientRow>("client", clientColumns, ["client_id"], clientProblems),
  check<{ png_hash: string }>("icon", "client_id, png_hash", ["client_id"], (row) =>
    problemsIn([!isDigest(row.png_hash), "png_hash is no digest"]),
  ),
  check<VerifiedCredentialRow>(
    "credential",
    `${credentialColumns},
     ${exists("account", "account.user_id = credential.user_id")} AS has_account,
     ${exists("client", "client.client_id = credential.client_id")} AS has_client`,
    ["token_id"],
    (row) => [...consentProblems(row), ...credentialProblems(row)],
  ),
  check<VerifiedDeviceGrantRow>(
    "device_grant",
    `${deviceGrantColumns},
     ${exists("account", "account.user_id = device_grant.user_id")} AS has_approver`,
    ["grant_id"],
    deviceGrantProblems,
  ),
  check<VerifiedFactorRow>(
    "factor",
    `${factorColumns},
     ${exists("factor AS other", "other.user_id = factor.user_id AND other.kind <> 'recovery'")}
       AS has_second_factor`,
    ["factor_id"],
    factorProblems,
  ),
  check<SessionRow & { readonly gone_at: number }>(
    "session",
    `${sessionColumns}, gone_at`,
    ["session_hash"],
    (row) =>
      problemsIn(
        [!isDigest(row.session_hash), "session_hash is no digest"],
        [
          row.gone_at !== sessionDeleteAfter(row.created_at, row.seen_at),
          "gone_at is not the day after its end",
        ],
      ),
  ),
  check<CodeTriesRow>("code_tries", codeTriesColumns, ["user_id"], codeTriesProblems),
  check<{ browser_hash: string }>(
    "known_browser",
    "browser_hash, user_id",
    ["browser_hash", "user_id"],
    (row) => problemsIn([!isDigest(row.browser_hash), "browser_hash is no digest"]),
  ),
  check<{ ticket_id: string }>("spent_ticket", "ticket_id", ["ticket_id"], (row) =>
    problemsIn([!isIdentifierOrNull(row.ticket_id), "ticket_id is no identifier"]),
  ),
  check<{ key: string; value: string }>("setting", "key, value", ["key"], settingProblems),
  check<{ key: string; value: string }>("meta", "key, value", ["key"], metaProblems),
  check<{ link_hash: string }>("setup_link", "only_one, link_hash", ["only_one"], (row) =>
    problemsIn([!isDigest(row.link_hash), "link_hash is no digest"]),
  ),
  check<EventRow>("event", eventColumns, ["id"], eventProblems),
  check<TallyRow>(
    "tally",
    "grain, client_id, at, name, count",
    ["grain", "client_id", "at", "name"],
    tallyProblems,
  ),
  check<{ key: string }>("invalidation", "id, key", ["id"], (row) =>
    problemsIn([!isIdentifierOrNull(row.key), "key is no identifier"]),
  ),
]

function check<R extends object>(
  table: string,
  columns: string,
  key: readonly string[],
  problems: (row: R) => string[],
): Check {
  const order = key.join(", ")
  const select = (where: string) => `SELECT ${columns} FROM ${table} ${where} ORDER BY ${order} LIMIT ?`
  const first = select("")
  const next = select(`WHERE (${order}) > (${key.map(() => "?").join(", ")})`)
  const nameOf = (row: Row) => key.map((column) => row[column]).join(" ")
  return {
    table,
    page: (after, limit) =>
      after === null ? { sql: first, values: [limit] } : { sql: next, values: [...after, limit] },
    look: (rows, limit, found) => {
      for (const row of rows) {
        for (const problem of readable(problems, row as R)) found(nameOf(row), problem)
      }
      const last = rows.at(-1)
      return last === undefined || rows.length < limit ? null : key.map((column) => last[column] ?? null)
    },
  }
}

function exists(table: string, condition: string): string {
  return `CASE WHEN EXISTS (SELECT 1 FROM ${table} WHERE ${condition}) THEN 1 ELSE 0 END`
}

/** A row so broken that a check cannot even read it is a problem, not the end of the search. */
function readable<R>(problems: (row: R) => string[], row: R): string[] {
  try {
    return problems(row)
  } catch (error) {
    return [`cannot be read: ${error instanceof Error ? error.message : String(error)}`]
  }
}
