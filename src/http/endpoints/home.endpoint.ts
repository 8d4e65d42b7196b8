/** GET /: on to the account page, or to sign-in. */
import { sendSeeOther } from "../respond.ts"
import type { Endpoint } from "../endpoint.ts"

export const home: Endpoint = (site, _, reply) => sendSeeOther(site, reply, `${site.basePath}/account`)
