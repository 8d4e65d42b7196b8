/** Reads what is stored, with a separate connection. */
import type { TestServer } from "./test-server.ts"
import { everythingIn, type Row } from "./database.ts"

/** Returns every row of every table. */
export function everything(testServer: TestServer): Promise<Record<string, Row[]>> {
  return everythingIn(testServer.database)
}

/** Returns the row of a credential. */
export async function credentialRow(testServer: TestServer, tokenId: string): Promise<Row> {
  const [row] = await testServer.database.rows("SELECT * FROM credential WHERE token_id = ?", tokenId)
  if (row === undefined) throw new Error(`no credential ${tokenId}`)
  return row
}

/** Returns the stored state: `issued`, `active`, `revoked` or `ended`. */
export async function stateOf(testServer: TestServer, tokenId: string): Promise<unknown> {
  return (await credentialRow(testServer, tokenId))["state"]
}

/** Returns the kinds of all events so far, oldest first. */
export async function eventKinds(testServer: TestServer): Promise<unknown[]> {
  const rows = await testServer.database.rows("SELECT kind FROM event ORDER BY id")
  return rows.map(({ kind }) => kind)
}
