/** What follows `--icon`: a picture's file, or `none`. */
import { readFile, stat } from "node:fs/promises"
import type { Icon } from "../../records/client.rules.ts"
import { ICON_BYTES_AT_MOST } from "../../kernel/limits.ts"
import { declined, done, type Outcome } from "../../kernel/outcome.ts"
import { drawIcon } from "./icon.ts"

export const iconSummary = "a PNG, JPEG, WebP or GIF picture, shown while the app is verified"

/** The picture in `file` as an icon; null where the flag was not given. Declines what is none, with its name. */
export async function iconIn(file: string | null): Promise<Outcome<Icon | null>> {
  if (file === null) return done(null)
  const bytes = await bytesIn(file)
  if (!bytes.ok) return declined(`The icon ${file} cannot be used: ${bytes.problem}`)
  const icon = await drawIcon(bytes.value)
  return icon.ok ? icon : declined(`The icon ${file} cannot be used. ${icon.problem}`)
}

/** As `iconIn`; "none" takes the icon away. A file of that name is ./none. */
export async function iconOrNone(value: string | null): Promise<Outcome<Icon | "none" | null>> {
  return value === "none" ? done("none") : iconIn(value)
}

async function bytesIn(file: string): Promise<Outcome<Uint8Array>> {
  try {
    const found = await stat(file)
    if (!found.isFile()) return declined("it is no file.")
    if (found.size > ICON_BYTES_AT_MOST) return declined(`it has more than ${ICON_BYTES_AT_MOST / 1024} KiB.`)
    return done(await readFile(file))
  } catch (error) {
    return declined(why(error))
  }
}

function why(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === "ENOENT") return "there is no such file."
  return code === "EACCES" ? "it may not be read." : message
}
