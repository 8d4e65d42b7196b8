import { test } from "node:test"
import assert from "node:assert/strict"
import {
  accountNamed,
  accountProblem,
  compared,
  firstWrong,
  usernameOf,
} from "../../../src/admin/apply/part.rules.ts"
import type { Applied } from "../../../src/model/change.rules.ts"
import { account } from "../../support/core-sample.ts"
import { named, planning } from "./set-up-sample.ts"

const entry = named("a", { size: "big" }, 3)
const size = (of: string) => new Map([["size", of]])

test("APPLY-3 a new thing shows the members of the file, and one that is there those that differ", () => {
  const of = (before: string | null, after: string) => {
    const shown = [before === null ? null : size(before), size(after)] as const
    const { change, members } = compared(planning(), "app", entry, "1", shown, [])
    return [change, members]
  }
  assert.deepEqual(of(null, "big"), ["add", [{ member: "size", before: null, after: "big" }]])
  assert.deepEqual(of("small", "big"), ["update", [{ member: "size", before: "small", after: "big" }]])
  assert.deepEqual(of("big", "big"), ["keep", []])
})

test("APPLY-4 the key is stored with what the set makes, or when it made it under another key", () => {
  const row = { set: "default", what: "app", key: "a", made: "1" } as const
  const changes = (isNew: boolean, applied: readonly Applied[] = []) =>
    compared(planning({ applied }), "app", entry, "1", [isNew ? null : size("big"), size("big")], []).changes
  assert.deepEqual(changes(true), [{ change: "appliedSet", applied: row }])
  assert.deepEqual(changes(false), [])
  assert.deepEqual(changes(false, [row]), [])
  assert.deepEqual(changes(false, [{ ...row, key: "b" }]), [{ change: "appliedSet", applied: row }])
})

test("APPLY-2 the first problem of an entry has the line of its member, or that of the entry", () => {
  const { key, lines } = entry
  const of = (member: string | null) => {
    const first = firstWrong("apps", { key, line: 2, lines }, [
      [null, null],
      ["owner", false],
      [member, "No."],
      [null, "Later."],
    ])
    return first?.error
  }
  assert.deepEqual(of("size"), { line: 3, problem: "apps: a: size: No." })
  assert.deepEqual(of("owner"), { line: 2, problem: "apps: a: owner: No." })
  assert.deepEqual(of(null), { line: 2, problem: "apps: a: No." })
  assert.equal(firstWrong("apps", entry, [["size", null]]), null)
})

test("APPLY-1 accounts are named in any spelling of their name, or not at all", () => {
  for (const none of [undefined, null]) {
    assert.equal(accountNamed([account], none), none)
    assert.equal(accountProblem([account], none), null)
  }
  assert.equal(accountNamed([account], " ADA"), account)
  assert.equal(accountProblem([account], " ADA"), null)
  assert.equal(accountProblem([], "ada"), 'There is no account named "ada".')
  assert.equal(usernameOf([account], account.userId), "Ada")
  assert.equal(usernameOf([account], null), null)
})
