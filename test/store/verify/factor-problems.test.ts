import assert from "node:assert/strict"
import { join } from "node:path"
import { describe, it } from "node:test"
import { type Change, decided } from "../../../src/model/change.rules.ts"
import { openSqlite } from "../../../src/store/sqlite/sqlite-store.ts"
import { account, factors, NOW, session } from "../samples.ts"
import { assertRefused, rawly, REFUSED, scratchDirectory } from "../scratch.ts"

const proof = { by: "password", at: NOW } as const

async function seeded(file: string): Promise<void> {
  const store = openSqlite(file)
  await store.change({}, () =>
    decided(
      null,
      { change: "accountAdded", account: account() },
      { change: "sessionAdded", session: session(0, { proof }) },
      ...factors().map((factor): Change => ({ change: "factorAdded", factor })),
    ),
  )
  await store.close()
}

const totp = "WHERE kind = 'totp'"
const passkey = "WHERE kind = 'passkey'"
const recovery = "WHERE kind = 'recovery'"

/** SQL that damages the database, and a word of the problem that must be reported. */
const broken: readonly [sql: string, problem: RegExp][] = [
  [`UPDATE factor SET kind = 'palm' ${totp}`, REFUSED],
  [`UPDATE factor SET sealed_secret = NULL ${totp}`, REFUSED],
  [`UPDATE factor SET sealed_secret = 'plain text' ${totp}`, /not sealed text/],
  [`UPDATE factor SET used_step = -1 ${totp}`, REFUSED],
  [`UPDATE factor SET counter = 3 ${totp}`, REFUSED],
  [`UPDATE factor SET counter = -3 ${passkey}`, REFUSED],
  [`UPDATE factor SET public_key = '' ${passkey}`, /public_key/],
  [`UPDATE factor SET credential_id = '=' ${passkey}`, /credential_id/],
  [`UPDATE factor SET backed_up = 2 ${passkey}`, REFUSED],
  [`UPDATE factor SET transports = 'usb usb' ${passkey}`, /transports/],
  [`UPDATE factor SET name = '' ${passkey}`, /name/],
  [`UPDATE factor SET codes = 'lost-code' ${recovery}`, /not a digest/],
  [`UPDATE factor SET codes = codes || ' ' || codes ${recovery}`, /twice/],
  [`DELETE FROM factor WHERE kind <> 'recovery'`, /no second factor/],
  ["UPDATE session SET proven_by = 'oath'", REFUSED],
  ["UPDATE session SET proven_by = NULL", REFUSED],
  ["UPDATE session SET vouched_by = 'shop'", REFUSED],
]

describe("verify, of factors and proofs", () => {
  for (const [sql, problem] of broken) {
    it(`says of: ${sql}`, async (t) => {
      const file = join(scratchDirectory(t), "latchkey.db")
      await seeded(file)
      if (problem === REFUSED) return assertRefused(file, sql)
      rawly(file, sql)
      const store = openSqlite(file)
      const problems = await store.verify()
      await store.close()
      assert.equal(problems.length, 1, JSON.stringify(problems))
      assert.match(problems[0]?.problem ?? "", problem)
    })
  }
})
