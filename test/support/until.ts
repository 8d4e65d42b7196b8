/** Waits for a condition, for a bounded time. */

const PATIENCE_MILLISECONDS = 15_000
const LOOK_MILLISECONDS = 5

/** Checks until the condition holds. Returns how many milliseconds that took. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  patience = PATIENCE_MILLISECONDS,
): Promise<number> {
  const begun = performance.now()
  while (!(await isSo())) {
    if (performance.now() - begun > patience) throw new Error(`not within ${patience} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS))
  }
  return performance.now() - begun
}
