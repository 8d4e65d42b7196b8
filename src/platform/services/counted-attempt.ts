/** Attempts that a rate limit counts before their check, so that parallel guesses count too. */
import type { SpentAll } from "../../store/limits.ts"

type Counted = Pick<Extract<SpentAll, { admitted: true }>, "giveBack">

/**
 * Runs the check of a counted attempt. If it fails, the queue of password hashes is full or the database is unavailable.
 * The response then is 503 and says nothing about the guess, so the attempt is given back.
 */
export async function checkCounted<T>(spent: Counted, check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (problem) {
    await giveBackQuietly(spent)
    throw problem
  }
}

/** The database that counts may be the one that failed. The window then ends by itself. */
async function giveBackQuietly(spent: Counted): Promise<void> {
  try {
    await spent.giveBack()
  } catch {
    return
  }
}
