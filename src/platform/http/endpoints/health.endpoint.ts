/**
 * GET /health: 200 if the database responds. The response also says if another process has locked the database, if
 * its disk is full, and if the nodes have different base URLs.
 */
import { StoreLocked } from "../../../store/unavailable.ts"
import { hasOtherBaseUrl } from "../../services/recorded-base-url.ts"
import { sendJson } from "../respond.ts"
import type { Endpoint } from "../endpoint.ts"

export const health: Endpoint = async ({ services }, _, reply) => {
  let isLocked = await services.store.isLocked()
  let differs = false
  try {
    // One read proves that the database responds, and compares.
    differs = await hasOtherBaseUrl(services)
  } catch (error) {
    if (!(error instanceof StoreLocked)) throw error
    isLocked = true
  }
  return sendJson(reply, 200, {
    status: "ok",
    ...(isLocked ? { store: "locked" } : services.disk.isFull && { store: "full" }),
    ...(differs && { base_url: "differs" }),
  })
}
