import { setTimeout as pause } from "node:timers/promises"
import type { Clock } from "../../kernel/clock.ts"
import { randomBytes } from "../../kernel/random.ts"
import { type Problem, type Result, err } from "../../kernel/result.ts"
import { type Change, decided } from "../../model/change.rules.ts"
import { type Import, IMPORT_SILENT_SECONDS, isLeftOver } from "../../model/moved/import.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import { StoreUnavailable } from "../../store/unavailable.ts"
import {
  decideAbandoning,
  decideBegin,
  decideFinish,
  decideStaging,
  type StagedRows,
  TAKEN,
} from "./staging.rules.ts"

type Needs = Pick<Services, "store" | "clock">

/** One change deletes this many rows. It takes a few milliseconds. */
const REMOVED_TOGETHER = 200

const PAUSE_MILLISECONDS = 10

export async function beginImport(
  services: Needs,
  source: string,
  sealedSecret: string | null,
): Promise<Result<Import, Problem>> {
  const { store, clock } = services
  await removeLeftover(services, (open) => isLeftOver(open, clock.now()))
  // The number is random, so that a process that was stopped cannot continue in a later import.
  const importId = randomBytes(6).readUIntBE(0, 6)
  const now = clock.now()
  return store.change({ openImport: true }, ({ openImport }) =>
    decideBegin(openImport, { importId, source, sealedSecret }, now),
  )
}

/** A row that another process added since the file was checked violates a key. The whole import then ends. */
export async function stage(
  { store, clock }: Needs,
  importId: number,
  rows: StagedRows,
): Promise<Result<null, Problem>> {
  const now = clock.now()
  try {
    return await store.change({ import: importId }, (found) => decideStaging(found.import, rows, now))
  } catch (error) {
    if (error instanceof StoreUnavailable || !(await isTaken(store, rows))) throw error
    return err(TAKEN)
  }
}

async function isTaken(store: Services["store"], { accounts, tokens }: StagedRows): Promise<boolean> {
  const taken = await store.taken(
    accounts.map(({ account }) => account.userId),
    accounts.map(({ account }) => account.usernameKey),
    tokens.map(({ hash }) => hash),
  )
  return taken.accounts.length + taken.tokens.length > 0
}

export function finishImport(
  { store, clock }: Needs,
  importId: number,
  changes: readonly Change[],
  detail: string,
): Promise<Result<null, Problem>> {
  const now = clock.now()
  return store.change({ import: importId }, (found) => decideFinish(found.import, changes, detail, now))
}

/** Deletes the rows of this import, which has failed. */
export async function abandonImport({ store }: Pick<Services, "store">, importId: number): Promise<void> {
  const abandoned = await store.change({ import: importId }, (found) => decideAbandoning(found.import, null))
  if (abandoned !== null) await removeRows(store, importId)
}

/** Deletes the rows of an import that was interrupted. Returns whether there was one. */
export async function removeLeftover(
  { store }: Pick<Services, "store">,
  isSilent: (open: Import) => boolean,
): Promise<boolean> {
  const { openImport } = await store.read({ openImport: true })
  if (openImport === null || !isSilent(openImport)) return false
  const { importId } = openImport
  const abandoned = await store.change({ import: importId }, (found) =>
    decideAbandoning(found.import, openImport),
  )
  if (abandoned === null) return false
  await removeRows(store, importId)
  return true
}

/**
 * Returns the function by which housekeeping sees that the process of an import has stopped. The row changes with each
 * step. Its time comes from the clock of another process, so only whether it changes counts, and the monotonic clock
 * measures for how long. The time that housekeeping trusts may be a year behind a clock that has jumped (MOVE-5).
 */
export function silenceWatch({ monotonic }: Pick<Clock, "monotonic">): (open: Import) => boolean {
  let last: Import | null = null
  let since = 0
  return (open) => {
    if (open.state === "abandoned") return true
    const isSame = last?.importId === open.importId && last.seenAt === open.seenAt
    if (!isSame) since = monotonic()
    last = open
    return monotonic() - since > IMPORT_SILENT_SECONDS * 1000
  }
}

async function removeRows(store: Services["store"], importId: number): Promise<void> {
  for (;;) {
    const { stagedRows } = await store.read({ stagedRows: importId })
    if ((stagedRows?.count ?? 0) === 0) break
    await store.change({}, () =>
      decided(null, { change: "stagedRemoved", importId, limit: REMOVED_TOGETHER }),
    )
    await pause(PAUSE_MILLISECONDS)
  }
  await store.change({}, () => decided(null, { change: "importRemoved", importId }))
}
