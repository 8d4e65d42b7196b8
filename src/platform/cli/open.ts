/** Opens the database for one command. A running server sees the changes of the command immediately. */
import { withPeriod } from "../../kernel/words.ts"
import { type Config, type ConfigSource, readConfig } from "../config/config.ts"
import { databaseName, isAbsent, openStore } from "../config/open-store.ts"
import { noticingStore } from "../mail/noticing-store.ts"
import type { SchemaOptions } from "../../store/schema-steps.ts"
import type { Store } from "../../store/store.ts"
import { catalogInForce, readSettings } from "../../model/setting.rules.ts"
import { StoreUnavailable } from "../../store/unavailable.ts"
import { fileProblem } from "../../kernel/process/file-problem.ts"
import { type Clock, systemClock } from "../../kernel/clock.ts"
import { type Answer, refused } from "./command.ts"
import { program } from "./program.ts"

export type Opened = Pick<Config, "catalog" | "dataDir" | "outgoing" | "providers" | "mail" | "languages"> & {
  readonly store: Store
  readonly clock: Clock
}

export type IfAbsent = "create" | "refuse"

export async function withStore(
  globals: ConfigSource,
  ifAbsent: IfAbsent,
  use: (opened: Opened) => Promise<Answer>,
  schema: Pick<SchemaOptions, "mayMigrate" | "migrated"> = {},
): Promise<Answer> {
  const config = await readConfig(globals)
  if (!config.ok) return refused(...config.error)
  const { dataDir, mail } = config.value
  const isNew = isAbsent(config.value)
  if (isNew && ifAbsent === "refuse") return noDatabase(dataDir)
  let store: Store
  const name = await databaseName(config.value)
  try {
    store = await openStore(config.value, { ...schema, mayMake: ifAbsent === "create" })
    // A running server sends the notices of this command.
    if (mail !== null) store = noticingStore(store, systemClock, () => undefined)
  } catch (error) {
    const why = (error as Error).message
    // PostgreSQL's own message names its server.
    return refused(
      config.value.databaseUrl === null
        ? withPeriod(`The database ${name} cannot be opened: ${why}`)
        : withPeriod(capital(why)),
    )
  }
  try {
    const answer = await use({
      ...config.value,
      catalog: await catalogOf(store, config.value),
      store,
      clock: systemClock,
    })
    // If the operator is in the wrong directory, this message shows that the command created a database there.
    return isNew
      ? { ...answer, remarks: [`Created a new database in ${dataDir}.`, ...answer.remarks] }
      : answer
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ""
    return refused(
      `The database ${name} does not answer${cause}. Nothing is known to have changed. Try again.`,
    )
  } finally {
    await store.close()
  }
}

async function catalogOf(store: Store, { catalog }: Config): Promise<Config["catalog"]> {
  return catalogInForce(catalog, readSettings(await store.settings(), catalog))
}

export function noDatabase(dataDir: string): Answer {
  // A database in a directory that this process may not search looks absent.
  const problem = fileProblem([dataDir])
  if (problem !== null) return refused(`The directory ${dataDir} cannot be used: ${problem}.`)
  return refused(
    `There is no database in ${dataDir}. Start the service once (${program} serve), or name its data directory with --data.`,
  )
}

/** The actor of changes by the command line. It has no IP address. */
export const fromCommandLine = { address: null } as const

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
