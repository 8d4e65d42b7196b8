/** GET /console/groups and /console/group, and the forms that add, title and remove a group. GROUP-18. */
import { addGroup, findGroup, removeGroup, retitleGroup } from "../../accounts/groups/groups.ts"
import { previewGroupRemoval, whatIsFor } from "../../apps/group-preview.ts"
import { previewParts } from "../../apps/preview/preview-words.ts"
import { html } from "../../kernel/html.ts"
import { isGroupName } from "../../model/permissions/group.rules.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { renderConfirm } from "../../platform/ui/console/confirm.ts"
import { accountViews } from "../accounts/account-record.ts"
import { consoleForm, consolePage, type ConsoleRequest, provenConsolePage } from "../console/console-page.ts"
import { listPage } from "../console/list-paging.ts"
import { forGroupFacts, renderGroup, renderGroups, renderNewGroup } from "./groups.view.ts"
import { rowKeys } from "../../store/list.ts"

const NEW = "/console/group/new"
const ONE = "/console/group"
const REMOVE = "/console/group/remove"

export const showGroups = consolePage("/console/groups", async (request) => {
  const { rows, paging } = await listPage(
    request,
    (page) => request.services.store.groups({ ...page, newestFirst: false }),
    rowKeys.groups,
    isGroupName,
  )
  return request.send(renderGroups({ ...request.frame, groups: rows, paging }))
})

export const showNewGroup = provenConsolePage(NEW, (request) => newGroup(request, null))

export const submitNewGroup = consoleForm(NEW, async (request) => {
  const [name, title] = [request.field("name").trim(), request.field("title")]
  const added = await addGroup(request.services, name, title, request.from)
  return added.ok ? request.redirect(pathOf(name, "group-added")) : newGroup(request, added.error.problem)
})

function newGroup(request: ConsoleRequest, problem: string | null): HttpReply {
  const typed = { name: request.field("name"), title: request.field("title") }
  return request.send(renderNewGroup({ ...request.frame, typed, problem }), problem === null ? 200 : 400)
}

export const showGroup = consolePage(ONE, (request) => group(request, null))

export const submitTitle = consoleForm(ONE, async (request) => {
  const name = request.field("name")
  const titled = await retitleGroup(request.services, name, request.field("title"), request.from)
  if (titled.ok) return request.redirect(pathOf(name, "group-titled"))
  return titled.error.why === "unknown" ? request.notFound() : group(request, titled.error.problem)
})

async function group(request: ConsoleRequest, problem: string | null): Promise<HttpReply> {
  const { services } = request
  const found = await findGroup(services, request.field("name"))
  if (!found.ok) return request.notFound()
  const { name } = found.value
  const { rows, paging } = await listPage(
    request,
    (page) => services.store.accounts(page, { group: name }),
    rowKeys.accounts,
  )
  const accounts = await accountViews(services, rows)
  const title = problem === null ? (found.value.title ?? "") : request.field("title")
  const isFor = await whatIsFor(services, name)
  const page = renderGroup({ ...request.frame, group: found.value, isFor, title, accounts, paging, problem })
  return request.send(page, problem === null ? 200 : 400)
}

export const showRemoval = provenConsolePage(REMOVE, async (request) => {
  const name = request.field("name")
  const seen = await previewGroupRemoval(request.services, name)
  if (!seen.ok) return request.notFound()
  const { total, rest } = previewParts(seen.value.preview)
  const named = forGroupFacts(request.frame.basePath, await whatIsFor(request.services, name))
  const losing = named.map(([what, names]) => html`${what}: ${names}`)
  return request.send(
    renderConfirm({
      ...request.frame,
      place: "groups",
      title: `Remove ${name}`,
      head: `Remove the group ${name}`,
      lead: "Every account leaves it. Permissions and apps that are for this group alone are then for no account. You cannot undo this.",
      takes: { total: [...total, ...losing], rest },
      action: REMOVE,
      fields: [["name", name]],
      button: "Remove the group",
      isDangerous: true,
      back: pathOf(name),
    }),
  )
})

export const submitRemoval = consoleForm(REMOVE, async (request) => {
  const removed = await removeGroup(request.services, request.field("name"), request.from)
  return removed.ok ? request.redirect("/console/groups?done=group-removed") : request.notFound()
})

function pathOf(name: string, done: string | null = null): string {
  return `${ONE}?name=${encodeURIComponent(name)}${done === null ? "" : `&done=${done}`}`
}
