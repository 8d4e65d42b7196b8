/** GET and POST /console/account/groups: the groups of an account by hand. The form shows a preview first. GROUP-18. */
import type { Grouped } from "../../accounts/groups/group-change.rules.ts"
import { allGroups, changeMemberships, membershipsOf } from "../../accounts/groups/groups.ts"
import { previewMemberships } from "../../apps/group-preview.ts"
import { previewParts } from "../../apps/preview/preview-words.ts"
import { allValues } from "../../kernel/form.ts"
import { html } from "../../kernel/html.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { renderConfirm } from "../../platform/ui/console/confirm.ts"
import { hidden } from "../../platform/ui/form.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { consoleForm, type ConsoleRequest, provenConsolePage } from "../console/console-page.ts"
import { renderAccountGroups } from "./account-groups.view.ts"

const PATH = "/console/account/groups"

export const showAccountGroups = provenConsolePage(PATH, async (request) => {
  const found = await membershipsOf(request.services, request.field("id"))
  return found.ok ? choose(request, found.value, byHand(found.value), null) : request.notFound()
})

export const submitAccountGroups = consoleForm(PATH, async (request) => {
  const { services, from, field } = request
  const found = await membershipsOf(services, field("id"))
  if (!found.ok) return request.notFound()
  const { account } = found.value
  const [chosen, held] = [allValues(request.form, "group"), byHand(found.value)]
  const add = chosen.filter((name) => !held.includes(name))
  const remove = held.filter((name) => !chosen.includes(name))
  const confirmed = [...add.map((name) => `+${name}`), ...remove.map((name) => `-${name}`)].join(" ")
  const page = `/console/account?id=${encodeURIComponent(account.userId)}`
  if (confirmed === "") return request.redirect(`${page}&done=unchanged`)
  const seen = await previewMemberships(services, account.userId, { add, remove })
  if (!seen.ok) return choose(request, found.value, chosen, seen.error.problem)
  if (field("confirmed") === confirmed) {
    const changed = await changeMemberships(services, account.userId, { add, remove }, from)
    return changed.ok
      ? request.redirect(`${page}&done=grouped`)
      : choose(request, found.value, chosen, changed.error.problem)
  }
  const name = shownName(account.username, "an account without a name")
  return request.send(
    renderConfirm({
      ...request.frame,
      place: "accounts",
      title: "Change groups",
      head: html`Change the groups of <bdi class="name">${name}</bdi>`,
      lead: [
        ...sentence("Joins", add),
        ...sentence("Leaves, unless a sign-in provider gives it:", remove),
      ].join(" "),
      takes: previewParts(seen.value.preview),
      action: PATH,
      fields: [
        ["id", account.userId],
        ["confirmed", confirmed],
      ],
      moreFields: html`${chosen.map((group) => hidden("group", group))}`,
      button: "Change groups",
      isDangerous: false,
      back: page,
    }),
  )
})

async function choose(
  request: ConsoleRequest,
  { account, memberships }: Grouped,
  chosen: readonly string[],
  problem: string | null,
): Promise<HttpReply> {
  const groups = await allGroups(request.services)
  const page = renderAccountGroups({ ...request.frame, account, memberships, groups, chosen, problem })
  return request.send(page, problem === null ? 200 : 400)
}

function byHand({ memberships }: Grouped): readonly string[] {
  return memberships.flatMap(({ group, provider }) => (provider === null ? [group] : []))
}

function sentence(verb: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${verb} ${names.join(", ")}.`]
}
