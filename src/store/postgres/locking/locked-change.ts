/**
 * Runs a change alone. The rule first decides without locks, which shows what it writes. A transaction then takes the
 * locks of `locks.ts`, reads, decides again, writes and commits. The change starts again if the second decision needs
 * more locks or another transaction interfered.
 */
import type { Change, Decided } from "../../../model/change.rules.ts"
import type { Credential } from "../../../model/credential.rules.ts"
import type { Found, Load } from "../../loadable.ts"
import { StoreUnavailable } from "../../unavailable.ts"
import { applyAll } from "../statements/apply.ts"
import type { Connection } from "../driver/connection.ts"
import { type Database, LOCK_TRIES } from "../driver/database.ts"
import { invalidate } from "../statements/invalidate.ts"
import { loadTogether, loadView } from "../statements/load.ts"
import { Locks, locksFor } from "./locks.ts"
import { asStoreError, isDeadlock, isLockTimeout, isWorthAnotherTry } from "../driver/postgres-error.ts"

/**
 * The maximum number of attempts of a change, by the kind of its last error: a conflict on a row, a deadlock, or a lock
 * timeout.
 */
const TRIES = { row: 4, ring: 8, lock: LOCK_TRIES } as const

/** The maximum number of attempts of a change that needs more locks. */
const PLANS_AT_MOST = 8

type Rule = { readonly load: Load; readonly decide: (found: never) => Decided<unknown> }

/**
 * Returns the rule's answer after the commit. `known` has the locks of an earlier decision. Waits for `letOthersPass`
 * after each lock timeout. Throws the errors of the rule, or `StoreUnavailable`.
 */
export async function changeLocked(
  database: Database,
  rule: Rule,
  known: Locks | null,
  letOthersPass: (locks: Locks) => Promise<void>,
): Promise<Decided<unknown>> {
  let locks: Locks
  try {
    const first = known === null ? await lookFirst(database, rule) : null
    if (first !== null && first.decided.changes.length === 0) return first.decided
    locks = known ?? first?.locks ?? new Locks()
  } catch (error) {
    throw asStoreError(error)
  }
  for (let tries = 1; ; tries++) {
    try {
      const decided = await tryOnce(database, rule, locks)
      if (decided !== null) return decided
      if (tries > PLANS_AT_MOST) throw new StoreUnavailable("too many concurrent changes to the same rows")
    } catch (error) {
      if (tries >= triesAfter(error)) throw asStoreError(error)
      if (isLockTimeout(error)) await letOthersPass(locks)
    }
  }
}

function triesAfter(error: unknown): number {
  if (isDeadlock(error)) return TRIES.ring
  if (isLockTimeout(error)) return TRIES.lock
  return isWorthAnotherTry(error) ? TRIES.row : 0
}

/** Decides without locks. Returns the decision and the locks that the decision needs. */
async function lookFirst(database: Database, { load, decide }: Rule) {
  const look = async (connection: Connection) => (await loadView(connection, [load])).found(load)
  const found = Object.keys(load).length === 0 ? ({} as Found<Load>) : await database.use("read", look)
  const decided = decide(found as never)
  return { decided, locks: locksFor(load, found, decided.changes) }
}

/** Tries the change once. Returns null if the decision needs more locks, which are then added to `locks`. */
function tryOnce(database: Database, rule: Rule, locks: Locks): Promise<Decided<unknown> | null> {
  return database.use("write", (connection) =>
    connection.orRollBack(() => transaction(connection, rule, locks)),
  )
}

async function transaction(
  connection: Connection,
  { load, decide }: Rule,
  locks: Locks,
): Promise<Decided<unknown> | null> {
  // The statements run in order. The rows are therefore read under the locks.
  const [loaded] = await connection.together(() => {
    const begun = connection.query("BEGIN ISOLATION LEVEL READ COMMITTED", [])
    const held = locks.send(connection)
    return Promise.all([loadTogether(connection, [load]), begun, ...held])
  })
  const found = loaded.found(load)
  const decided = decide(found as never)
  if (decided.changes.length === 0) {
    await connection.rollBack()
    return decided
  }
  if (locks.add(locksFor(load, found, decided.changes))) {
    await connection.rollBack()
    return null
  }
  const before = await storedBefore(connection, found, decided.changes)
  await applyAll(connection, decided.changes, { load, found, before })
  await Promise.all([invalidate(connection, decided.changes), connection.commit()])
  return decided
}

/** Returns the stored state of the changed credentials. Usually there is only one, and the rule has loaded it. */
async function storedBefore(
  connection: Connection,
  found: Partial<Found<Load>>,
  changes: readonly Change[],
): Promise<ReadonlyMap<string, Credential>> {
  const before = new Map<string, Credential>()
  for (const credential of [found.credential, found.boundCredential])
    if (credential) before.set(credential.consent.tokenId, credential)
  for (const change of changes) {
    if (change.change !== "credentialChanged" || before.has(change.credential.consent.tokenId)) continue
    const load = { credential: change.credential.consent.tokenId }
    const { credential } = (await loadTogether(connection, [load])).found(load)
    if (credential !== null) before.set(load.credential, credential)
  }
  return before
}
