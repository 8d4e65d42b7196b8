/** Counts and groups rows for pages of administrators and account holders. */
import { setImmediate as nextTurn } from "node:timers/promises"
import type { ClientId, UserId } from "../../../kernel/ids.ts"
import { IDLE_SECONDS } from "../../../kernel/limits.ts"
import type { Tally } from "../../../model/tally.rules.ts"
import type { AppUsers, Gauges } from "../../list-shapes.ts"
import type { Connection } from "../engine/connection.ts"
import { type Counted, Counting, yieldBriefly, yieldGenerously, type View } from "../engine/counting.ts"
import { ACTIVE_ROW, neutralColumns } from "./credential-rows.ts"
import { deleteDay } from "./credential-table.ts"
import { numberOf } from "./numbers.ts"
import { OPEN_IMPORT } from "../../codecs/import-row.ts"
import { endedCredentialDeleteAfter } from "../../codecs/retention.ts"
import { type ConsentRow, groupConsents } from "../../codecs/held-consent.ts"
import { talliesOfAppsQueries } from "../../statements/queries.ts"
import type { HeldConsent } from "../../../model/credential.rules.ts"

/** The maximum number of rows that are read in one piece. Other requests can run after each piece. */
const ROWS_TOGETHER = 2000

/** Counts accounts, apps and installations. Reads only indexes. */
export async function readGauges(view: View, now: number): Promise<Gauges> {
  const counting = new Counting(view, yieldBriefly)
  return {
    accounts: (await counting.count(ACCOUNTS)) - (await stagedIn(counting)),
    apps: await counting.count(APPS),
    installations: await installationsIn(counting, now),
  }
}

/** Counts the accounts of an import that has not finished. They have their own index. */
async function stagedIn(counting: Counting): Promise<number> {
  const open = await counting.read<{ id: number }>(OPEN_IMPORT)
  return open === null ? 0 : counting.count({ ...STAGED, values: [open.id] })
}

/** Counts installations slowly, with longer pauses for requests. */
export function countInstallations(view: View, now: number): Promise<number> {
  return installationsIn(new Counting(view, yieldGenerously), now)
}

/**
 * Counts credentials that have not ended. A row is deleted a week after its end. A credential is therefore live if its
 * deletion day is later than the deletion day of a credential that ends now.
 */
async function installationsIn(counting: Counting, now: number): Promise<number> {
  const after = "SELECT min(gone) AS day FROM credential_row WHERE gone > ?"
  let count = 0
  let last = deleteDay(endedCredentialDeleteAfter(now))
  for (;;) {
    const { day } = (await counting.read<{ day: number | null }>(after, last)) ?? { day: null }
    if (day === null) return count
    count += await counting.count({ ...INSTALLATIONS, values: [day] })
    last = day
  }
}

const ACCOUNTS: Counted = { ...inOrderOf("username_key", "account WHERE"), from: "", values: [] }
const STAGED = { ...inOrderOf("user_id", "account WHERE import_id = ? AND"), from: "" }
const APPS: Counted = { ...inOrderOf("client_id", "client WHERE"), from: "", values: [] }
const INSTALLATIONS = { ...inOrderOf("id", "credential_row WHERE gone = ? AND"), from: -1 }

function inOrderOf(key: string, where: string): Pick<Counted, "skip" | "rest"> {
  return {
    skip: `SELECT ${key} AS key FROM ${where} ${key} > ? ORDER BY ${key} LIMIT 1 OFFSET ?`,
    rest: `SELECT count(*) AS count FROM ${where} ${key} > ?`,
  }
}

export async function sumTalliesOfApps(view: View, since: number, until: number): Promise<readonly Tally[]> {
  const all: Tally[] = []
  for (const { sql, values, of } of talliesOfAppsQueries(since, until)) {
    all.push(...(await view((connection) => of(connection.all(sql, ...values)))))
    await nextTurn()
  }
  return all
}

export function countUsers(connection: Connection, clientId: ClientId, now: number, most: number): AppUsers {
  const sql = `
    SELECT count(*) AS installations, count(DISTINCT account) AS accounts
    FROM (SELECT account FROM credential_row WHERE client = ? AND ${ACTIVE_ROW} ORDER BY id DESC LIMIT ?)`
  const counted = connection.one<Omit<AppUsers, "isWhole">>(
    sql,
    numberOf(connection, clientId),
    now,
    now - IDLE_SECONDS,
    most + 1,
  )
  const { installations = 0, accounts = 0 } = counted ?? {}
  return { installations: Math.min(installations, most), accounts, isWhole: installations <= most }
}

export function heldConsents(
  view: View,
  of: { readonly clientId: ClientId } | { readonly userId: UserId },
  now: number,
): Promise<readonly HeldConsent[]> {
  const [column, key] = "clientId" in of ? ["client", of.clientId] : ["account", of.userId]
  const sql = `
    SELECT id, token_id, user_id, client_id, scope, organization, active,
      (SELECT admin FROM usable_account AS account WHERE account.user_id = held.user_id) AS admin,
      (SELECT groups FROM account WHERE account.user_id = held.user_id) AS groups
    FROM (SELECT ${neutralColumns}, ${ACTIVE_ROW} AS active
          FROM credential_row WHERE ${column} = ? AND id > ? ORDER BY id LIMIT ?) AS held`
  return groupConsents<ConsentRow & { readonly id: number }>(ROWS_TOGETHER, async (last) => {
    if (last !== undefined) await nextTurn()
    return view((connection) => {
      const values = [now, now - IDLE_SECONDS, numberOf(connection, key), last?.id ?? -1, ROWS_TOGETHER]
      return connection.all(sql, ...values)
    })
  })
}
