/**
 * Stores the rotation keys of SQLite in a small file beside the database. Backups and the write-ahead log therefore do
 * not contain them. Each line has the number of a half minute and its key. docs/storage.md describes the file.
 */
import { open, readFile, rename } from "node:fs/promises"
import { dirname } from "node:path"
import type { RotationKeys } from "../../../model/rotation-key.rules.ts"
import type { Span } from "../../list-shapes.ts"

const LINE = /^(\d+) ([\w-]{43})$/

export class RotationKeyFile {
  readonly #file: string

  constructor(database: string) {
    this.#file = `${database}.keys`
  }

  /**
   * Keeps the keys of `span`, adds missing keys from `proposed`, and deletes all others. Resolves after a sync to disk.
   */
  keep(span: Span, proposed: RotationKeys): Promise<RotationKeys> {
    const kept = oneAtATime.then(() => this.#keep(span, proposed))
    oneAtATime = kept.catch(() => undefined)
    return kept
  }

  async #keep({ first, last }: Span, proposed: RotationKeys): Promise<RotationKeys> {
    const stored = await this.#read()
    const kept = new Map([...proposed, ...stored].filter(([half]) => half >= first && half <= last))
    const isSame = kept.size === stored.size && [...kept.keys()].every((half) => stored.has(half))
    if (!isSame) await this.#write(kept)
    return kept
  }

  async #read(): Promise<RotationKeys> {
    const text = await readFile(this.#file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return ""
      throw error
    })
    const keys = new Map<number, string>()
    for (const line of text.split("\n")) {
      const [, half, key] = LINE.exec(line) ?? []
      if (half !== undefined && key !== undefined) keys.set(Number(half), key)
    }
    return keys
  }

  async #write(keys: RotationKeys): Promise<void> {
    const written = `${this.#file}.new`
    await synced(written, "w", [...keys].map(([half, key]) => `${half} ${key}\n`).join(""))
    await rename(written, this.#file)
    await synced(dirname(this.#file), "r", null)
  }
}

/** Writes run one after the other, because a process may open the database twice. */
let oneAtATime: Promise<unknown> = Promise.resolve()

async function synced(path: string, flags: "w" | "r", text: string | null): Promise<void> {
  const handle = await open(path, flags, 0o600)
  try {
    if (text !== null) await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
