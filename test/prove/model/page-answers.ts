/** What the answers to pages have in common. */
import { AHEAD_SECONDS, PAGE_SECONDS } from "./limits.ts"
import type { Told } from "./told.ts"
import { accountOf, appOf, type Device, type Form, type World } from "./world.ts"

export const NOT_YOURS: Told = { status: 403, page: "not yours" }
export const ANSWERED: Told = { status: 409, page: "answered before" }
export const STALE: Told = { status: 400, page: "stale" }
export const APP_GONE: Told = { status: 400, page: "app gone" }

export function isSignedOut(world: World, { account, session }: Form): boolean {
  return accountOf(world, account).state !== "enabled" || session.isOver
}

export function isStale(form: Form, now: number): boolean {
  return form.shownAt > now + AHEAD_SECONDS || now - form.shownAt >= PAGE_SECONDS
}

/** Whether its app may ask this of anybody, now. */
export function mayAsk(world: World, device: Device): boolean {
  const { state, mayStepUp } = appOf(world, device.app)
  return state === "enabled" && (device.stepUp === null || mayStepUp)
}
