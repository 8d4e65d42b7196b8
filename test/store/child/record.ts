/** Records events without end, several with each change. Prints the number of each change after its answer. */
import { decided, type Change } from "../../../src/model/change.rules.ts"
import { event } from "../../../src/model/event.rules.ts"
import { openSqlite } from "../../../src/store/sqlite/sqlite-store.ts"
import { NOW } from "../samples.ts"

const [file = "", from = "0"] = process.argv.slice(2)
const AT_ONCE = 150
const CHANGES_AT_ONCE = 8

const store = openSqlite(file)
let next = Number(from)

async function record(): Promise<void> {
  const numbers = Array.from({ length: AT_ONCE }, () => next++)
  const changes = numbers.map((number): Change => ({
    change: "eventRecorded",
    event: event("signed-in", NOW + number, { detail: String(number) }),
  }))
  await store.change({}, () => decided(null, ...changes))
  console.log(numbers.join(" "))
}

await Promise.all(
  Array.from({ length: CHANGES_AT_ONCE }, async () => {
    while (next < Number.MAX_SAFE_INTEGER) await record()
  }),
)
