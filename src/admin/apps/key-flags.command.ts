/** The flags that give an app keys in place of a secret. */
import { readFile, stat } from "node:fs/promises"
import { parseJson } from "../../kernel/json.ts"
import { KEY_SET_BYTES_AT_MOST } from "../../kernel/limits.ts"
import { type Problem, type Result, err } from "../../kernel/result.ts"
import type { ClientKeys } from "../../model/clients/client.rules.ts"
import { parseClientKeys } from "../../model/clients/key-set.rules.ts"

export const keyFlags = {
  jwks: { value: "FILE", summary: "the app's public keys, as a JWK set" },
  "jwks-uri": { value: "URL", summary: "where the app publishes its public keys" },
} as const

/** Reads the keys from the flags. Returns null if no flag is set. */
export async function keysIn(flags: {
  readonly jwks: string | null
  readonly "jwks-uri": string | null
}): Promise<Result<ClientKeys | null, Problem>> {
  const text = flags.jwks === null ? null : await textIn(flags.jwks)
  if (text instanceof Error) return err(`The keys ${flags.jwks} cannot be used: ${text.message}`)
  return parseClientKeys({
    jwks: text === null ? undefined : (parseJson(text) ?? null),
    jwksUri: flags["jwks-uri"] ?? undefined,
  })
}

async function textIn(file: string): Promise<string | Error> {
  try {
    const { size } = await stat(file)
    if (size > KEY_SET_BYTES_AT_MOST)
      return new Error(`the file has more than ${KEY_SET_BYTES_AT_MOST / 1024} KiB.`)
    return await readFile(file, "utf8")
  } catch (error) {
    return error as Error
  }
}
