/** Reads the value of `--icon` or `--logo`: an image file. `--icon` also takes `none`. */
import { readFile, stat } from "node:fs/promises"
import type { Icon } from "../../model/clients/client.rules.ts"
import { ICON_BYTES_AT_MOST } from "../../kernel/limits.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { drawIcon } from "./icon.ts"
import type { PictureKind } from "./picture.ts"

export const iconSummary = "a PNG, JPEG, WebP or GIF picture, shown while the app is verified"

/** Reads `file` as an icon or a logo. Returns null if the flag is missing. Errors name the file. */
export async function iconIn(
  file: string | null,
  kind: PictureKind = "icon",
): Promise<Result<Icon | null, Problem>> {
  if (file === null) return ok(null)
  const what = kind === "icon" ? "icon" : "logo"
  const bytes = await bytesIn(file)
  if (!bytes.ok) return err(`The ${what} ${file} cannot be used: ${bytes.error}`)
  const icon = await drawIcon(bytes.value, kind)
  return icon.ok ? icon : err(`The ${what} ${file} cannot be used. ${icon.error}`)
}

/** Reads `--icon`. The value `none` removes the icon. `./none` names a file. */
export async function iconOrNone(value: string | null): Promise<Result<Icon | "none" | null, Problem>> {
  return value === "none" ? ok("none") : iconIn(value)
}

async function bytesIn(file: string): Promise<Result<Uint8Array, Problem>> {
  try {
    const found = await stat(file)
    if (!found.isFile()) return err("it is no file.")
    if (found.size > ICON_BYTES_AT_MOST) return err(`it has more than ${ICON_BYTES_AT_MOST / 1024} KiB.`)
    return ok(await readFile(file))
  } catch (error) {
    return err(why(error))
  }
}

function why(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === "ENOENT") return "there is no such file."
  return code === "EACCES" ? "it may not be read." : message
}
