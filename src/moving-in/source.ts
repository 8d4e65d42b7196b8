/** The sources of an import. A row reads a file record by record, so that a large file needs little memory. */
import { createReadStream } from "node:fs"
import { readCsv } from "./csv.ts"
import type { Moved } from "./moved.rules.ts"
import { NotTheFile } from "./not-the-file.ts"

export type Source = (pieces: AsyncIterable<string>) => AsyncIterable<Moved>

export const sources = {
  csv: readCsv,
} as const satisfies Record<string, Source>

export type SourceName = keyof typeof sources

/** Reads the text of a file in pieces. Throws `NotTheFile` if it cannot be read or is not UTF-8. */
export async function* piecesOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  try {
    for await (const bytes of createReadStream(file, { highWaterMark: 1 << 18 }))
      yield decoder.decode(bytes as Uint8Array, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (error instanceof NotTheFile) throw error
    const isText = !(error instanceof TypeError)
    throw new NotTheFile(isText ? `it cannot be read: ${(error as Error).message}` : "it is not UTF-8 text", {
      cause: error,
    })
  }
}
