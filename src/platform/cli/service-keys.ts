/** The keys of the service, for a command that seals or signs. */
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { checkServiceSecret, refuseNewSecret } from "../services/secret/check-secret.ts"
import { hasSecret, readKeyRing } from "../services/secret/held-secrets.ts"
import type { KeyRing } from "../services/secret/key-ring.ts"
import type { Opened } from "./open.ts"

export async function keysOf({ store, dataDir }: Opened): Promise<Result<KeyRing, Problem>> {
  try {
    if (!hasSecret(dataDir)) await refuseNewSecret(store)
    const keys = await readKeyRing(dataDir)
    await checkServiceSecret(store, keys)
    return ok(keys)
  } catch (error) {
    return err((error as Error).message)
  }
}
