import assert from "node:assert/strict"
import { test } from "node:test"
import {
  decideGroupRemoval,
  decideMemberships,
  decideNewGroup,
  decideTitle,
  groupEvents,
  unknownGroup,
} from "../../../src/accounts/groups/group-change.rules.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import { groupsOf, type Membership } from "../../../src/model/permissions/group.rules.ts"
import { account, NOW, USER_ID } from "../../support/core-sample.ts"

const by = { now: NOW, address: "192.0.2.1" }
const group = { name: "sales", title: null, createdAt: 5 }

const eventsOf = (changes: readonly Change[]) =>
  changes.flatMap((one) =>
    one.change === "eventRecorded"
      ? [`${one.event.kind} ${one.event.userId ?? "-"} ${one.event.detail}`]
      : [],
  )

test("GROUP-10: a title is trimmed, composed and visible, and an empty one is no title", () => {
  const titled = (title: string | null) =>
    [decideNewGroup("sales", title, null, by), decideTitle({ ...group, title: "x" }, title, by)].map(
      ({ answer }) => (answer.ok ? answer.value.title : answer.error.why),
    )
  assert.deepEqual(titled(null), [null, null])
  assert.deepEqual(titled("  "), [null, null])
  assert.deepEqual(titled(" Caf\u0065\u0301 "), ["Caf\u00e9", "Caf\u00e9"])
  for (const title of ["a".repeat(101), "a\u0000b", "\u202eabc"])
    assert.deepEqual(titled(title), ["malformed", "malformed"], title)
})

test("GROUP-10: a name that has another form, is taken or unknown is refused with the reason", () => {
  assert.ok(decideNewGroup("sales.eu:1-a_b", null, null, by).answer.ok)
  const malformed = decideNewGroup("Sales", null, null, by)
  assert.match((!malformed.answer.ok && malformed.answer.error.problem) || "", /a-z/)
  assert.deepEqual(malformed.changes, [])
  assert.deepEqual(unknownGroup("sale", ["support", "sales"]), {
    why: "unknown",
    problem: 'There is no group "sale". Did you mean sales?',
    withoutName: "There is no such group. Did you mean sales?",
  })
  const taken = decideNewGroup("sales", null, group, by)
  assert.deepEqual([taken.answer.ok, taken.changes.length], [false, 0])
})

test("GROUP-12: a group that is added, titled or removed is an event each, and the same title changes nothing", () => {
  const added = decideNewGroup("sales", "Sales", null, by)
  assert.deepEqual(added.changes[0], {
    change: "groupSet",
    group: { name: "sales", title: "Sales", createdAt: NOW },
  })
  assert.deepEqual(eventsOf(added.changes), ["group-changed - sales added"])
  assert.deepEqual(decideTitle(group, null, by).changes, [])
  const titled = decideTitle(group, "Sales", by)
  assert.deepEqual(titled.changes[0], { change: "groupSet", group: { ...group, title: "Sales" } })
  assert.deepEqual(eventsOf(titled.changes), ["group-changed - sales title"])
  for (const [members, detail] of [
    [1, "1 member"],
    [2, "2 members"],
  ] as const) {
    const { changes } = decideGroupRemoval(group, members, by)
    assert.deepEqual(changes[0], { change: "groupRemoved", name: "sales" })
    assert.deepEqual(eventsOf(changes), [`group-changed - sales removed, ${detail}`])
  }
})

/** Every account with any marks of two groups by hand and by a provider, and every change of these groups. */
function* everyChange() {
  const marks: readonly Membership[] = ["a", "b"].flatMap((name) =>
    [null, "corp"].map((provider) => ({ group: name, provider })),
  )
  for (let held = 0; held < 16; held++)
    for (let update = 0; update < 16; update++)
      yield {
        memberships: marks.filter((_, at) => (held & (1 << at)) !== 0),
        add: ["a", "b"].filter((_, at) => (update & (1 << at)) !== 0),
        remove: ["a", "b"].filter((_, at) => (update & (4 << at)) !== 0),
      }
}

test("GROUP-11, GROUP-12: only marks by hand change, of every account, and events say what changed", () => {
  let refusals = 0
  for (const { memberships, add, remove } of everyChange()) {
    const before = { ...account, groups: groupsOf(memberships) }
    const { answer, changes } = decideMemberships({ account: before, memberships }, { add, remove }, by)
    const held = (provider: string | null, marks: readonly Membership[]) =>
      groupsOf(marks.filter((one) => one.provider === provider))
    if (remove.some((name) => !before.groups.includes(name))) {
      assert.deepEqual([answer.ok, changes], [false, []])
      refusals++
      continue
    }
    assert.ok(answer.ok)
    const after = answer.value
    assert.deepEqual(held("corp", after.memberships), held("corp", memberships))
    const expected = new Set([...held(null, memberships).filter((name) => !remove.includes(name)), ...add])
    assert.deepEqual(held(null, after.memberships), [...expected].sort())
    assert.deepEqual(after.account.groups, groupsOf(after.memberships))
    const isSame = held(null, memberships).join() === [...expected].sort().join()
    const written = changes.find(({ change }) => change === "membershipsSet")
    assert.deepEqual(
      written,
      isSame ? undefined : { change: "membershipsSet", userId: USER_ID, memberships: after.memberships },
    )
    const { groups } = after.account
    const joined = groups.filter((name) => !before.groups.includes(name))
    const left = before.groups.filter((name) => !groups.includes(name))
    const marked = ["a", "b"].filter((name) => !joined.includes(name) && !left.includes(name))
    assert.deepEqual(eventsOf(changes).toSorted(), [
      ...marked.flatMap((name) => {
        const [had, has] = [held(null, memberships).includes(name), expected.has(name)]
        return had === has
          ? []
          : [`group-changed ${USER_ID} ${name} ${has ? "by hand too" : "no longer by hand"}`]
      }),
      ...(joined.length === 0 ? [] : [`groups-joined ${USER_ID} ${joined.join(" ")}`]),
      ...(left.length === 0 ? [] : [`groups-left ${USER_ID} ${left.join(" ")}`]),
    ])
  }
  assert.ok(refusals > 0)
})

test("GROUP-11: an account is in at most 50 groups, and may change them at 50", () => {
  const names = Array.from({ length: 50 }, (_, at) => `g${at}`)
  const decide = (held: readonly string[], add: readonly string[], remove: readonly string[]) =>
    decideMemberships(
      {
        account: { ...account, groups: held },
        memberships: held.map((name) => ({ group: name, provider: null })),
      },
      { add, remove },
      by,
    ).answer
  assert.ok(decide([], names, []).ok)
  assert.deepEqual(decide(names, ["one-more"], []), {
    ok: false,
    error: { why: "conflict", problem: "An account is in at most 50 groups." },
  })
  assert.ok(decide(names, ["one-more"], ["g7"]).ok)
  assert.ok(decide(names, ["g7"], []).ok)
})

test("GROUP-10: a group that the account is not in cannot be taken, and the nearest one is named", () => {
  const { answer } = decideMemberships(
    { account: { ...account, groups: ["sales"] }, memberships: [{ group: "sales", provider: null }] },
    { add: [], remove: ["sale"] },
    by,
  )
  assert.ok(!answer.ok)
  assert.match(answer.error.problem, /is not in the group "sale"\. Did you mean sales\?$/)
})

test("GROUP-12: a change by the rule of a provider names it", () => {
  const events = groupEvents({ userId: USER_ID, groups: ["a", "b"] }, ["b", "c"], by, "corp")
  assert.deepEqual(eventsOf(events), [
    `groups-joined ${USER_ID} c, by the rule of corp`,
    `groups-left ${USER_ID} a, by the rule of corp`,
  ])
})
