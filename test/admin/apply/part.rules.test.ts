import { test } from "node:test"
import assert from "node:assert/strict"
import {
  accountNamed,
  joined,
  keyed,
  NOTHING,
  usernameOf,
  wrong,
} from "../../../src/admin/apply/part.rules.ts"
import { account } from "../../support/core-sample.ts"
import { planning } from "./set-up-sample.ts"

test("APPLY-4 the key is stored with what the set makes, or when it made it under another key", () => {
  const row = { what: "app", key: "a", made: "1" } as const
  const change = { change: "appliedSet", applied: { set: "default", ...row } }
  assert.deepEqual(keyed(planning(), row, true), [change])
  assert.deepEqual(keyed(planning(), row, false), [])
  const known = (key: string) => planning({ applied: [{ set: "default", what: "app", key, made: "1" }] })
  assert.deepEqual(keyed(known("a"), row, false), [])
  assert.deepEqual(keyed(known("b"), row, false), [change])
})

test("APPLY-2 the parts of a plan are joined in order", () => {
  const of = joined([wrong(2, "two"), NOTHING, wrong(1, "one")])
  assert.deepEqual(of, {
    ...NOTHING,
    problems: [
      { line: 2, problem: "two" },
      { line: 1, problem: "one" },
    ],
  })
})

test("APPLY-1 accounts are named in any spelling of their name, or not at all", () => {
  assert.deepEqual(accountNamed([account], undefined), { ok: true, value: undefined })
  assert.deepEqual(accountNamed([account], null), { ok: true, value: null })
  assert.deepEqual(accountNamed([account], " ADA"), { ok: true, value: account })
  assert.equal(accountNamed([], "ada").ok, false)
  assert.equal(usernameOf([account], account.userId), "Ada")
  assert.equal(usernameOf([account], null), null)
})
