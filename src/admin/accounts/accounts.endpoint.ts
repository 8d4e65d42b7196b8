/** GET /console/accounts and /console/account/new: the list of accounts, and the form that adds one. */
import { PASSWORD_LENGTH } from "../../kernel/limits.ts"
import { usernameKey } from "../../model/username.rules.ts"
import { renderAccounts, renderNewAccount } from "./accounts.view.ts"
import { addAccount } from "../../accounts/accounts.ts"
import type { AccountFilter } from "../../store/store.ts"
import { accountViews } from "./account-record.ts"
import { paged } from "../../store/paged.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import {
  consoleForm,
  consolePage,
  fieldOf,
  frameOf,
  sendConsole,
  toPage,
  type ConsoleRequest,
} from "../console/console-page.ts"
import { pageOf, pagingOf } from "../console/list-paging.ts"

const NEW = "/console/account/new"

const filters: ReadonlyMap<string, AccountFilter> = new Map<string, AccountFilter>([
  ["administrators", { admin: true }],
  ["disabled", { enabled: false }],
  ["service", { type: "service" }],
])

export const showAccounts = consolePage("/console/accounts", async (context, reply, request) => {
  const { store } = context.services
  const only = filters.has(fieldOf(request, "only")) ? fieldOf(request, "only") : ""
  const name = fieldOf(request, "name")
  const nameBegins = usernameKey(name)
  const filter = { ...filters.get(only), ...(nameBegins !== "" && { nameBegins }) }
  const page = pageOf(request)
  const found = await paged(
    (of) => store.accounts(of, filter),
    ({ userId }) => userId,
    page,
  )
  return sendConsole(
    context,
    reply,
    renderAccounts({
      ...frameOf(context, request),
      accounts: await accountViews(context.services, found.rows),
      name: nameBegins === "" ? "" : name,
      only,
      paging: pagingOf(page, found),
    }),
  )
})

export const showNewAccount = consolePage(NEW, (context, reply, request) =>
  show(context, reply, request, null),
)

export const submitNewAccount = consoleForm(
  NEW,
  async (context, reply, request) => {
    const added = await addAccount(context.services, {
      username: fieldOf(request, "username"),
      password: fieldOf(request, "password"),
      admin: isAdministrator(request),
      ...request.from,
    })
    return added.ok
      ? toPage(context, reply, `/console/account?id=${encodeURIComponent(added.value.userId)}&done=added`)
      : show(context, reply, request, added.error)
  },
  (_, request) => (isAdministrator(request) ? ["account.grant-administration"] : []),
)

function isAdministrator(request: ConsoleRequest): boolean {
  return fieldOf(request, "admin") === "on"
}

function show(
  context: HttpContext,
  reply: HttpReply,
  request: ConsoleRequest,
  problem: string | null,
): HttpReply {
  const page = renderNewAccount({
    ...frameOf(context, request),
    typedName: fieldOf(request, "username"),
    admin: isAdministrator(request),
    passwordLengthAtLeast: PASSWORD_LENGTH.least,
    problem,
  })
  return sendConsole(context, reply, page, problem === null ? 200 : 400)
}
