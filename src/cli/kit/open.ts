/** Opens the database for one command. The commands run beside a server, which sees their changes at once. */
import { type Config, type ConfigSource, readConfig } from "../../config/config.ts"
import { databaseName, isAbsent, openStore } from "../../config/open-store.ts"
import { type Store, StoreUnavailable } from "../../store/store.ts"
import { type Clock, systemClock } from "../../kernel/clock.ts"
import { type Answer, refused } from "./command.ts"
import { program } from "./program.ts"

export type Opened = {
  readonly store: Store
  readonly clock: Clock
  readonly catalogue: Config["catalogue"]
  readonly dataDir: string
}

/** What a command does where there is no database yet. */
export type Absent = "make" | "refuse"

/** Runs `use` on the database of `globals` and closes it. The audit trail says "no address" for the command line. */
export async function withStore(
  globals: ConfigSource,
  absent: Absent,
  use: (opened: Opened) => Promise<Answer>,
): Promise<Answer> {
  const config = await readConfig(globals)
  if (!config.ok) return refused(...config.error)
  const { dataDir, catalogue } = config.value
  const isNew = isAbsent(config.value)
  if (isNew && absent === "refuse")
    return refused(
      `There is no database in ${dataDir}. Start the service once (${program} serve), or name its directory with --data.`,
    )
  let store: Store
  const name = await databaseName(config.value)
  try {
    store = await openStore(config.value, { mayMake: absent === "make" })
  } catch (error) {
    const why = (error as Error).message
    // Of a server the message itself says which.
    return refused(
      config.value.databaseUrl === null
        ? `The database ${name} cannot be opened: ${why}`
        : `${capital(why)}.`,
    )
  }
  try {
    const answer = await use({ store, clock: systemClock, catalogue, dataDir })
    // Whoever is in the wrong directory would not notice otherwise.
    return isNew ? { ...answer, remarks: [`Made a new database in ${dataDir}.`, ...answer.remarks] } : answer
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ""
    return refused(
      `The database ${name} cannot answer now${cause}. Nothing is known to have changed; try again.`,
    )
  } finally {
    await store.close()
  }
}

/** The command line acts as an administrator, from no network address. */
export const fromHere = { address: null } as const

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
