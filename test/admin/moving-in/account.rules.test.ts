import { test } from "node:test"
import assert from "node:assert/strict"
import { type AccountInSource, accountOf } from "../../../src/admin/moving-in/account.rules.ts"
import type { Skipped } from "../../../src/admin/moving-in/moved.rules.ts"
import { BCRYPT } from "./objects.ts"

const plain = { userId: "1", username: "ada", enabled: false, createdAt: 7 }
const source: AccountInSource = { ...plain, hash: BCRYPT, otpSecrets: ["A", "B"] }
const passkey: Skipped = { what: "one-time password", name: "ada", reason: "A passkey." }

test("MOVE-2 an account moves in as it is, without its unrewritten hash", () => {
  assert.deepEqual(accountOf(source), {
    kind: "account",
    account: { ...plain, passwordHash: BCRYPT, otpSecrets: ["A", "B"] },
    skipped: [],
  })
})

test("MOVE-3 what cannot move in is reported in order: password, one-time password, and what the source adds", () => {
  const moved = accountOf({ ...source, hash: "x", otpSecrets: [null, "B", null] }, [passkey])
  assert.ok(moved.kind === "account")
  assert.deepEqual([moved.account.passwordHash, moved.account.otpSecrets], [null, ["B"]])
  assert.deepEqual(
    moved.skipped.map(({ what, name }) => `${what} ${name}`),
    ["password ada", "one-time password ada", "one-time password ada"],
  )
  assert.equal(moved.skipped[2], passkey)
})

test("MOVE-4 a source that rewrites its hashes itself has the last word, also if it cannot", () => {
  const hashOf = (passwordHash: string | null) => {
    const moved = accountOf({ ...source, passwordHash })
    return moved.kind === "account" ? [moved.account.passwordHash, moved.skipped.length] : []
  }
  assert.deepEqual(
    [hashOf("rewritten"), hashOf(null)],
    [
      ["rewritten", 0],
      [null, 1],
    ],
  )
})
