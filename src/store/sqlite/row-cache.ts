/**
 * Apps and accounts as this connection last read them: every request asks for them, and hardly any changes one. A row
 * is good until somebody writes. Inside the transaction that reads it SQLite's own `data_version` tells whether another
 * connection has, so what is found here is never older than what the transaction would read.
 */

/** More rows than this at once: reading begins anew. */
const ROWS_AT_MOST = 4096

export class RowCache {
  readonly #rows = new Map<string, unknown>()
  #version = 0

  /** Said at the start of each transaction: `version` moves whenever another connection has written. */
  beginAt(version: number): void {
    if (version !== this.#version) this.forget()
    this.#version = version
  }

  /** The row under `key`, read at most once between two writes. Null, where there is none, is not kept. */
  read<Row extends object>(key: string, load: () => Row | null): Row | null {
    const known = this.#rows.get(key) as Row | undefined
    if (known !== undefined) return known
    const row = load()
    if (this.#rows.size >= ROWS_AT_MOST) this.forget()
    if (row !== null) this.#rows.set(key, row)
    return row
  }

  /** Said when this connection writes an app or an account, and when it undoes a write. */
  forget(): void {
    this.#rows.clear()
  }
}
