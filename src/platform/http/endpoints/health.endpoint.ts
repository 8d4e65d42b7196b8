/** GET /health: 200 if the database responds. The response also says if another process has locked the database. */
import { StoreLocked } from "../../../store/store.ts"
import { sendJson } from "../respond.ts"
import type { Endpoint } from "../endpoint.ts"

export const health: Endpoint = async ({ services: { store } }, _, reply) => {
  let isLocked = await store.isLocked()
  try {
    await store.read({ setting: "health" })
  } catch (error) {
    if (!(error instanceof StoreLocked)) throw error
    isLocked = true
  }
  return sendJson(reply, 200, { status: "ok", ...(isLocked && { store: "locked" }) })
}
