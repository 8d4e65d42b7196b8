/** Expected responses that several pages share. */
import { AHEAD_SECONDS, PAGE_SECONDS } from "./limits.ts"
import type { Expected } from "./expected.ts"
import { accountOf, type Form, type World } from "./world.ts"

export const NOT_YOURS: Expected = { status: 403, page: "not yours" }
export const ANSWERED: Expected = { status: 409, page: "answered before" }
export const ANSWERED_BY_ANOTHER: Expected = { status: 409, page: "answered by another" }
export const ADDRESS_GONE: Expected = { status: 400, page: "wrong address" }
export const ADMINISTRATION_WITHDRAWN: Expected = { status: 403, page: "administration withdrawn" }
export const GROUPS_WITHDRAWN: Expected = { status: 403, page: "groups withdrawn" }
export const REQUEST_CHANGED: Expected = { status: 409, page: "request changed" }
export const STALE: Expected = { status: 400, page: "stale" }
export const APP_GONE: Expected = { status: 400, page: "app gone" }
export const CONNECTION_ENDED: Expected = { status: 400, page: "connection ended" }
export const NOT_ALLOWED: Expected = { status: 400, page: "step-up withdrawn" }

export function isSignedOut(world: World, { account, session }: Form): boolean {
  return accountOf(world, account).state !== "enabled" || session.isOver
}

export function isStale(form: Form, now: number): boolean {
  return form.shownAt > now + AHEAD_SECONDS || now - form.shownAt > PAGE_SECONDS
}
