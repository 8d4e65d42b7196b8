/** The proof: whatever goes wrong around the service, its promises hold. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { within } from "../../test/support/spawn.ts"
import { Choice } from "../choice.ts"
import { type Attempt, type Figures, part, type Proof } from "../proof.ts"
import { databaseAway } from "./away.ts"
import { clocksApart, clockSet } from "./clock.ts"
import { damagedPage, damagedUnderService, emptiedFile } from "./damaged-file.ts"
import type { Fault } from "./fault.ts"
import { fullDiskAtStart } from "./full-disk-commands.ts"
import { fullDisk, noGrowth } from "./full-disk.ts"
import { killedBackup, restored } from "./killed-backup.ts"
import { killedMigration } from "./killed-migration.ts"
import { tornLog, tornLogServed } from "./torn-log.ts"
import { unwritable } from "./unwritable.ts"

export const everyFault: readonly Fault[] = [
  fullDisk,
  noGrowth,
  fullDiskAtStart,
  tornLog,
  tornLogServed,
  damagedPage,
  damagedUnderService,
  emptiedFile,
  unwritable,
  killedMigration,
  killedBackup,
  restored,
  clockSet,
  clocksApart,
  databaseAway,
]

export const faults: Proof = {
  name: "faults",
  promise:
    "Full disks, torn logs, damaged pages, kills, databases that go and clocks that jump lose nothing that was answered.",
  engines: ["sqlite", "postgres"],
  prove: async (attempt) => {
    const figures: Record<string, number | string> = {}
    for (const fault of everyFault.filter(({ engines }) => engines.includes(attempt.engine)))
      figures[fault.name] = await tried(attempt, fault, part(attempt, fault.times))
    return figures satisfies Figures
  },
}

/** Causes one fault. Returns how often, or why it was not possible. */
export async function tried(
  { seed, engine, work, say }: Omit<Attempt, "scale">,
  fault: Fault,
  times: number,
): Promise<number | string> {
  const missing = fault.missing()
  if (missing !== null) {
    say(`left out: ${fault.name}: ${missing}`)
    return missing
  }
  const directory = join(work, fault.name.replaceAll(" ", "-"))
  mkdirSync(directory, { mode: 0o700 })
  return within(async (span) => {
    try {
      return await fault.bringAbout({ engine, work: directory, span, choice: new Choice(seed), times, say })
    } catch (cause) {
      throw new Error(`${fault.name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    }
  })
}
