/** Counts and groups rows for pages of administrators and account holders. */
import type { ClientId, UserId } from "../../../kernel/ids.ts"
import { IDLE_SECONDS } from "../../../kernel/limits.ts"
import type { Tally } from "../../../model/tally.rules.ts"
import { ACTIVE } from "../../codecs/credential-row.ts"
import { endedCredentialDeleteAfter } from "../../codecs/retention.ts"
import { type ConsentRow, groupConsents } from "../../codecs/held-consent.ts"
import { talliesOfAppsQueries } from "../../statements/queries.ts"
import type { AppUsers, Gauges } from "../../list-shapes.ts"
import type { Reader } from "../driver/database.ts"
import type { HeldConsent } from "../../../model/credential.rules.ts"

/** The maximum number of rows that one statement reads. Such a statement takes about ten milliseconds. */
const ROWS_TOGETHER = 5000

export async function readGauges(reader: Reader, now: number): Promise<Gauges> {
  const counts = await reader.one<{ accounts: number; apps: number }>(COUNTS)
  const installations = await countInstallations(reader, now)
  return { accounts: counts?.accounts ?? 0, apps: counts?.apps ?? 0, installations }
}

/**
 * Counts credentials that have not ended. A row is deleted a week after its end. A credential is therefore live if its
 * deletion day is later than the deletion day of a credential that ends now. Each statement reads one deletion day, so
 * that no statement is long.
 */
export async function countInstallations(reader: Reader, now: number): Promise<number> {
  let count = 0
  let after = endedCredentialDeleteAfter(now)
  for (;;) {
    const next = await reader.one<{ day: number; count: number }>(NEXT_DAY, after)
    if (next === null) return count
    count += next.count
    after = next.day
  }
}

const COUNTS =
  "SELECT (SELECT count(*) FROM usable_account) AS accounts, (SELECT count(*) FROM client) AS apps"

/** Counts the rows of the next deletion day. */
const NEXT_DAY = `
  SELECT gone_at AS day, count(*) AS count FROM credential
  WHERE gone_at = (SELECT min(gone_at) FROM credential WHERE gone_at > ?) GROUP BY gone_at`

export async function sumTalliesOfApps(
  reader: Reader,
  since: number,
  until: number,
): Promise<readonly Tally[]> {
  const all: Tally[] = []
  for (const { sql, values, of } of talliesOfAppsQueries(since, until))
    all.push(...of(await reader.all(sql, ...values)))
  return all
}

export async function countUsers(
  reader: Reader,
  clientId: ClientId,
  now: number,
  most: number,
): Promise<AppUsers> {
  const sql = `
    SELECT count(*) AS installations, count(DISTINCT user_id) AS accounts
    FROM (SELECT user_id FROM credential WHERE client_id = ? AND ${ACTIVE} ORDER BY token_id DESC LIMIT ?) AS held`
  const counted = await reader.one<Omit<AppUsers, "isWhole">>(
    sql,
    clientId,
    now,
    now - IDLE_SECONDS,
    most + 1,
  )
  const { installations = 0, accounts = 0 } = counted ?? {}
  return { installations: Math.min(installations, most), accounts, isWhole: installations <= most }
}

/** Groups active credentials. Each page is read by a separate statement. */
export function heldConsents(
  reader: Reader,
  of: { readonly clientId: ClientId } | { readonly userId: UserId },
  now: number,
): Promise<readonly HeldConsent[]> {
  const [column, key] = "clientId" in of ? ["client_id", of.clientId] : ["user_id", of.userId]
  const sql = `
    SELECT token_id, user_id, client_id, scope, organization, CASE WHEN ${ACTIVE} THEN 1 ELSE 0 END AS active,
      (SELECT admin FROM usable_account AS account WHERE account.user_id = credential.user_id) AS admin,
      (SELECT groups FROM account WHERE account.user_id = credential.user_id) AS groups
    FROM credential WHERE ${column} = ? AND token_id > ? ORDER BY token_id LIMIT ?`
  return groupConsents<ConsentRow>(ROWS_TOGETHER, (last) =>
    reader.all(sql, now, now - IDLE_SECONDS, key, last?.token_id ?? "", ROWS_TOGETHER),
  )
}
