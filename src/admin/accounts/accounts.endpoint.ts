/** GET /console/accounts and /console/account/new: the list of accounts, and the form that adds one. */
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { Account } from "../../model/account.rules.ts"
import { needsSecondFactor } from "../../model/factor.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import { usernameKey } from "../../model/username.rules.ts"
import { renderAccounts, renderNewAccount, type SignInView } from "./accounts.view.ts"
import { addAccount } from "../../accounts/accounts.ts"
import type { AccountFilter } from "../../store/list-shapes.ts"
import { accountViews } from "./account-record.ts"
import { type AccountRequest, fieldOf } from "../../accounts/guards/account-request.ts"
import { consoleForm, consolePage, type ConsoleRequest } from "../console/console-page.ts"
import { listPage } from "../console/list-paging.ts"
import { rowKeys } from "../../store/list.ts"

const NEW = "/console/account/new"

const filters: ReadonlyMap<string, AccountFilter> = new Map<string, AccountFilter>([
  ["administrators", { admin: true }],
  ["disabled", { enabled: false }],
  ["service", { type: "service" }],
])

export const showAccounts = consolePage("/console/accounts", async (request) => {
  const { store } = request.services
  const only = filters.has(request.field("only")) ? request.field("only") : ""
  const name = request.field("name")
  const nameBegins = usernameKey(name)
  const filter = { ...filters.get(only), ...(nameBegins !== "" && { nameBegins }) }
  const { rows, paging } = await listPage(request, (page) => store.accounts(page, filter), rowKeys.accounts)
  return request.send(
    renderAccounts({
      ...request.frame,
      accounts: await withSignIns(request.services, await accountViews(request.services, rows)),
      name: nameBegins === "" ? "" : name,
      only,
      paging,
    }),
  )
})

/** Reads the factors and the last sign-in of each account of a page. Service accounts have neither. */
function withSignIns<A extends Account>(
  { store }: Pick<Services, "store">,
  accounts: readonly A[],
): Promise<readonly (A & SignInView)[]> {
  return Promise.all(
    accounts.map(async (account) => {
      if (account.type === "service") return { ...account, lastSignIn: null, hasSecondStep: false }
      const { userId } = account
      const [{ factors }, [last]] = await Promise.all([
        store.read({ factors: userId }),
        store.events({ userId, kinds: ["signed-in"] }, { limit: 1 }),
      ])
      return { ...account, lastSignIn: last?.at ?? null, hasSecondStep: needsSecondFactor(factors ?? []) }
    }),
  )
}

export const showNewAccount = consolePage(NEW, (request) => show(request, null))

export const submitNewAccount = consoleForm(
  NEW,
  async (request) => {
    const added = await addAccount(request.services, {
      username: request.field("username"),
      password: request.field("password"),
      admin: isAdministrator(request),
      ...request.from,
    })
    return added.ok
      ? request.redirect(`/console/account?id=${encodeURIComponent(added.value.userId)}&done=added`)
      : show(request, added.error)
  },
  (_, request) => (isAdministrator(request) ? ["account.grant-administration"] : []),
)

function isAdministrator(request: AccountRequest): boolean {
  return fieldOf(request, "admin") === "on"
}

function show(request: ConsoleRequest, problem: string | null): HttpReply {
  const page = renderNewAccount({
    ...request.frame,
    typedName: request.field("username"),
    admin: isAdministrator(request),
    problem,
  })
  return request.send(page, problem === null ? 200 : 400)
}
