/**
 * GET /health: 200 if the database responds. The response also says if another process has locked the database, and if
 * the nodes have different base URLs.
 */
import { metaKeys, StoreLocked } from "../../../store/store.ts"
import { sendJson } from "../respond.ts"
import type { Endpoint } from "../endpoint.ts"

export const health: Endpoint = async ({ services: { store, issuer } }, _, reply) => {
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
    ...(isLocked && { store: "locked" }),
    ...(baseUrl !== issuer && { base_url: "differs" }),
  })
}
