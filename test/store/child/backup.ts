/** Makes backups one after the other. Prints the name of each finished backup. */
import { writeSync } from "node:fs"
import { openSqlite } from "../../../src/store/sqlite/sqlite-store.ts"

const [file = "", target = ""] = process.argv.slice(2)
const store = openSqlite(file)
writeSync(1, "begins\n")
for (let number = 0; ; number++) {
  await store.backup(`${target}-${number}`)
  writeSync(1, `${number}\n`)
}
