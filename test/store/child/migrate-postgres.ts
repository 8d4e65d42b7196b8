/** Migrates a PostgreSQL database with steps that take some time. */
import type { Connection } from "../../../src/store/postgres/driver/connection.ts"
import { migrate } from "../../../src/store/postgres/migrate.ts"
import { openConnection } from "../../support/open-connection.ts"
import { ConnectionLost } from "../../../src/store/postgres/driver/postgres-error.ts"
import { slowSchema } from "../postgres/migrations/slow-steps.ts"

/** Connections of requests do not wait long, and several of these processes start at once. */
const TRIES = 20

const [url = ""] = process.argv.slice(2)
const connection = await connected()
process.stdout.write("begins\n")
await migrate(connection, slowSchema)
await connection.end()

async function connected(): Promise<Connection> {
  for (let tries = 1; ; tries++) {
    try {
      return await openConnection(url)
    } catch (error) {
      if (tries === TRIES || !(error instanceof ConnectionLost)) throw error
    }
  }
}
