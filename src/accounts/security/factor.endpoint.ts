/** GET /account/security/factor, and its forms that rename and remove the factor. FACTOR-7, FACTOR-8. */
import type { FactorId } from "../../kernel/ids.ts"
import { isSecondFactor } from "../../model/factor.rules.ts"
import { factorNameProblem, renderFactor } from "./factor.view.ts"
import { factorsOf, removeFactor, renameFactor } from "../factors/factor.ts"
import { sendErrorPage } from "../../platform/http/respond.ts"
import { sendAccountPage } from "../guards/signed-in.ts"
import { accountForm, accountPage, type ShowForm, toSecurity } from "../guards/account-page.ts"
import { showProof } from "../guards/reauthentication-page.ts"
import { type AccountRequest, fieldOf } from "../guards/account-request.ts"

const PATH = "/account/security/factor"

export const showFactor = accountPage(PATH, (context, reply, request) =>
  show(context, reply, request, 200, null),
)

export const renameFactorForm = accountForm("/account/security/rename", async (context, reply, request) => {
  const { userId } = request.signedIn.account
  const { address } = request.from
  const name = fieldOf(request, "name")
  const renamed = await renameFactor(context.services, userId, idOf(request), name, address)
  if (renamed.ok) return toSecurity(context, reply)
  return show(context, reply, request, 400, factorNameProblem(request.browser.page.texts, renamed.error))
})

export const removeFactorForm = accountForm("/account/security/remove", async (context, reply, request) => {
  const { signedIn, from } = request
  const { sessionHash, userId } = signedIn.session
  const outcome = await removeFactor(context.services, userId, idOf(request), sessionHash, from.address)
  if (outcome === "unproven") return showProof(context, reply, request, `${PATH}?id=${idOf(request)}`)
  if (outcome === "last-way-in")
    return show(context, reply, request, 409, request.browser.page.texts.plain("factor.last-way-in"))
  return toSecurity(context, reply)
})

const show: ShowForm = async (context, reply, request, status, problem) => {
  const { services } = context
  const all = (await factorsOf(services, request.signedIn.account.userId)).filter(isSecondFactor)
  const factor = all.find(({ factorId }) => factorId === idOf(request))
  if (factor === undefined) return sendErrorPage(context, reply, 404, { kind: "notFound" })
  return sendAccountPage(context, reply, request, status, renderFactor, {
    factor,
    isLast: all.length === 1,
    problem,
  })
}

/** Reads the factor's id. The encoding is safe, because the id is only compared or put into a URL. */
function idOf(request: AccountRequest): FactorId {
  return encodeURIComponent(fieldOf(request, "id")) as FactorId
}
