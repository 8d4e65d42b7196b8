/**
 * Runs one batch of changes. It reads all rows together, decides the changes one after the other, and writes everything
 * together. See `change-queue.ts`.
 */
import type { Change, Decided } from "../../../model/change.rules.ts"
import type { Credential, Life } from "../../../model/credential.rules.ts"
import type { DeviceGrant } from "../../../model/device-grant.rules.ts"
import type { Event } from "../../../model/event.rules.ts"
import { invalidationOf } from "../../../model/invalidation.rules.ts"
import type { Found, Load } from "../../loadable.ts"
import type { Waiting } from "./change-queue.ts"
import type { Connection } from "../driver/connection.ts"
import type { Database } from "../driver/database.ts"
import { type GuardedIssue, issueGuarded } from "./guarded-issue.ts"
import { type GuardedRedemption, redeemGuarded } from "./guarded-redemption.ts"
import { type GuardedLife, writeGuarded } from "./guarded-write.ts"
import { type Loaded, loadView } from "../statements/load.ts"
import { type Locks, locksFor } from "../locking/locks.ts"
import { asStoreError, isUnavailable } from "../driver/postgres-error.ts"

/**
 * Changes that must be decided again. The batch skipped those in `lost`. Those in `single` need a transaction of their
 * own.
 */
export type Undone = {
  readonly lost: readonly Waiting[]
  /** Each change with the locks that it needs. The value is null if they are unknown. */
  readonly single: readonly (readonly [Waiting, Locks | null])[]
  /** The number of changes that the batch committed. */
  readonly written: number
}

/** The callers whose answers depend on one written row. */
type Answers = { readonly answers: [Waiting, unknown][] }

/** Answers the changes of a batch. Returns those that must be decided again. Never throws. */
export async function runBatch(database: Database, together: readonly Waiting[]): Promise<Undone> {
  const batch = new Batch()
  try {
    await database.use("read", async (connection) => {
      const loaded = await loadView(
        connection,
        together.map(({ load }) => load),
      )
      for (const waiting of together) batch.decide(waiting, loaded)
      database.tableLock.refuse("write")
      await batch.write(connection)
    })
  } catch (error) {
    return batch.fail(error, together)
  }
  return batch
}

class Batch implements Undone {
  readonly lost: Waiting[] = []
  readonly single: [Waiting, Locks][] = []
  written = 0
  /** The credentials that the batch changes, by token id. */
  readonly #chains = new Map<string, GuardedLife & Answers>()
  /** The grants that the batch redeems, by grant id. */
  readonly #redemptions = new Map<string, GuardedRedemption & Answers>()
  /** The access tokens of service accounts that the batch stores, by digest. */
  readonly #issued = new Map<string, GuardedIssue & Answers>()
  readonly #answered = new Set<Waiting>()

  decide(waiting: Waiting, loaded: Loaded): void {
    const { load } = waiting
    const chain = this.#chains.get(load.credential ?? "")
    let found: Found<Load>
    let decided: Decided<unknown>
    try {
      found = loaded.found(load, chain?.credential)
      decided = waiting.decide(found as never)
    } catch (error) {
      this.#answered.add(waiting)
      waiting.reject(error)
      return
    }
    if (decided.changes.length > 0) {
      const before = found.credential ?? null
      if (before !== null && this.#joins(waiting, before, loaded, decided)) return
      if (found.deviceGrant && this.#redeems(waiting, found.deviceGrant, decided)) return
      if (found.boundCredential && this.#issues(waiting, loaded, decided)) return
      this.single.push([waiting, locksFor(load, found, decided.changes)])
    } else if (chain !== undefined) {
      // This rule has read a write that is not committed yet. Its answer therefore waits for the commit.
      chain.answers.push([waiting, decided.answer])
    } else {
      this.#answered.add(waiting)
      waiting.resolve(decided.answer)
    }
  }

  /** Adds a change of the credential `before` to the batch. Returns false if the change does not fit. */
  #joins(
    waiting: Waiting,
    before: Credential,
    loaded: Loaded,
    { answer, changes }: Decided<unknown>,
  ): boolean {
    const { tokenId } = before.consent
    const fitting = fits(changes, tokenId)
    if (fitting === null) return false
    const { life, events } = fitting
    const chain = this.#chains.get(tokenId) ?? {
      credential: before,
      version: loaded.versionOf(tokenId),
      events: [],
      answers: [],
    }
    // Consent and code keep their stored values, whatever the rule returns.
    chain.credential = { ...before, life }
    chain.events.push(...events)
    chain.answers.push([waiting, answer])
    this.#chains.set(tokenId, chain)
    return true
  }

  /** Adds the redemption of `grant` to the batch. Returns false if the change does not fit. */
  #redeems(waiting: Waiting, grant: DeviceGrant, { answer, changes }: Decided<unknown>): boolean {
    const redemption = redemptionOf(changes, grant)
    if (redemption === null) return false
    const { grantId } = grant.request
    // The second redemption of a grant is decided again. It then finds that the grant is redeemed.
    if (this.#redemptions.has(grantId)) this.lost.push(waiting)
    else this.#redemptions.set(grantId, { ...redemption, answers: [[waiting, answer]] })
    return true
  }

  /** Adds an access token of a service account to the batch. Returns false if the change does not fit. */
  #issues(waiting: Waiting, loaded: Loaded, { answer, changes }: Decided<unknown>): boolean {
    const { boundCredential } = waiting.load
    const [added, ...more] = changes
    if (boundCredential === null || boundCredential === undefined) return false
    if (added?.change !== "serviceTokenAdded" || more.length > 0) return false
    const version = loaded.versionOfBound(boundCredential)
    this.#issued.set(added.token.hash, { token: added.token, version, answers: [[waiting, answer]] })
    return true
  }

  /** Writes the batch with one statement for each kind of change. Answers the callers that depend on it. */
  async write(connection: Connection): Promise<void> {
    const settled = await Promise.allSettled([
      this.#send(this.#chains, (all) => writeGuarded(connection, all)),
      this.#send(this.#redemptions, (all) => redeemGuarded(connection, all)),
      this.#send(this.#issued, (all) => issueGuarded(connection, all)),
    ])
    for (const one of settled) if (one.status === "rejected") throw one.reason
  }

  /** `write` returns the keys of the rows that were written. */
  async #send<Row extends Answers>(
    rows: ReadonlyMap<string, Row>,
    write: (all: readonly Row[]) => Promise<ReadonlySet<string>>,
  ): Promise<void> {
    if (rows.size === 0) return
    const written = await write([...rows.values()])
    for (const [key, { answers }] of rows)
      for (const [waiting, answer] of answers) this.#tell(waiting, answer, written.has(key))
  }

  #tell(waiting: Waiting, answer: unknown, isWritten: boolean): void {
    if (!isWritten) {
      this.lost.push(waiting)
      return
    }
    this.written++
    this.#answered.add(waiting)
    waiting.resolve(answer)
  }

  /**
   * Handles a failed batch. If the database is unavailable, every unanswered caller is rejected, because its write may
   * have happened. After any other error, no unanswered change was written. Each of them then runs alone, to find the
   * one that fails.
   */
  fail(error: unknown, together: readonly Waiting[]): Undone {
    const open = together.filter((waiting) => !this.#answered.has(waiting))
    const { written } = this
    if (!isUnavailable(error)) return { lost: [], single: open.map((waiting) => [waiting, null]), written }
    const reason = asStoreError(error)
    for (const { reject } of open) reject(reason)
    return { lost: [], single: [], written }
  }
}

/** Returns the new life and the events. Returns null if a change writes anything else or notifies resource servers. */
function fits(
  changes: readonly Change[],
  tokenId: string,
): { readonly life: Life; readonly events: readonly Event[] } | null {
  let life: Life | null = null
  const events: Event[] = []
  for (const change of changes) {
    if (change.change === "eventRecorded") events.push(change.event)
    else if (change.change !== "credentialChanged" || change.credential.consent.tokenId !== tokenId)
      return null
    else if (invalidationOf(change) !== null) return null
    else life = change.credential.life
  }
  return life === null ? null : { life, events }
}

/** Returns the credential and its events if the change writes only the redemption. Otherwise returns null. */
function redemptionOf(
  changes: readonly Change[],
  { request, answer }: DeviceGrant,
): GuardedRedemption | null {
  let grant: DeviceGrant | null = null
  let credential: Credential | null = null
  const events: Event[] = []
  for (const change of changes) {
    if (change.change === "eventRecorded") events.push(change.event)
    else if (change.change === "deviceGrantChanged" && grant === null) ({ grant } = change)
    else if (change.change === "credentialAdded" && credential === null) ({ credential } = change)
    else return null
  }
  if (grant?.answer.state !== "redeemed" || credential === null || answer.state !== "approved") return null
  const { userId, clientId } = credential.consent
  const isOfGrant =
    grant.request.grantId === request.grantId && clientId === request.clientId && userId === answer.userId
  if (!isOfGrant) return null
  return { grantId: request.grantId, redeemedAt: grant.answer.redeemedAt, credential, events }
}
