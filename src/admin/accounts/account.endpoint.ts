/** GET /console/account, and its forms that rename the account and set its password. */
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { type Account, asPerson } from "../../model/account.rules.ts"
import { areCodesClosed } from "../../accounts/factors/code-tries.rules.ts"
import { type Factor, isSecondFactor } from "../../model/factor.rules.ts"
import { credentialsAsOfNow } from "../../platform/services/observed-expiry.ts"
import { isOver } from "../../accounts/sessions/session.rules.ts"
import { renderConsoleAccount, renderRename, renderSetPassword } from "./account.view.ts"
import { accountViews } from "./account-record.ts"
import { accountOfId, setPasswordOf, updateAccount } from "../../accounts/account-by-id.ts"
import { consoleForm, consolePage, type ConsoleRequest, provenConsolePage } from "../console/console-page.ts"
import { ROWS_IN_SHORT } from "../console/list-paging.ts"
import { credentialView } from "../credentials/credential-with-app.ts"
import { eventRecords } from "../events/event-record.ts"

const PASSWORD = "/console/account/password"

type Run = (request: ConsoleRequest, account: Account) => Promise<HttpReply> | HttpReply

/**
 * Wraps a handler of the account that the parameter `id` names. With `persons`, the id of a service account is not
 * found.
 */
function onAccount(
  run: Run,
  persons: "persons" | null = null,
): (request: ConsoleRequest) => Promise<HttpReply> {
  return async (request) => {
    const found = await accountOfId(request.services, request.field("id"))
    const account = persons === null ? found : asPerson(found)
    return account === null ? request.notFound() : run(request, account)
  }
}

export const showAccount = consolePage(
  "/console/account",
  onAccount(async (request, account) => {
    const { services } = request
    const { store, clock } = services
    const { userId } = account
    const page = { limit: ROWS_IN_SHORT, newestFirst: true }
    const [[view], { factors, codeTries }, sessions, apps, credentials, events] = await Promise.all([
      accountViews(services, [account]),
      store.read({ factors: userId, codeTries: userId }),
      store.sessions(userId),
      store.clients(page, { ownerId: userId }),
      credentialsAsOfNow(services, { userId }, page),
      store.events({ userId }, page),
    ])
    if (view === undefined) throw new Error("an account has a view")
    const open = sessions.filter((session) => !isOver(session, clock.now()))
    const shown = renderConsoleAccount({
      ...request.frame,
      account: view,
      factors: factorKinds(factors ?? []),
      areCodesClosed: areCodesClosed(codeTries),
      sessions: open.slice(0, ROWS_IN_SHORT),
      apps,
      credentials: credentials.map((held) => credentialView(services, held)),
      events: await eventRecords(services, events),
    })
    return request.send(shown)
  }),
)

/** Counts the factors by kind. The console shows no other details of them. */
function factorKinds(factors: readonly Factor[]) {
  const second = factors.filter(isSecondFactor)
  const recovery = factors.find((factor) => factor.kind === "recovery")
  return {
    totp: second.filter(({ kind }) => kind === "totp").length,
    passkey: second.filter(({ kind }) => kind === "passkey").length,
    recoveryLeft: recovery === undefined ? null : recovery.codes.length,
  }
}

export const showRename = consolePage(
  "/console/account/rename",
  onAccount((request, account) => rename(request, account, account.username, null)),
)

export const submitRename = consoleForm(
  "/console/account/rename",
  onAccount(async (request, account) => {
    const typed = request.field("username")
    const renamed = await updateAccount(request.services, account.userId, { username: typed }, request.from)
    if (!renamed.ok) return rename(request, account, typed, renamed.error.problem)
    return request.redirect(`/console/account?id=${encodeURIComponent(account.userId)}&done=renamed`)
  }),
)

function rename(request: ConsoleRequest, account: Account, typed: string, problem: string | null): HttpReply {
  const page = renderRename({ ...request.frame, account, typed, problem })
  return request.send(page, problem === null ? 200 : 400)
}

export const showPassword = provenConsolePage(
  PASSWORD,
  onAccount((request, account) => password(request, account, null), "persons"),
)

export const submitPassword = consoleForm(
  PASSWORD,
  onAccount(async (request, account) => {
    const { session } = request.signedIn
    const except = session.userId === account.userId ? session.sessionHash : null
    const typed = request.field("password")
    const set = await setPasswordOf(request.services, account.userId, typed, { ...request.from, except })
    if (!set.ok) return password(request, account, set.error.problem)
    return request.redirect(`/console/account?id=${encodeURIComponent(account.userId)}&done=password`)
  }, "persons"),
)

function password(request: ConsoleRequest, account: Account, problem: string | null): HttpReply {
  const page = renderSetPassword({ ...request.frame, account, problem })
  return request.send(page, problem === null ? 200 : 400)
}
