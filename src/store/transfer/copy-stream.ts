/** Runs COPY on a `pg` connection. Rows are sent and received as text. */
import { once } from "node:events"
import type { Writable } from "node:stream"
import type pg from "pg"

/** The part of a `pg` connection that a custom query uses. */
type Wire = {
  readonly stream: Writable
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/** A custom query. `pg` calls its `handle…` methods. */
class Copy {
  readonly ended: Promise<void>
  protected readonly settled = Promise.withResolvers<void>()
  protected readonly began = Promise.withResolvers<Wire>()
  readonly #sql: string
  #hasFailed = false

  constructor(sql: string) {
    this.#sql = sql
    this.ended = this.settled.promise
    // The caller awaits one of the two promises and gets the error. The other promise may have no listener.
    this.ended.catch(() => undefined)
    this.began.promise.catch(() => undefined)
  }

  submit(connection: unknown): void {
    ;(connection as Wire).query(this.#sql)
  }

  get hasFailed(): boolean {
    return this.#hasFailed
  }

  handleError(error: Error): void {
    this.#hasFailed = true
    this.began.reject(error)
    this.settled.reject(error)
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.settled.resolve()
  }
}

class CopyIn extends Copy {
  get wire(): Promise<Wire> {
    return this.began.promise
  }

  handleCopyInResponse(wire: Wire): void {
    this.began.resolve(wire)
  }
}

class CopyOut extends Copy {
  readonly #take: (chunk: Buffer) => void

  constructor(sql: string, take: (chunk: Buffer) => void) {
    super(sql)
    this.#take = take
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    this.#take(chunk)
  }
}

/** Sends `chunks` to `sql`, which is a `COPY … FROM STDIN`. Waits if the server is slower than the chunks. */
export async function copyIn(client: pg.Client, sql: string, chunks: Iterable<Buffer>): Promise<void> {
  const copy = client.query(new CopyIn(sql))
  const wire = await copy.wire
  try {
    for (const chunk of chunks) {
      wire.sendCopyFromChunk(chunk)
      // After an error, the server ignores all further rows.
      if (copy.hasFailed) break
      if (wire.stream.writableNeedDrain) await Promise.race([once(wire.stream, "drain"), copy.ended])
    }
  } catch (error) {
    if (!copy.hasFailed) wire.sendCopyFail("the rows could not be read")
    await copy.ended.catch(() => undefined)
    throw error
  }
  if (!copy.hasFailed) wire.endCopyFrom()
  await copy.ended
}

/** Runs `sql`, which is a `COPY … TO STDOUT`. Calls `take` with each row. */
export async function copyOut(client: pg.Client, sql: string, take: (row: Buffer) => void): Promise<void> {
  await client.query(new CopyOut(sql, take)).ended
}
