/** Tests the output of `verify` for a damaged database. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { databaseIn } from "../../support/database.ts"
import { addAccount } from "../../support/seed.ts"
import { latchkey, newDirectory } from "../../support/spawn.ts"

test("verify lists what fails and ends with 1", async (t) => {
  const dir = newDirectory(t)
  await addAccount(dir, "ada")
  await (await databaseIn(dir)).rows("UPDATE account SET password_hash = 'secret'")

  const asJson = await latchkey(["verify", "--data", dir, "--json"])
  assert.equal(asJson.code, 1)
  const problems = JSON.parse(asJson.stdout) as { table: string; key: string; problem: string }[]
  assert.deepEqual(
    problems.map(({ table }) => table),
    ["account"],
  )
  assert.deepEqual(Object.keys(problems[0] ?? {}), ["table", "key", "problem"])
  assert.match(asJson.stderr, /One stored invariant fails/)

  const forPeople = await latchkey(["verify", "--data", dir])
  assert.equal(forPeople.code, 1)
  assert.match(forPeople.stdout, /^TABLE +KEY +PROBLEM\naccount +\S{26} +\S/)
})
