/** The keys of the service, for a command that seals or signs. */
import { deriveKeys, hasServiceSecret, type Keys, readServiceSecret } from "../../kernel/keys.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { checkServiceSecret, refuseNewSecret } from "../services/check-secret.ts"
import type { Opened } from "./open.ts"

export async function keysOf({ store, dataDir }: Opened): Promise<Result<Keys, Problem>> {
  const given = process.env["LATCHKEY_SECRET_KEY"]
  try {
    if (!hasServiceSecret(dataDir, given)) await refuseNewSecret(store)
    const keys = deriveKeys(readServiceSecret(dataDir, given))
    await checkServiceSecret(store, keys)
    return ok(keys)
  } catch (error) {
    return err((error as Error).message)
  }
}
