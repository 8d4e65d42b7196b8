/** One check for each table: how its rows are read, a page at a time, and what must hold of them. */
import type { TallyRow } from "../../rows/tally-row.ts"
import type { Value } from "../../rows/value.ts"
import type { Connection } from "../connection.ts"
import { accountColumns, type AccountRow } from "../../rows/account-row.ts"
import { clientColumns } from "../../rows/client-row.ts"
import { credentialColumns } from "../../rows/credential-row.ts"
import { deviceGrantColumns } from "../../rows/device-grant-row.ts"
import { eventColumns, type EventRow } from "../../rows/event-row.ts"
import { factorColumns } from "../../rows/factor-row.ts"
import { sessionGoneAt } from "../../rows/gone-at.ts"
import { sessionColumns, type SessionRow } from "../../rows/session-row.ts"
import { accountProblems } from "../../verify/account-problems.ts"
import { clientProblems, type VerifiedClientRow } from "../../verify/client-problems.ts"
import { consentProblems } from "../../verify/consent-problems.ts"
import { credentialProblems, type VerifiedCredentialRow } from "../../verify/credential-problems.ts"
import { deviceGrantProblems, type VerifiedDeviceGrantRow } from "../../verify/device-grant-problems.ts"
import { factorProblems, type VerifiedFactorRow } from "../../verify/factor-problems.ts"
import {
  eventProblems,
  iconProblems,
  type IconHead,
  invalidationProblems,
  metaProblems,
  settingProblems,
  tallyProblems,
} from "../../verify/plain-problems.ts"
import { isDigest, isIdentifierOrNull, isPartial, problemsIn } from "../../verify/rule.ts"

export type Check = {
  readonly table: string
  /** Reads the rows after `after`, from the first where it is null; answers the last one's key, or null at the end. */
  readonly page: (connection: Connection, after: Key | null, limit: number, found: Found) => Key | null
}

/** The values of a table's key, in its order. */
export type Key = readonly Value[]

/** Told of each problem: the row's name and the sentence. */
type Found = (name: string, problem: string) => void

export const checks: readonly Check[] = [
  check<AccountRow>("account", accountColumns, ["user_id"], accountProblems),
  check<VerifiedClientRow>(
    "client",
    `${clientColumns}, EXISTS (SELECT 1 FROM account WHERE account.user_id = client.owner_id) AS has_owner`,
    ["client_id"],
    clientProblems,
  ),
  check<IconHead>("icon", "client_id, png_hash, hex(substr(png, 1, 8)) AS head", ["client_id"], iconProblems),
  check<VerifiedCredentialRow>(
    "credential",
    `${credentialColumns},
     EXISTS (SELECT 1 FROM account WHERE account.user_id = credential.user_id) AS has_account,
     EXISTS (SELECT 1 FROM client WHERE client.client_id = credential.client_id) AS has_client`,
    ["id"],
    (row) => [...consentProblems(row), ...credentialProblems(row)],
    "token_id",
  ),
  check<VerifiedDeviceGrantRow>(
    "device_grant",
    `${deviceGrantColumns},
     EXISTS (SELECT 1 FROM account WHERE account.user_id = device_grant.user_id) AS has_approver`,
    ["grant_id"],
    deviceGrantProblems,
  ),
  check<VerifiedFactorRow>(
    "factor",
    `${factorColumns},
     EXISTS (SELECT 1 FROM factor AS other WHERE other.user_id = factor.user_id AND other.kind <> 'recovery')
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
        [row.gone_at !== sessionGoneAt(row.created_at, row.seen_at), "gone_at is not the day after its end"],
        [isPartial(row.proven_at, row.proven_by), "proven_at and proven_by disagree"],
        [
          row.proven_by !== null && row.proven_by !== "password" && row.proven_by !== "second-factor",
          `the strength ${row.proven_by} does not exist`,
        ],
      ),
  ),
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
  check<{ of: string; key: string }>("invalidation", "id, of, key", ["id"], invalidationProblems),
]

/** `name` is the column by which a row is reported, where that is not its key. */
function check<Row extends object>(
  table: string,
  columns: string,
  key: readonly string[],
  problems: (row: Row) => string[],
  name?: string,
): Check {
  const order = key.join(", ")
  const select = (where: string) => `SELECT ${columns} FROM ${table} ${where} ORDER BY ${order} LIMIT ?`
  const first = select("")
  const next = select(`WHERE (${order}) > (${key.map(() => "?").join(", ")})`)
  const nameOf = (row: Record<string, Value>) =>
    (name === undefined ? key : [name]).map((column) => row[column])
  return {
    table,
    page: (connection, after, limit, found) => {
      const rows = connection.all<Row & Record<string, Value>>(
        after === null ? first : next,
        ...(after ?? []),
        limit,
      )
      for (const row of rows) {
        for (const problem of readable(problems, row)) found(nameOf(row).join(" "), problem)
      }
      const last = rows.at(-1)
      return last === undefined || rows.length < limit ? null : key.map((column) => last[column] ?? null)
    },
  }
}

/** A row so broken that a check cannot even read it is a problem, not the end of the search. */
function readable<Row>(problems: (row: Row) => string[], row: Row): string[] {
  try {
    return problems(row)
  } catch (error) {
    return [`cannot be read: ${error instanceof Error ? error.message : String(error)}`]
  }
}
