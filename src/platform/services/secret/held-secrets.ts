/**
 * Where a process finds the service secrets: `LATCHKEY_SECRET_KEY`, or else `DIR/secret.key`; and beside it the one that
 * will replace it, `LATCHKEY_SECRET_KEY_NEW` or `DIR/secret.key.next`.
 */
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { checkedSecret, hasServiceSecret, readServiceSecret } from "../../../kernel/keys.ts"
import { variableName } from "../../../kernel/process/variable-name.ts"
import { KeyRing } from "./key-ring.ts"

type Environment = Readonly<Record<string, string | undefined>>

export const NEXT_VARIABLE = "LATCHKEY_SECRET_KEY_NEW"

/** Returns null if the secrets come from the environment. */
export function secretFiles(
  dataDir: string,
  env: Environment = process.env,
): { readonly current: string; readonly next: string } | null {
  if ((env["LATCHKEY_SECRET_KEY"] ?? "") !== "") return null
  const current = join(dataDir, "secret.key")
  return { current, next: `${current}.next` }
}

export function hasSecret(dataDir: string, env: Environment = process.env): boolean {
  const files = secretFiles(dataDir, env)
  return hasServiceSecret(dataDir, env["LATCHKEY_SECRET_KEY"]) || (files !== null && existsSync(files.next))
}

/** Reads every secret of this process. The first start creates `secret.key`. */
export async function readKeyRing(dataDir: string, env: Environment = process.env): Promise<KeyRing> {
  const next = await readNextSecret(dataDir, env)
  const files = secretFiles(dataDir, env)
  // After a lost `secret.key`, the next secret alone may fit.
  if (next !== null && files !== null && !existsSync(files.current)) return new KeyRing([next])
  const ring = new KeyRing([readServiceSecret(dataDir, env["LATCHKEY_SECRET_KEY"])])
  if (next !== null) ring.hold(next)
  return ring
}

/** Returns the secret that will replace the present one, or null. Throws if it is too short. */
export async function readNextSecret(
  dataDir: string,
  env: Environment = process.env,
): Promise<Buffer | null> {
  const given = (env[NEXT_VARIABLE] ?? "").trim()
  if (given !== "") return checkedSecret(given, variableName(NEXT_VARIABLE))
  const files = secretFiles(dataDir, env)
  if (files === null) return null
  try {
    return checkedSecret((await readFile(files.next, "utf8")).trim(), files.next)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null
    throw error
  }
}
