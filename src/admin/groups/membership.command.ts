/** The command `account groups`. */
import { findAccount } from "../../accounts/find-account.ts"
import { changeMemberships, membershipsOf } from "../../accounts/groups/groups.ts"
import type { Grouped } from "../../accounts/groups/group-change.rules.ts"
import { unknownAccount } from "../../accounts/find-account.ts"
import { type Answer, command, done, refused } from "../../platform/cli/command.ts"
import { fromCommandLine, type Opened, withStore } from "../../platform/cli/open.ts"
import { facts, instant } from "../../platform/cli/print.ts"
import { groupedRecord } from "./group-record.ts"

export const accountGroups = command({
  name: "account groups",
  summary: "Show or change the groups of an account",
  operands: ["NAME"],
  flags: {
    add: { value: "GROUP", repeat: true, summary: "put the account into a group" },
    remove: { value: "GROUP", repeat: true, summary: "take the account out of a group" },
  },
  notes: [
    "What a sign-in provider gave stays until the provider takes it back: the answer says which provider.",
    "Its credentials follow at their next request, without a new consent.",
  ],
  example: "latchkey account groups alice --add sales --remove support",
  run: ({ flags: { add, remove }, operands: [name], globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const found = await findAccount(opened, name)
      if (!found.ok) return refused(found.error)
      if (add.length + remove.length === 0) {
        const grouped = await membershipsOf(opened, found.value.userId)
        return grouped === null ? refused(unknownAccount(name).error) : printed(opened, grouped)
      }
      const changed = await changeMemberships(opened, found.value, { add, remove }, fromCommandLine)
      return changed.ok ? printed(opened, changed.value, remove) : refused(changed.error)
    }),
})

async function printed(opened: Opened, grouped: Grouped, removed: readonly string[] = []): Promise<Answer> {
  const json = await groupedRecord(opened, grouped)
  const { memberships, ...record } = json
  const text = facts({
    ...record,
    created_at: instant(record.created_at),
    memberships: memberships.map(({ group, provider }) => `${group} (${provider ?? "by hand"})`),
  })
  return done(json, text, ...stays(grouped, removed))
}

/** Says which provider still gives a group that was taken by hand. */
function stays({ memberships }: Grouped, removed: readonly string[]): readonly string[] {
  return memberships
    .filter(({ group }) => removed.includes(group))
    .map(({ group, provider }) => `The account stays in ${group}: the provider ${provider ?? ""} gives it.`)
}
