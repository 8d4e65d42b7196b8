/** Pages and forms of account holders: any account may use them, for itself. */
import type { HttpReply } from "../../http/connection/message.ts"
import { sendSeeOther } from "../../http/respond.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { type Role, wrappersFor } from "./page-wrappers.ts"

export const accountHolder: Role = { includes: () => true, actorOf: () => ({}) }

export const {
  page: accountPage,
  provenPage,
  form: accountForm,
  fileForm: accountFileForm,
} = wrappersFor(accountHolder)

export function toSecurity(context: HttpContext, reply: HttpReply): HttpReply {
  return sendSeeOther(context, reply, `${context.basePath}/account/security`)
}
