/**
 * GET /health: 200 if the database responds. The response also says if another process has locked the database, if
 * its disk is full, and if the nodes have different base URLs.
 */
import { metaKeys, StoreLocked } from "../../../store/store.ts"
import { sendJson } from "../respond.ts"
import type { Endpoint } from "../endpoint.ts"

export const health: Endpoint = async ({ services: { store, issuer, disk } }, _, reply) => {
  let isLocked = await store.isLocked()
  let baseUrl = issuer
  try {
    // One read proves that the database responds, and compares.
    baseUrl = (await store.read({ meta: metaKeys.baseUrl })).meta?.value ?? issuer
  } catch (error) {
    if (!(error instanceof StoreLocked)) throw error
    isLocked = true
  }
  return sendJson(reply, 200, {
    status: "ok",
    ...(isLocked ? { store: "locked" } : disk.isFull && { store: "full" }),
    ...(baseUrl !== issuer && { base_url: "differs" }),
  })
}
