/** What is on disk, seen through a connection of its own. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { House } from "../support/house.ts"

type Row = Record<string, unknown>

/** Every row of every table. */
export function everything(house: House): Record<string, Row[]> {
  return withDatabase(house, (database) => {
    const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
    return Object.fromEntries(
      names.map(({ name }) => [
        String(name),
        database.prepare(`SELECT * FROM "${String(name)}"`).all() as Row[],
      ]),
    )
  })
}

/** The row of a credential. */
export function credentialRow(house: House, tokenId: string): Row {
  return withDatabase(house, (database) => {
    const row = database.prepare("SELECT * FROM credential WHERE token_id = ?").get(tokenId)
    if (row === undefined) throw new Error(`no credential ${tokenId}`)
    return row
  })
}

/** `issued`, `active`, `revoked` or `ended`, as it is stored. */
export function stateOf(house: House, tokenId: string): unknown {
  return credentialRow(house, tokenId)["state"]
}

/** The kinds of all events so far, oldest first. */
export function eventKinds(house: House): unknown[] {
  return withDatabase(house, (database) =>
    database
      .prepare("SELECT kind FROM event ORDER BY id")
      .all()
      .map(({ kind }) => kind),
  )
}

function withDatabase<T>(house: House, read: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(house.dir, "latchkey.db"), { readOnly: true })
  try {
    return read(database)
  } finally {
    database.close()
  }
}
