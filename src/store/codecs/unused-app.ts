/**
 * Selects self-registered apps that have no consent yet. A consent clears the registration hash and moves `gone_at` by
 * at least a year (src/model/self-registration.rules.ts). The index `client_unused` must have exactly this condition.
 */
const UNUSED = "gone_at IS NOT NULL AND (registration_hash IS NOT NULL OR gone_at - issued_at < 31536000)"

/** Selects the newest app that exceeds the number of apps to keep. */
export const FIRST_UNUSED_BEYOND = `
  SELECT gone_at, client_id FROM client WHERE ${UNUSED} ORDER BY gone_at DESC, client_id DESC LIMIT 1 OFFSET ?`

/** Selects the oldest unused apps. The second and third parameters come from the row of `FIRST_UNUSED_BEYOND`. */
export const OLDEST_UNUSED = `
  SELECT client_id FROM client WHERE ${UNUSED} AND gone_at <= ? AND (gone_at, client_id) <= (?, ?)
  ORDER BY gone_at, client_id LIMIT ?`

export type UnusedApp = { readonly gone_at: number; readonly client_id: string }
