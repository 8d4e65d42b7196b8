/** Detects a lack of file descriptors in the process (EMFILE) or the machine (ENFILE), which is temporary. */

const CODES: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE"])

/** If Node's module loader cannot open a `package.json`, only the message of the error gives the cause. */
const OF_LOADER = /too many open files/
const LOADER_CODE = "ERR_INVALID_PACKAGE_CONFIG"

/** Whether a lack of file descriptors is the cause of an error. */
export function isOutOfFiles(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = "code" in error ? error.code : undefined
  return (
    CODES.has(code) || (code === LOADER_CODE && OF_LOADER.test(error.message)) || isOutOfFiles(error.cause)
  )
}
