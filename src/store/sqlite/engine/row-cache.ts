/**
 * Caches apps and accounts, which every request needs and which rarely change. A write that may change them clears the
 * cache. SQLite's `data_version`, which is read inside the transaction, shows whether another connection has written. A
 * cached row is therefore never older than the view of the transaction.
 */

import { detachString } from "../../../kernel/detach-string.ts"

/** Above this number of rows of one kind, the older half is removed. */
const ROWS_AT_MOST = 32_768

type Kind = "client" | "account" | "number" | "scopeNumber"

export class RowCache {
  // Each kind has its own map, so that existing strings are keys without a prefix.
  readonly #rows = {
    client: new Map<string, object>(),
    account: new Map<string, object>(),
    number: new Map<string, object>(),
    scopeNumber: new Map<string, object>(),
  } satisfies Record<Kind, Map<string, object>>
  readonly #numbered = { name: new Map<number, string>(), scope: new Map<number, string>() }
  #version = 0

  /** Called at the start of each transaction. `version` differs if another connection has written. */
  beginAt(version: number): void {
    if (version !== this.#version) this.forget()
    this.#version = version
  }

  /**
   * Returns the cached row of `key`. If no row is cached, calls `load` and caches its result. A missing row is not
   * cached.
   */
  read<Row extends object>(kind: Kind, key: string, load: () => Row | null): Row | null {
    const rows = this.#rows[kind]
    const known = rows.get(key) as Row | undefined
    if (known !== undefined) return known
    const row = load()
    if (row !== null) keep(rows, detachString(key), row)
    return row
  }

  /** Returns the text of a number. Caches it as `read` caches rows. */
  readNumbered(of: "name" | "scope", number: number, load: () => string): string {
    const known = this.#numbered[of].get(number)
    if (known !== undefined) return known
    const text = load()
    keep(this.#numbered[of], number, text)
    return text
  }

  /** Clears the cache. Called if this connection may have written an app or an account, and if it rolls back. */
  forget(): void {
    for (const rows of Object.values(this.#rows)) rows.clear()
    this.#numbered.name.clear()
    this.#numbered.scope.clear()
  }
}

function keep<K, V>(rows: Map<K, V>, key: K, row: V): void {
  if (rows.size >= ROWS_AT_MOST) {
    let drop = ROWS_AT_MOST / 2
    for (const oldest of rows.keys()) {
      if (drop-- === 0) break
      rows.delete(oldest)
    }
  }
  rows.set(key, row)
}
