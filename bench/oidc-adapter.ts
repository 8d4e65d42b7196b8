/**
 * A durable adapter for `oidc-provider` on `node:sqlite`. Each model has a table with the indexes that its look-ups
 * need. Statements are prepared. As in Latchkey, all writes of one turn of the event loop share a commit, and each
 * write is answered after that commit.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite"

type Payload = { readonly grantId?: string; readonly userCode?: string; readonly uid?: string }

type Row = { readonly payload: string; readonly consumed_at: number | null }

type Waiting = {
  readonly write: () => void
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/** One database file, shared by the adapters of all models. */
export class OidcDatabase {
  readonly sqlite: DatabaseSync
  #waiting: Waiting[] = []

  constructor(file: string) {
    this.sqlite = new DatabaseSync(file)
    this.sqlite.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8192")
    this.sqlite.exec("PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 4000")
  }

  /** Resolves when `write` is on disk. All writes of this turn share one commit. */
  write(write: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ write, resolve, reject }) === 1) setImmediate(() => this.#commit())
    })
  }

  #commit(): void {
    const together = this.#waiting
    this.#waiting = []
    try {
      this.sqlite.exec("BEGIN IMMEDIATE")
      for (const { write } of together) write()
      this.sqlite.exec("COMMIT")
    } catch (error) {
      if (this.sqlite.isTransaction) this.sqlite.exec("ROLLBACK")
      for (const { reject } of together) reject(error)
      return
    }
    for (const { resolve } of together) resolve()
  }
}

/** Returns the adapter class that `oidc-provider` creates for each of its models. */
export function adapterOn(database: OidcDatabase) {
  return class SqliteAdapter {
    readonly #database = database
    readonly #upsert: StatementSync
    readonly #find: StatementSync
    readonly #findByUid: StatementSync
    readonly #findByUserCode: StatementSync
    readonly #consume: StatementSync
    readonly #destroy: StatementSync
    readonly #revoke: StatementSync

    constructor(model: string) {
      const { sqlite } = database
      sqlite.exec(`
        CREATE TABLE IF NOT EXISTS "${model}" (
          id TEXT PRIMARY KEY NOT NULL, payload TEXT NOT NULL, grant_id TEXT, user_code TEXT, uid TEXT,
          expires_at INTEGER, consumed_at INTEGER
        ) STRICT;
        CREATE INDEX IF NOT EXISTS "${model}_grant" ON "${model}" (grant_id) WHERE grant_id IS NOT NULL;
        CREATE INDEX IF NOT EXISTS "${model}_user_code" ON "${model}" (user_code) WHERE user_code IS NOT NULL;
        CREATE INDEX IF NOT EXISTS "${model}_uid" ON "${model}" (uid) WHERE uid IS NOT NULL`)
      this.#upsert = sqlite.prepare(`
        INSERT INTO "${model}" (id, payload, grant_id, user_code, uid, expires_at) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id,
          user_code = excluded.user_code, uid = excluded.uid, expires_at = excluded.expires_at`)
      this.#find = sqlite.prepare(`SELECT payload, consumed_at FROM "${model}" WHERE id = ?`)
      this.#findByUid = sqlite.prepare(`SELECT payload, consumed_at FROM "${model}" WHERE uid = ?`)
      this.#findByUserCode = sqlite.prepare(`SELECT payload, consumed_at FROM "${model}" WHERE user_code = ?`)
      this.#consume = sqlite.prepare(`UPDATE "${model}" SET consumed_at = ? WHERE id = ?`)
      this.#destroy = sqlite.prepare(`DELETE FROM "${model}" WHERE id = ?`)
      this.#revoke = sqlite.prepare(`DELETE FROM "${model}" WHERE grant_id = ?`)
    }

    async upsert(id: string, payload: Payload, expiresIn?: number): Promise<void> {
      const { grantId = null, userCode = null, uid = null } = payload
      const expiresAt = expiresIn === undefined ? null : seconds() + expiresIn
      const text = JSON.stringify(payload)
      await this.#database.write(() => this.#upsert.run(id, text, grantId, userCode, uid, expiresAt))
    }

    async find(id: string): Promise<object | undefined> {
      return payloadOf(this.#find.get(id))
    }

    async findByUid(uid: string): Promise<object | undefined> {
      return payloadOf(this.#findByUid.get(uid))
    }

    async findByUserCode(userCode: string): Promise<object | undefined> {
      return payloadOf(this.#findByUserCode.get(userCode))
    }

    async consume(id: string): Promise<void> {
      await this.#database.write(() => this.#consume.run(seconds(), id))
    }

    async destroy(id: string): Promise<void> {
      await this.#database.write(() => this.#destroy.run(id))
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      await this.#database.write(() => this.#revoke.run(grantId))
    }
  }
}

function payloadOf(row: unknown): object | undefined {
  if (row === undefined) return undefined
  const { payload, consumed_at: consumed } = row as Row
  const read = JSON.parse(payload) as Record<string, unknown>
  if (consumed !== null) read["consumed"] = consumed
  return read
}

function seconds(): number {
  return Math.floor(Date.now() / 1000)
}
