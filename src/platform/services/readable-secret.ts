/** Warns of a service secret that other users of the machine can read. */
import { statSync } from "node:fs"
import { join } from "node:path"
import type { Log } from "../../kernel/log.ts"

/** A copy or a restore may leave the file of the secret readable for other users. */
export function warnOfReadableSecret(dataDir: string, givenSecret: string | undefined, log: Log): void {
  if (givenSecret !== undefined && givenSecret !== "") return
  const file = join(dataDir, "secret.key")
  const { mode, uid } = statSync(file)
  if (process.platform === "win32" || (mode & 0o077) === 0) return
  log.warn(
    { file, owner: uid, mode: (mode & 0o777).toString(8) },
    `other users of this machine can read the service secret: chmod 600 ${file}`,
  )
}
