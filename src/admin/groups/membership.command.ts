/** The command `account groups`. */
import { findAccount } from "../../accounts/find-account.ts"
import type { Grouped } from "../../accounts/groups/group-change.rules.ts"
import { changeMemberships, membershipsOf } from "../../accounts/groups/groups.ts"
import { previewMemberships } from "../../apps/group-preview.ts"
import { previewed, previewFlag } from "../../apps/preview/preview-flag.ts"
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
    preview: previewFlag,
  },
  notes: [
    "What a sign-in provider gave stays until the provider takes it back: the answer says which provider.",
    "Its credentials follow at their next request, without a new consent.",
  ],
  example: "latchkey account groups alice --add sales --remove support",
  run: ({ flags: { add, remove, preview }, operands: [name], globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const found = await findAccount(opened, name)
      if (!found.ok) return refused(found.error)
      const { userId } = found.value
      if (preview) {
        const seen = await previewMemberships(opened, userId, { add, remove })
        if (!seen.ok) return refused(seen.error.problem)
        return previewed(await groupedRecord(opened, seen.value), seen.value.preview)
      }
      const grouped =
        add.length + remove.length === 0
          ? await membershipsOf(opened, userId)
          : await changeMemberships(opened, userId, { add, remove }, fromCommandLine)
      return grouped.ok ? printed(opened, grouped.value, remove) : refused(grouped.error.problem)
    }),
})

async function printed(opened: Opened, grouped: Grouped, removed: readonly string[]): Promise<Answer> {
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
  return memberships.flatMap(({ group, provider }) =>
    provider !== null && removed.includes(group)
      ? [`The account stays in ${group}: the provider ${provider} gives it.`]
      : [],
  )
}
