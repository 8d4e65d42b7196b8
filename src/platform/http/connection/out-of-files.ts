/** File descriptors are used up in the process (EMFILE) or on the machine (ENFILE). This is temporary. */

const CODES: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE"])

/** If Node's module loader cannot open a `package.json`, only the message of its error names the cause. */
const OF_LOADER = /too many open files/
const LOADER_CODE = "ERR_INVALID_PACKAGE_CONFIG"

/** Whether an error was caused by a lack of file descriptors. */
export function isOutOfFiles(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = "code" in error ? error.code : undefined
  return (
    CODES.has(code) || (code === LOADER_CODE && OF_LOADER.test(error.message)) || isOutOfFiles(error.cause)
  )
}
