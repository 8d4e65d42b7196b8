/** Renders the choice of the groups of an account. */
import type { Grouped } from "../../accounts/groups/group-change.rules.ts"
import { html } from "../../kernel/html.ts"
import { options } from "../../platform/ui/fields.ts"
import { hidden } from "../../platform/ui/form.ts"
import { type ConsoleInput, heading, problemAlert, renderConsole } from "../../platform/ui/console/frame.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import type { CountedGroup } from "../../store/list-shapes.ts"

export type AccountGroupsInput = ConsoleInput &
  Grouped & {
    readonly groups: readonly CountedGroup[]
    /** The groups that are ticked. */
    readonly chosen: readonly string[]
    readonly problem: string | null
  }

export function renderAccountGroups(input: AccountGroupsInput): string {
  const { basePath, csrf, account, memberships, groups, chosen, problem } = input
  const back = `${basePath}/console/account?id=${encodeURIComponent(account.userId)}`
  const note = ({ name, title }: CountedGroup) => {
    const providers = memberships.flatMap((one) => (one.group === name ? (one.provider ?? []) : []))
    const given = providers.length > 0 && `Given by ${providers.join(", ")}, and stays until taken there.`
    return html`${title !== null && html`<bdi>${title}</bdi>`} ${given}`
  }
  const form = html`<form class="stack" method="post" action="${basePath}/console/account/groups">
    ${hidden("csrf", csrf)}${hidden("id", account.userId)}
    ${options(
      "checkbox",
      { legend: "In these groups, by hand" },
      groups.map((group) => ({
        name: "group",
        value: group.name,
        title: group.name,
        explanation: note(group),
        isChecked: chosen.includes(group.name),
      })),
    )}
    <div class="deeds">
      <button class="primary">Continue</button><a class="button" href="${back}">Cancel</a>
    </div>
  </form>`
  const none = html`<p class="lead">There are no groups yet.</p>
    <p class="deeds">
      <a class="button primary" href="${basePath}/console/group/new">Add a group</a>
      <a class="button" href="${back}">Go back</a>
    </p>`
  const main = html`${heading(html`Groups of <bdi class="name">${shownName(account.username, "")}</bdi>`)}
  ${problemAlert(problem)} ${groups.length === 0 ? none : form}`
  return renderConsole(input, { title: "Change groups", place: "accounts", main, narrow: true })
}
