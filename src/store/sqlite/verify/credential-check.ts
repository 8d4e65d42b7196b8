/** Checks credentials in SQLite's own table. */
import type { Check } from "../../verify/checks.ts"
import { neutralColumns } from "../statements/credential-rows.ts"
import { homeRowid } from "../statements/rowid.ts"

const ROWS = `
  SELECT *,
    EXISTS (SELECT 1 FROM account WHERE account.user_id = held.user_id) AS has_account,
    EXISTS (SELECT 1 FROM client WHERE client.client_id = held.client_id) AS has_client,
    (SELECT token_id FROM credential_aside WHERE credential_aside.id = held.id) AS aside
  FROM (SELECT ${neutralColumns} FROM credential_row WHERE id > ? ORDER BY id LIMIT ?) AS held`

/**
 * Returns the neutral check, and adds the check that each credential is found by its identifier. Rows are read in the
 * order of their rowids.
 */
export function credentialCheck(neutral: Check): Check {
  return {
    table: neutral.table,
    page: (after, limit) => ({ sql: ROWS, values: [after?.[0] ?? -1, limit] }),
    look: (rows, limit, found) => {
      neutral.look(rows, limit, found)
      for (const { id, token_id: tokenId, aside } of rows) {
        const isFound = id === homeRowid(String(tokenId)) ? aside === null : aside === tokenId
        if (!isFound) found(String(tokenId), "the row cannot be found by its identifier")
      }
      return rows.length < limit ? null : [rows.at(-1)?.["id"] ?? null]
    },
  }
}
