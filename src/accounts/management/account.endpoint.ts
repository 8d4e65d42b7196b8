/** GET /console/account, and the forms that rename it and set its password. */
import type { Account } from "../../records/account.rules.ts"
import { PASSWORD_LENGTH } from "../../kernel/limits.ts"
import { renderConsoleAccount, renderRename, renderSetPassword } from "./account.view.ts"
import { accountOfId, setPasswordOf, updateAccount } from "../account-by-id.ts"
import { aroundAccount, factorKinds } from "../../console/console-lists.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import type { HttpContext } from "../../http/http-context.ts"
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
} from "../../console/console-page.ts"
import { ROWS_IN_SHORT } from "../../console/list-paging.ts"
import { credentialView, eventViews } from "../../console/views.ts"

const PASSWORD = "/console/account/password"

type Run = (
  site: HttpContext,
  reply: HttpReply,
  visit: ConsoleRequest,
  account: Account,
) => Promise<HttpReply> | HttpReply

/** For what is about the account that `id` names. */
export function onAccount(
  run: Run,
): (site: HttpContext, reply: HttpReply, visit: ConsoleRequest) => Promise<HttpReply> {
  return async (site, reply, visit) => {
    const account = await accountOfId(site.services, fieldOf(visit, "id"))
    return account === null ? notFound(site, reply, visit) : run(site, reply, visit, account)
  }
}

export const showAccount = consolePage(
  "/console/account",
  onAccount(async (site, reply, visit, account) => {
    const around = await aroundAccount(site.services, account, ROWS_IN_SHORT)
    const page = renderConsoleAccount({
      ...frameOf(site, visit),
      account,
      factors: factorKinds(around.factors),
      areCodesClosed: around.areCodesClosed,
      sessions: around.sessions,
      apps: around.apps,
      credentials: around.credentials.map((held) => credentialView(site, held)),
      events: await eventViews(site, around.events),
    })
    return sendConsole(site, reply, page)
  }),
)

export const showRename = consolePage(
  "/console/account/rename",
  onAccount((site, reply, visit, account) => rename(site, reply, visit, account, account.username, null)),
)

export const submitRename = consoleForm(
  "/console/account/rename",
  onAccount(async (site, reply, visit, account) => {
    const typed = fieldOf(visit, "username")
    const renamed = await updateAccount(site.services, account.userId, { username: typed }, visit.from)
    if (!renamed.ok) return rename(site, reply, visit, account, typed, renamed.problem)
    return toPage(site, reply, `/console/account?id=${account.userId}&done=renamed`)
  }),
)

function rename(
  site: HttpContext,
  reply: HttpReply,
  visit: ConsoleRequest,
  account: Account,
  typed: string,
  problem: string | null,
): HttpReply {
  const page = renderRename({ ...frameOf(site, visit), account, typed, problem })
  return sendConsole(site, reply, page, problem === null ? 200 : 400)
}

export const showPassword = provenConsolePage(
  PASSWORD,
  onAccount((site, reply, visit, account) => password(site, reply, visit, account, null)),
)

export const submitPassword = consoleForm(
  PASSWORD,
  onAccount(async (site, reply, visit, account) => {
    const { session } = visit.signedIn
    const except = session.userId === account.userId ? session.sessionHash : null
    const typed = fieldOf(visit, "password")
    const set = await setPasswordOf(site.services, account.userId, typed, { ...visit.from, except })
    if (!set.ok) return password(site, reply, visit, account, set.problem)
    return toPage(site, reply, `/console/account?id=${account.userId}&done=password`)
  }),
)

function password(
  site: HttpContext,
  reply: HttpReply,
  visit: ConsoleRequest,
  account: Account,
  problem: string | null,
): HttpReply {
  const page = renderSetPassword({
    ...frameOf(site, visit),
    account,
    problem,
    passwordLengthAtLeast: PASSWORD_LENGTH.least,
  })
  return sendConsole(site, reply, page, problem === null ? 200 : 400)
}
