/** The sources of an import. A row reads a file record by record, so that a large file needs little memory. */
import { createReadStream } from "node:fs"
import type { JsonObject } from "../../kernel/json.ts"
import { readBetterAuth } from "./better-auth.ts"
import { readCsv } from "./csv.ts"
import { jsonElements, jsonLines } from "./json-file.ts"
import { keycloakClient, keycloakUser } from "./keycloak.rules.ts"
import type { Moved } from "./moved.rules.ts"
import { NotTheFile } from "./not-the-file.ts"
import { auth0User, hydraClient, kratosIdentity } from "./other-sources.rules.ts"

export type Source = (pieces: AsyncIterable<string>) => AsyncIterable<Moved>

export const sources = {
  keycloak: lists({ users: keycloakUser, clients: keycloakClient }),
  hydra: lists({ "": hydraClient, items: hydraClient }),
  kratos: lists({ "": kratosIdentity, identities: kratosIdentity }),
  auth0: readAuth0,
  "better-auth": readBetterAuth,
  csv: readCsv,
} as const satisfies Record<string, Source>

export type SourceName = keyof typeof sources

function lists(parsers: Readonly<Record<string, (value: JsonObject) => Moved>>): Source {
  const known = new Map(Object.entries(parsers))
  return async function* (pieces) {
    for await (const { list, value } of jsonElements(pieces, [...known.keys()])) {
      const parse = known.get(list)
      if (parse !== undefined) yield parse(value)
    }
  }
}

async function* readAuth0(pieces: AsyncIterable<string>): AsyncGenerator<Moved> {
  let isEmpty = true
  for await (const { value, number } of jsonLines(pieces)) {
    if (!(value instanceof Map)) throw new NotTheFile(`line ${number} is not an object`)
    isEmpty = false
    yield auth0User(value)
  }
  if (isEmpty) throw new NotTheFile("it is empty")
}

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
