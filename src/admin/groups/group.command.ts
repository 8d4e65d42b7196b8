/** The `group` commands. */
import { addGroup, allGroups, findGroup, removeGroup } from "../../accounts/groups/groups.ts"
import { previewGroupRemoval } from "../../apps/group-preview.ts"
import { previewed, previewFlag } from "../../apps/preview/preview-flag.ts"
import { GROUP_NAME_FORM } from "../../model/permissions/group.rules.ts"
import { type Answer, command, done, refused } from "../../platform/cli/command.ts"
import { fromCommandLine, withStore } from "../../platform/cli/open.ts"
import { facts, instant, printedList } from "../../platform/cli/print.ts"
import type { CountedGroup } from "../../store/list-shapes.ts"
import { all, rowKeys } from "../../store/list.ts"
import { groupRecord } from "./group-record.ts"

const add = command({
  name: "group add",
  summary: "Add a group of accounts",
  operands: ["NAME"],
  flags: { title: { value: "TEXT", summary: "a text for people" } },
  notes: [
    `A name has ${GROUP_NAME_FORM}. account groups puts accounts into it.`,
    "A permission is for groups by for_groups in the configuration file, an app by app update --add-group.",
  ],
  example: "latchkey group add sales --title 'Sales team'",
  run: ({ flags, operands: [name], globals }) =>
    withStore(globals, "create", async (opened) => {
      const added = await addGroup(opened, name, flags.title, fromCommandLine)
      return added.ok ? printed(added.value) : refused(added.error.problem)
    }),
})

const list = command({
  name: "group list",
  summary: "List the groups with the number of their members",
  example: "latchkey group list",
  run: ({ globals }) =>
    withStore(globals, "refuse", async (opened) =>
      printedList((await allGroups(opened)).map(groupRecord), "There are no groups.", (row) => ({
        name: row.name,
        title: row.title,
        members: row.members,
        created: instant(row.created_at),
      })),
    ),
})

const show = command({
  name: "group show",
  summary: "Show a group with the names of its members",
  operands: ["NAME"],
  example: "latchkey group show sales",
  run: ({ operands: [name], globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const found = await findGroup(opened, name)
      if (!found.ok) return refused(found.error.problem)
      const accounts = await all((page) => opened.store.accounts(page, { group: name }), rowKeys.accounts)
      return printed(found.value, { accounts: accounts.map(({ username }) => username) })
    }),
})

const remove = command({
  name: "group remove",
  summary: "Remove a group and take every account out of it",
  operands: ["NAME"],
  flags: { preview: previewFlag },
  notes: [
    "What is for this group alone is for no account from then on. A group of the same name that is added later begins empty.",
  ],
  example: "latchkey group remove sales --preview",
  run: ({ flags, operands: [name], globals }) =>
    withStore(globals, "refuse", async (opened) => {
      if (flags.preview) {
        const seen = await previewGroupRemoval(opened, name)
        return seen.ok ? previewed(groupRecord(seen.value), seen.value.preview) : refused(seen.error.problem)
      }
      const removed = await removeGroup(opened, name, fromCommandLine)
      if (!removed.ok) return refused(removed.error.problem)
      const json = { name, removed: true, members: removed.value.members }
      return done(json, facts(json))
    }),
})

export const groupCommands = [add, list, show, remove]

function printed(group: CountedGroup, more: { readonly accounts?: readonly string[] } = {}): Answer {
  const json = { ...groupRecord(group), ...more }
  return done(json, facts({ ...json, created_at: instant(json.created_at) }))
}
