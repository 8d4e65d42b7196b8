/** Migrates a database at an address through steps that take a while. */
import { migrate } from "../../../src/store/postgres/migrate.ts"
import { openConnection } from "../../../src/store/postgres/open-database.ts"
import { slowSteps } from "../slow-postgres-steps.ts"

const [url = ""] = process.argv.slice(2)
const connection = await openConnection(url)
process.stdout.write("begins\n")
await migrate(connection, slowSteps)
await connection.end()
