/** Which accounts of a source move in. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { judgeAccounts, keysOf, nothingUsed } from "../../../src/admin/moving-in/judge.rules.ts"
import { NO_PASSWORD } from "../../../src/model/account.rules.ts"
import type { Taken } from "../../../src/model/moved/import.rules.ts"
import { BCRYPT, movedAccount } from "./objects.ts"

const nothing: Taken = { accounts: [], removed: [], tokens: [] }
const account = (userId: string, username: string) => movedAccount({ userId, username })
const judged = (moved: Parameters<typeof judgeAccounts>[0], taken = nothing, used = nothingUsed()) => {
  const { accounts, skipped, present } = judgeAccounts(moved, taken, used)
  return {
    moved: accounts.map(({ moved: { userId } }) => userId),
    reasons: skipped.map(({ what, name, reason }) => `${what} ${name}: ${reason}`),
    present,
  }
}

test("MOVE-2 an account keeps its id and its hash; without a hash it has no password", () => {
  const moved = [
    account("auth0|1", " Ada "),
    movedAccount({ userId: "2", username: "bob", passwordHash: null }),
  ]
  const { accounts } = judgeAccounts(moved, nothing, nothingUsed())
  assert.deepEqual(accounts, [
    { moved: moved[0], name: { username: "Ada", usernameKey: "ada" }, passwordHash: BCRYPT },
    { moved: moved[1], name: { username: "bob", usernameKey: "bob" }, passwordHash: NO_PASSWORD },
  ])
})

test("MOVE-2 an id has 1 to 255 visible ASCII characters", () => {
  const good = ["!", "~", "x".repeat(255)]
  assert.deepEqual(judged(good.map((id, at) => account(id, `a${at}`))).moved, good)
  for (const id of ["", " ", "a b", "é", "a\n", "x".repeat(256)])
    assert.deepEqual(judged([account(id, "ada")]), {
      moved: [],
      reasons: ["account ada: The id does not have 1 to 255 visible ASCII characters."],
      present: 0,
    })
})

test("MOVE-3 an account without a name is reported by its id", () => {
  assert.deepEqual(judged([account("old-1", "")]).reasons, ["account old-1: The name is empty."])
})

test("MOVE-3 an id or a name that the file has twice is skipped, in whatever case the name is", () => {
  const file = [account("1", "ada"), account("1", "bob"), account("2", "ADA"), account("3", "bob")]
  assert.deepEqual(judged(file), {
    moved: ["1", "3"],
    reasons: ["account bob: The file has the id 1 twice.", "account ADA: The file has this name twice."],
    present: 0,
  })
})

test("MOVE-3 the id of an account that did not move in is used too", () => {
  assert.deepEqual(judged([account("1", ""), account("1", "ada")]).reasons, [
    "account 1: The name is empty.",
    "account ada: The file has the id 1 twice.",
  ])
})

test("MOVE-3 what the service has already is skipped, and what an earlier import added is counted", () => {
  const taken: Taken = {
    accounts: [
      { userId: "own", usernameKey: "root", isImported: false },
      { userId: "earlier", usernameKey: "eve", isImported: true },
    ],
    removed: ["gone"],
    tokens: [],
  }
  const file = [
    account("own", "ada"),
    account("earlier", "eve"),
    account("gone", "zoe"),
    account("new", "ROOT"),
    account("new-2", "Eve"),
    account("new-3", "bob"),
  ]
  assert.deepEqual(judged(file, taken), {
    moved: ["new-3"],
    reasons: [
      "account ada: Another account has the id own.",
      "account zoe: A removed account had the id gone.",
      "account ROOT: Another account has this name.",
      "account Eve: Another account has this name.",
    ],
    present: 1,
  })
})

test("MOVE-3 an account has moved in before only if its id and its name agree", () => {
  const taken: Taken = {
    accounts: [
      { userId: "1", usernameKey: "ada", isImported: true },
      { userId: "2", usernameKey: "eve", isImported: true },
      { userId: "3", usernameKey: "root", isImported: false },
    ],
    removed: [],
    tokens: [],
  }
  const used = nothingUsed()
  const file = [account("1", " ADA "), account("2", "bob"), account("3", "root")]
  assert.deepEqual(judged(file, taken, used), {
    moved: [],
    reasons: [
      "account bob: The imported account of the id 2 has another name. Rename it if it is the same person.",
      "account root: Another account has the id 3.",
    ],
    present: 1,
  })
  assert.deepEqual([...used.knownIds], ["1"], "tokens of the others stay behind")
})

test("MOVE-3 an id that the file has for two people is the id of neither", () => {
  const used = nothingUsed()
  judged([account("1", "ada"), account("1", "bob"), account("2", "eve"), account("2", "Eve")], nothing, used)
  assert.deepEqual([...used.ambiguousIds], ["1"])
})

test("MOVE-3 what one part of a file uses is used for the next", () => {
  const used = nothingUsed()
  assert.deepEqual(judged([account("1", "ada"), account("2", "")], nothing, used).moved, ["1"])
  assert.deepEqual(
    [[...used.userIds.keys()], [...used.usernameKeys], [...used.knownIds]],
    [["1", "2"], ["ada"], ["1"]],
  )
  const next = judged([account("2", "bob"), account("3", "Ada"), account("4", "bob")], nothing, used)
  assert.deepEqual([next.moved, next.reasons.length], [["4"], 2])
})

test("MOVE-3 only ids and names that could be taken are looked up", () => {
  const file = [account("1", "Ada"), account("a b", "bob"), account("2", ""), account("", "  ")]
  assert.deepEqual(keysOf(file), { userIds: ["1", "2"], usernameKeys: ["ada", "bob"] })
})

test("NAME-1 MOVE-3 an account whose name mixes scripts that look alike is skipped, and one that moved in stays", () => {
  const mixed = "r\u043e\u043et"
  const why = "One word of the name mixes Latin, Cyrillic or Greek letters, which look alike."
  assert.deepEqual(judged([account("1", mixed)]).reasons, [`account ${mixed}: ${why}`])
  const before = { userId: "1", usernameKey: mixed, isImported: true }
  const again = judged([account("1", mixed)], { ...nothing, accounts: [before as never] })
  assert.deepEqual([again.present, again.reasons], [1, []])
})
