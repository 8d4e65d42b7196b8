/**
 * Caches apps and accounts, which every request needs and which rarely change. A write that may change them clears the
 * cache. SQLite's `data_version`, read inside the transaction, shows whether another connection wrote. So a cached row
 * is never older than the transaction's view.
 */

import { detachString } from "../../../kernel/detach-string.ts"

/** Above this number of rows of one kind, the half that was cached first is evicted. */
const ROWS_AT_MOST = 32_768

type Kind = "client" | "account" | "number" | "scopeNumber"

export class RowCache {
  // One map for each kind, so that existing strings serve as keys without a prefix.
  readonly #rows = {
    client: new Map<string, object>(),
    account: new Map<string, object>(),
    number: new Map<string, object>(),
    scopeNumber: new Map<string, object>(),
  } satisfies Record<Kind, Map<string, object>>
  readonly #numbered = { name: new Map<number, string>(), scope: new Map<number, string>() }
  #version = 0

  /** Called at the start of each transaction. `version` changes when another connection has written. */
  beginAt(version: number): void {
    if (version !== this.#version) this.forget()
    this.#version = version
  }

  /** Returns the cached row under `key`, or the result of `load`. A missing row is not cached. */
  read<Row extends object>(kind: Kind, key: string, load: () => Row | null): Row | null {
    const rows = this.#rows[kind]
    const known = rows.get(key) as Row | undefined
    if (known !== undefined) return known
    const row = load()
    if (row !== null) keep(rows, detachString(key), row)
    return row
  }

  /** Returns the text of a number, like `read`. */
  readNumbered(of: "name" | "scope", number: number, load: () => string): string {
    const known = this.#numbered[of].get(number)
    if (known !== undefined) return known
    const text = load()
    keep(this.#numbered[of], number, text)
    return text
  }

  /** Clears the cache. Called when this connection may have written an app or an account, and when it rolls back. */
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
