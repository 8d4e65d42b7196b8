/** Migrates a database with steps that take some time. */
import { connect } from "../../../src/store/sqlite/engine/connection.ts"
import { migrate } from "../../../src/store/sqlite/migrate.ts"
import { slowSchema } from "../sqlite/migrations/slow-steps.ts"

const [file = ""] = process.argv.slice(2)
const connection = connect(file)
process.stdout.write("begins\n")
migrate(connection, slowSchema)
connection.close()
