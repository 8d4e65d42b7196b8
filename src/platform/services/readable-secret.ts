/** Warns of a service secret that other users of the machine can read. */
import { statSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Log } from "../../kernel/log.ts"

/** Container engines mount secrets here, with a mode of their own, for the container alone. */
const MOUNTED = "/run/secrets/"

/** A copy or a restore may leave the file of the secret readable for other users. */
export function warnOfReadableSecret(
  dataDir: string,
  givenSecret: string | undefined,
  log: Log,
  givenFile: string | undefined = process.env["LATCHKEY_SECRET_KEY_FILE"],
): void {
  const file = secretFile(dataDir, givenSecret, givenFile)
  if (file === null || process.platform === "win32") return
  const { mode, uid } = statSync(file)
  if ((mode & 0o077) === 0) return
  log.warn(
    { file, owner: uid, mode: (mode & 0o777).toString(8) },
    `other users of this machine can read the service secret: chmod 600 ${file}`,
  )
}

/** Returns null if the secret is in no file that this process should judge. */
function secretFile(
  dataDir: string,
  givenSecret: string | undefined,
  givenFile: string | undefined,
): string | null {
  if (givenFile !== undefined && givenFile !== "")
    return resolve(givenFile).startsWith(MOUNTED) ? null : givenFile
  return givenSecret === undefined || givenSecret === "" ? join(dataDir, "secret.key") : null
}
