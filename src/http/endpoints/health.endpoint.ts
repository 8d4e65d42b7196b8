/** GET /health: 200 once requests are served and the database answers; says where another process has locked it. */
import { sendJson } from "../respond.ts"
import type { Endpoint } from "../endpoint.ts"

export const health: Endpoint = async ({ latchkey: { store } }, _, reply) => {
  await store.read({ setting: "health" })
  return sendJson(reply, 200, { status: "ok", ...(store.isLocked() && { store: "locked" }) })
}
