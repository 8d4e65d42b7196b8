/**
 * Decides on an import: one at a time, staged in small changes, switched on by the last one. MOVE-5.
 *
 * Staged rows belong to an import that has not finished, so no query of the service finds them. The importing process
 * shows in each change that it runs. If it stops, anyone may delete the rows.
 */
import {
  type Change,
  type Decided,
  decided,
  type StagedAccount,
  eventRecorded,
} from "../../model/change.rules.ts"
import type { Import, ImportedToken } from "../../model/moved/import.rules.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"

export const ALREADY_RUNNING =
  "Another import is running, or was interrupted a moment ago. Wait a quarter of a minute and try again."

export const TAKEN =
  "An id, a name or a token of the file was taken in the meantime. Nothing was imported. Run the command again."

export const LOST = "Another process has ended this import. Nothing was imported. Run the command again."

export function decideBegin(
  open: Import | null,
  begun: Pick<Import, "importId" | "source" | "sealedSecret">,
  now: number,
): Decided<Result<Import, Problem>> {
  if (open !== null) return decided<Result<Import, Problem>>(err(ALREADY_RUNNING))
  const created: Import = { ...begun, state: "staging", begunAt: now, seenAt: now }
  return decided<Result<Import, Problem>>(ok(created), { change: "importSet", import: created })
}

export type StagedRows = {
  readonly accounts: readonly StagedAccount[]
  readonly tokens: readonly ImportedToken[]
}

export function decideStaging(
  found: Import | null,
  { accounts, tokens }: StagedRows,
  now: number,
): Decided<Result<null, Problem>> {
  if (found?.state !== "staging") return decided<Result<null, Problem>>(err(LOST))
  const { importId } = found
  return decided<Result<null, Problem>>(
    ok(null),
    { change: "importSet", import: { ...found, seenAt: now } },
    ...accounts.map((staged): Change => ({ change: "accountStaged", staged, importId })),
    ...tokens.map((token): Change => ({ change: "importedTokenAdded", token })),
  )
}

/** Switches on everything that was staged. `detail` says what the import contains, for the audit trail. */
export function decideFinish(
  found: Import | null,
  changes: readonly Change[],
  detail: string,
  now: number,
): Decided<Result<null, Problem>> {
  if (found?.state !== "staging") return decided<Result<null, Problem>>(err(LOST))
  return decided<Result<null, Problem>>(
    ok(null),
    { change: "importSet", import: { ...found, state: "finished", seenAt: now } },
    ...changes,
    eventRecorded("imported", now, { detail }),
  )
}

/**
 * Marks an import as abandoned, so that its process may stage nothing more. `silent` is the row as it was judged. An
 * import that has shown since then that it runs stays. Null ends an import on behalf of its own process.
 */
export function decideAbandoning(found: Import | null, silent: Import | null): Decided<Import | null> {
  if (found === null || found.state === "finished") return decided<Import | null>(null)
  const hasShown = silent !== null && found.state === "staging" && found.seenAt !== silent.seenAt
  if (hasShown) return decided<Import | null>(null)
  const abandoned: Import = { ...found, state: "abandoned" }
  return decided<Import | null>(abandoned, { change: "importSet", import: abandoned })
}
