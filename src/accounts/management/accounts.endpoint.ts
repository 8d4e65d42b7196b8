/** GET /console/accounts, and /console/account/new: the list, and adding one. */
import { PASSWORD_LENGTH } from "../../kernel/limits.ts"
import { usernameKey } from "../../records/username.rules.ts"
import { renderAccounts, renderNewAccount } from "./accounts.view.ts"
import { addAccount } from "../accounts.ts"
import { paged } from "../../audit/paged.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import type { HttpContext } from "../../http/http-context.ts"
import {
  consoleForm,
  consolePage,
  fieldOf,
  frameOf,
  sendConsole,
  toPage,
  type ConsoleRequest,
} from "../../console/console-page.ts"
import { pageOf, pagingOf } from "../../console/list-paging.ts"

const NEW = "/console/account/new"

const filters: ReadonlyMap<string, { readonly admin?: boolean; readonly enabled?: boolean }> = new Map([
  ["administrators", { admin: true }],
  ["disabled", { enabled: false }],
])

export const showAccounts = consolePage("/console/accounts", async (site, reply, visit) => {
  const { store } = site.services
  const only = filters.has(fieldOf(visit, "only")) ? fieldOf(visit, "only") : ""
  const name = fieldOf(visit, "name")
  const nameBegins = usernameKey(name)
  const filter = { ...filters.get(only), ...(nameBegins !== "" && { nameBegins }) }
  const page = pageOf(visit)
  const found = await paged(
    (of) => store.accounts(of, filter),
    ({ userId }) => userId,
    page,
  )
  return sendConsole(
    site,
    reply,
    renderAccounts({
      ...frameOf(site, visit),
      accounts: found.rows,
      name: nameBegins === "" ? "" : name,
      only,
      paging: pagingOf(page, found),
    }),
  )
})

export const showNewAccount = consolePage(NEW, (site, reply, visit) => show(site, reply, visit, null))

export const submitNewAccount = consoleForm(
  NEW,
  async (site, reply, visit) => {
    const added = await addAccount(site.services, {
      username: fieldOf(visit, "username"),
      password: fieldOf(visit, "password"),
      admin: isAdministrator(visit),
      ...visit.from,
    })
    return added.ok
      ? toPage(site, reply, `/console/account?id=${added.value.userId}&done=added`)
      : show(site, reply, visit, added.problem)
  },
  (_, visit) => (isAdministrator(visit) ? ["account.grant-administration"] : []),
)

function isAdministrator(visit: ConsoleRequest): boolean {
  return fieldOf(visit, "admin") === "on"
}

function show(site: HttpContext, reply: HttpReply, visit: ConsoleRequest, problem: string | null): HttpReply {
  const page = renderNewAccount({
    ...frameOf(site, visit),
    typedName: fieldOf(visit, "username"),
    admin: isAdministrator(visit),
    passwordLengthAtLeast: PASSWORD_LENGTH.least,
    problem,
  })
  return sendConsole(site, reply, page, problem === null ? 200 : 400)
}
