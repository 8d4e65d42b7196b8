/** GET /console/account, and its forms that rename the account and set its password. */
import { type Account, asPerson } from "../../model/account.rules.ts"
import { PASSWORD_LENGTH } from "../../kernel/limits.ts"
import { renderConsoleAccount, renderRename, renderSetPassword } from "./account.view.ts"
import { accountViews } from "./account-record.ts"
import { accountOfId, setPasswordOf, updateAccount } from "../../accounts/account-by-id.ts"
import { aroundAccount, factorKinds } from "../console/console-lists.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import {
  consoleForm,
  consolePage,
  fieldOf,
  frameOf,
  notFound,
  provenConsolePage,
  sendConsole,
  toPage,
  type ConsoleRequest,
} from "../console/console-page.ts"
import { ROWS_IN_SHORT } from "../console/list-paging.ts"
import { credentialView, eventViews } from "../events/views.ts"

const PASSWORD = "/console/account/password"

type Run = (
  context: HttpContext,
  reply: HttpReply,
  request: ConsoleRequest,
  account: Account,
) => Promise<HttpReply> | HttpReply

/**
 * Wraps a handler of the account that the parameter `id` names. With `persons`, the id of a service account is not
 * found.
 */
export function onAccount(
  run: Run,
  persons: "persons" | null = null,
): (context: HttpContext, reply: HttpReply, request: ConsoleRequest) => Promise<HttpReply> {
  return async (context, reply, request) => {
    const found = await accountOfId(context.services, fieldOf(request, "id"))
    const account = persons === null ? found : asPerson(found)
    return account === null ? notFound(context, reply, request) : run(context, reply, request, account)
  }
}

export const showAccount = consolePage(
  "/console/account",
  onAccount(async (context, reply, request, account) => {
    const around = await aroundAccount(context.services, account, ROWS_IN_SHORT)
    const [view] = await accountViews(context.services, [account])
    if (view === undefined) throw new Error("an account has a view")
    const page = renderConsoleAccount({
      ...frameOf(context, request),
      account: view,
      factors: factorKinds(around.factors),
      areCodesClosed: around.areCodesClosed,
      sessions: around.sessions,
      apps: around.apps,
      credentials: around.credentials.map((held) => credentialView(context, held)),
      events: await eventViews(context, around.events),
    })
    return sendConsole(context, reply, page)
  }),
)

export const showRename = consolePage(
  "/console/account/rename",
  onAccount((context, reply, request, account) =>
    rename(context, reply, request, account, account.username, null),
  ),
)

export const submitRename = consoleForm(
  "/console/account/rename",
  onAccount(async (context, reply, request, account) => {
    const typed = fieldOf(request, "username")
    const renamed = await updateAccount(context.services, account.userId, { username: typed }, request.from)
    if (!renamed.ok) return rename(context, reply, request, account, typed, renamed.error.problem)
    return toPage(context, reply, `/console/account?id=${encodeURIComponent(account.userId)}&done=renamed`)
  }),
)

function rename(
  context: HttpContext,
  reply: HttpReply,
  request: ConsoleRequest,
  account: Account,
  typed: string,
  problem: string | null,
): HttpReply {
  const page = renderRename({ ...frameOf(context, request), account, typed, problem })
  return sendConsole(context, reply, page, problem === null ? 200 : 400)
}

export const showPassword = provenConsolePage(
  PASSWORD,
  onAccount(
    (context, reply, request, account) => password(context, reply, request, account, null),
    "persons",
  ),
)

export const submitPassword = consoleForm(
  PASSWORD,
  onAccount(async (context, reply, request, account) => {
    const { session } = request.signedIn
    const except = session.userId === account.userId ? session.sessionHash : null
    const typed = fieldOf(request, "password")
    const set = await setPasswordOf(context.services, account.userId, typed, { ...request.from, except })
    if (!set.ok) return password(context, reply, request, account, set.error.problem)
    return toPage(context, reply, `/console/account?id=${encodeURIComponent(account.userId)}&done=password`)
  }, "persons"),
)

function password(
  context: HttpContext,
  reply: HttpReply,
  request: ConsoleRequest,
  account: Account,
  problem: string | null,
): HttpReply {
  const page = renderSetPassword({
    ...frameOf(context, request),
    account,
    problem,
    passwordLengthAtLeast: PASSWORD_LENGTH.least,
  })
  return sendConsole(context, reply, page, problem === null ? 200 : 400)
}
