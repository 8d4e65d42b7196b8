/** Renders the list of groups, one group, and the form that adds one. */
import { type Html, html } from "../../kernel/html.ts"
import type { ForGroup } from "../../apps/group-preview.ts"
import { GROUP_NAME_FORM } from "../../model/permissions/group.rules.ts"
import { field, hidden } from "../../platform/ui/form.ts"
import {
  type ConsoleInput,
  heading,
  problemAlert,
  renderConsole,
  upTo,
} from "../../platform/ui/console/frame.ts"
import { moment } from "../../platform/ui/console/instant.ts"
import { pager, type Paging, table } from "../../platform/ui/console/list.ts"
import {
  accountLink,
  appLink,
  count,
  counted,
  factList,
  groupLinks,
} from "../../platform/ui/console/words.ts"
import type { CountedGroup } from "../../store/list-shapes.ts"
import { type AccountView, standing } from "../accounts/accounts.view.ts"

export type GroupsInput = ConsoleInput & { readonly groups: readonly CountedGroup[]; readonly paging: Paging }

export function renderGroups(input: GroupsInput): string {
  const { basePath, groups, paging } = input
  const main = html`${heading(
      "Groups",
      html`<a class="button primary" href="${basePath}/console/group/new">Add a group</a>`,
    )}
    <p class="lead">
      A permission or an app can be for groups. Then only their members have it. Accounts join a group on
      their page, or through a sign-in provider.
    </p>
    ${table({
      caption: "Groups",
      rows: groups,
      empty: "No groups yet.",
      columns: [
        { label: "Name", look: "first", cell: ({ name }) => groupLinks(basePath, [name]) },
        { label: "Title", cell: ({ title }) => (title === null ? null : html`<bdi>${title}</bdi>`) },
        { label: "Members", cell: ({ members }) => count(members) },
        { label: "Created", cell: ({ createdAt }) => moment(createdAt) },
      ],
    })}
    ${pager(`${basePath}/console/groups`, {}, paging, "More")}`
  return renderConsole(input, { title: "Groups", place: "groups", main })
}

export type GroupInput = ConsoleInput & {
  readonly group: CountedGroup
  readonly isFor: ForGroup
  /** The title in the form. */
  readonly title: string
  readonly accounts: readonly AccountView[]
  readonly paging: Paging
  readonly problem: string | null
}

/** Names what is for a group. An empty list is left out. */
export function forGroupFacts(
  basePath: string,
  { permissions, apps }: ForGroup,
): readonly (readonly [term: string, names: Html])[] {
  const codes = permissions.map((name) => html`<code>${name}</code>`)
  const links = apps.map((app) => appLink(basePath, app))
  const facts = [
    ["Permissions for it", codes],
    ["Apps for it", links],
  ] as const
  return facts
    .filter(([, names]) => names.length > 0)
    .map(([term, names]) => [term, html`${names.map((name, at) => html`${at > 0 && ", "}${name}`)}`])
}

export function renderGroup(input: GroupInput): string {
  const { basePath, csrf, group, isFor, title, accounts, paging, problem } = input
  const { name, members, createdAt } = group
  const main = html`${heading(
      html`<bdi class="name">${name}</bdi>`,
      false,
      upTo(basePath, "/console/groups", "Groups"),
    )}
    ${problemAlert(problem)}
    ${factList([
      ["Title", group.title === null ? "None" : html`<bdi>${group.title}</bdi>`],
      ["Members", counted(members, "account")],
      ["Created", moment(createdAt)],
      ...forGroupFacts(basePath, isFor),
    ])}
    <div class="deeds" role="group" aria-label="What you can do">
      <a class="button danger" href="${basePath}/console/group/remove?name=${encodeURIComponent(name)}"
        >Remove</a
      >
    </div>
    <section class="block" aria-labelledby="members">
      <h2 id="members">Members</h2>
      ${table({
        caption: "Members",
        rows: accounts,
        empty: "No account is in this group. To add one, open its page and choose Change groups.",
        columns: [
          { label: "Name", look: "first", cell: (account) => accountLink(basePath, account) },
          { label: "Status", cell: (account) => standing(basePath, account) },
        ],
      })}
      ${pager(`${basePath}/console/group`, { name }, paging)}
    </section>
    <section class="block" aria-labelledby="title">
      <h2 id="title">Change the title</h2>
      <form class="stack" method="post" action="${basePath}/console/group">
        ${hidden("csrf", csrf)}${hidden("name", name)} ${titleField(title)}
        <button class="primary">Save</button>
      </form>
    </section>`
  return renderConsole(input, { title: name, place: "groups", main })
}

export type NewGroupInput = ConsoleInput & {
  readonly typed: { readonly name: string; readonly title: string }
  readonly problem: string | null
}

export function renderNewGroup(input: NewGroupInput): string {
  const { basePath, csrf, typed, problem } = input
  const main = html`${heading("Add a group", false, upTo(basePath, "/console/groups", "Groups"))}
    ${problemAlert(problem)}
    <form class="stack" method="post" action="${basePath}/console/group/new">
      ${hidden("csrf", csrf)}
      ${field({
        name: "name",
        label: "Name",
        value: typed.name,
        hint: `Apps see it, and it cannot change. ${GROUP_NAME_FORM}.`,
        describedBy: problem === null ? null : "problem",
        autofocus: true,
      })}
      ${titleField(typed.title)}
      <button class="primary">Add group</button>
    </form>`
  return renderConsole(input, { title: "Add a group", place: "groups", main, narrow: true })
}

function titleField(title: string): Html {
  return field({
    name: "title",
    label: "Title",
    isOptional: true,
    value: title,
    hint: "A text for people, such as Sales team.",
  })
}
