/** One check for each table that has invariants: how its rows are read, a page at a time, and what must hold of them. */
import { REDIRECT_URIS_AT_MOST } from "../../../core/limits.ts"
import type { Connection, Value } from "../connection.ts"
import { accountColumns, type AccountRow } from "../rows/account-row.ts"
import { clientColumns, type ClientRow } from "../rows/client-row.ts"
import { credentialColumns } from "../rows/credential-row.ts"
import { deviceGrantColumns } from "../rows/device-grant-row.ts"
import { factorColumns } from "../rows/factor-row.ts"
import { sessionGoneAt } from "../rows/gone-at.ts"
import { sessionColumns, type SessionRow } from "../rows/session-row.ts"
import { credentialProblems, type VerifiedCredentialRow } from "./credential-problems.ts"
import { deviceGrantProblems, type VerifiedDeviceGrantRow } from "./device-grant-problems.ts"
import { factorProblems, type VerifiedFactorRow } from "./factor-problems.ts"
import { areNames, isBit, isDigest, isPartial, problemsIn } from "./rule.ts"

export type Check = {
  readonly table: string
  /** A key before every other. */
  readonly first: string | number
  /** Reads the rows after `after`, checks each, and answers the key of the last, or null at the end. */
  readonly page: (connection: Connection, after: Value, limit: number, found: Found) => Value
}

/** Told of each problem: the row's key and the sentence. */
type Found = (key: string, problem: string) => void

export const checks: readonly Check[] = [
  check<AccountRow>("account", accountColumns, "user_id", "user_id", accountProblems),
  check<ClientRow>("client", clientColumns, "client_id", "client_id", clientProblems),
  check<VerifiedCredentialRow>(
    "credential",
    `${credentialColumns},
     EXISTS (SELECT 1 FROM account WHERE account.user_id = credential.user_id) AS has_account,
     EXISTS (SELECT 1 FROM client WHERE client.client_id = credential.client_id) AS has_client`,
    "id",
    "token_id",
    credentialProblems,
  ),
  check<VerifiedDeviceGrantRow>(
    "device_grant",
    `${deviceGrantColumns},
     EXISTS (SELECT 1 FROM account WHERE account.user_id = device_grant.user_id) AS has_approver`,
    "grant_id",
    "grant_id",
    deviceGrantProblems,
  ),
  check<VerifiedFactorRow>(
    "factor",
    `${factorColumns},
     EXISTS (SELECT 1 FROM factor AS other WHERE other.user_id = factor.user_id AND other.kind <> 'recovery')
       AS has_second_factor`,
    "factor_id",
    "factor_id",
    factorProblems,
  ),
  check<SessionRow & { readonly gone_at: number }>(
    "session",
    `${sessionColumns}, gone_at`,
    "session_hash",
    "session_hash",
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
  check<{ browser_hash: string }>("known_browser", "browser_hash", "browser_hash", "browser_hash", (row) =>
    problemsIn([!isDigest(row.browser_hash), "browser_hash is no digest"]),
  ),
  check<{ link_hash: string }>("setup_link", "only_one, link_hash", "only_one", "only_one", (row) =>
    problemsIn([!isDigest(row.link_hash), "link_hash is no digest"]),
  ),
]

function check<Row extends object>(
  table: string,
  columns: string,
  order: string,
  key: string,
  problems: (row: Row) => string[],
): Check {
  const sql = `SELECT ${columns} FROM ${table} WHERE ${order} > ? ORDER BY ${order} LIMIT ?`
  return {
    table,
    first: order === "id" || order === "only_one" ? 0 : "",
    page: (connection, after, limit, found) => {
      const rows = connection.all<Row & Record<string, Value>>(sql, after, limit)
      for (const row of rows) {
        for (const problem of readable(problems, row)) found(String(row[key]), problem)
      }
      const last = rows.at(-1)
      return last === undefined || rows.length < limit ? null : (last[order] ?? null)
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

function accountProblems(row: AccountRow): string[] {
  return problemsIn(
    [row.username_key === "", "username_key is empty"],
    [!row.password_hash.startsWith("$argon2id$"), "password_hash is not of argon2id"],
    [!isBit(row.admin) || !isBit(row.enabled), "a flag is neither 0 nor 1"],
  )
}

function clientProblems(row: ClientRow): string[] {
  const redirectUris: unknown = JSON.parse(row.redirect_uris)
  const flags = [row.verified, row.step_up, row.resource_server, row.enabled]
  return problemsIn(
    [row.type !== "public" && row.type !== "confidential", `the type ${row.type} does not exist`],
    [(row.type === "confidential") !== (row.secret_hash !== null), "type and secret_hash disagree"],
    [row.secret_hash !== null && !isDigest(row.secret_hash), "secret_hash is no digest"],
    [row.type === "public" && row.resource_server === 1, "a public app is a resource server"],
    [
      !Array.isArray(redirectUris) || redirectUris.length > REDIRECT_URIS_AT_MOST,
      "redirect_uris is no list, or too long",
    ],
    [!areNames(row.ceiling), "the ceiling is not a list of different names"],
    [!flags.every(isBit), "a flag is neither 0 nor 1"],
  )
}
