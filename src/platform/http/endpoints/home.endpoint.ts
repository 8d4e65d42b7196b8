/** GET /: redirects to the account page, which asks for sign-in. */
import { sendSeeOther } from "../respond.ts"
import type { Endpoint } from "../endpoint.ts"

export const home: Endpoint = (context, _, reply) =>
  sendSeeOther(context, reply, `${context.basePath}/account`)
