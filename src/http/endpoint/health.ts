/** GET /health: 200 once requests are served and the database answers. */
import { sendJson } from "../respond.ts"
import type { Endpoint } from "./endpoint.ts"

export const health: Endpoint = async ({ latchkey }, _, reply) => {
  await latchkey.store.read({ setting: "health" })
  return sendJson(reply, 200, { status: "ok" })
}
