/**
 * Adds accounts and increments a counter, many at once. Prints each number after its answer. If a last number is given,
 * it then waits to be killed.
 */
import { COUNTER, counted, counterOf } from "../counter.ts"
import { writeSync } from "node:fs"
import { decided } from "../../../src/model/change.rules.ts"
import { openSqlite } from "../../../src/store/sqlite/sqlite-store.ts"
import { account } from "../samples.ts"

const [file = "", first = "0", writers = "16", end = "Infinity"] = process.argv.slice(2)
const store = openSqlite(file)
let number = Number(first)

async function write(): Promise<void> {
  while (number < Number(end)) {
    const mine = number++
    await store.change({ setting: COUNTER }, ({ setting }) =>
      decided(
        null,
        { change: "settingSet", key: COUNTER, value: counted(counterOf(setting) + 1) },
        { change: "accountAdded", account: account(mine) },
      ),
    )
    writeSync(1, `${mine}\n`)
  }
}

try {
  await Promise.all(Array.from({ length: Number(writers) }, write))
  setInterval(() => {}, 60_000)
} catch (error) {
  writeSync(1, `${error instanceof Error ? error.name : "unknown"}\n`)
  const counter = counterOf((await store.read({ setting: COUNTER })).setting)
  writeSync(1, `still reads ${counter}\n`)
}
