/** Groups the active credentials of an account or an app, while their rows are read. */
import type { ClientId, UserId } from "../../kernel/ids.ts"
import { namesOf } from "./names.ts"
import type { HeldConsent } from "../../model/credential.rules.ts"

export type ConsentRow = {
  readonly token_id: string
  readonly user_id: string
  readonly client_id: string
  readonly scope: string
  readonly organization: string | null
  /** The value is 1 for an active credential, otherwise 0 or null. */
  readonly active: number | null
  /** The value is null if the account was removed. */
  readonly admin: number | null
  readonly groups: string | null
}

/** Reads pages of `limit` rows. `read` returns the rows after the row `last`, or the first rows. */
export async function groupConsents<Row extends ConsentRow>(
  limit: number,
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): Promise<readonly HeldConsent[]> {
  const held = new Map<string, HeldConsent>()
  let rows: readonly Row[]
  let last: Row | undefined
  do {
    rows = await read(last)
    for (const row of rows) add(held, row)
    last = rows.at(-1)
  } while (rows.length === limit)
  return [...held.values()]
}

function add(held: Map<string, HeldConsent>, row: ConsentRow): void {
  if (row.active !== 1) return
  const { organization } = row
  const key = `${row.user_id} ${row.client_id} ${organization ?? ""} ${row.scope}`
  const known = held.get(key)
  held.set(key, {
    userId: row.user_id as UserId,
    clientId: row.client_id as ClientId,
    admin: row.admin === 1,
    groups: namesOf<string>(row.groups ?? ""),
    scope: known?.scope ?? namesOf(row.scope),
    ...(organization !== null && { organization }),
    credentials: (known?.credentials ?? 0) + 1,
  })
}
