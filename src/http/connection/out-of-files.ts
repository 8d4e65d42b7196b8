/** No descriptor left, of this process (EMFILE) or of the machine (ENFILE): nothing is broken, and it passes. */

const CODES: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE"])

/** Node's loader tells of a `package.json` that it could not open in words alone. */
const OF_LOADER = /too many open files/
const LOADER_CODE = "ERR_INVALID_PACKAGE_CONFIG"

/** Whether this is why something could not be opened, loaded or started. */
export function isOutOfFiles(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = "code" in error ? error.code : undefined
  return (
    CODES.has(code) || (code === LOADER_CODE && OF_LOADER.test(error.message)) || isOutOfFiles(error.cause)
  )
}
