import type { Refusal } from "./refusal.ts"

/** What a rule answers: a value, or the reason why there is none. Refusals are expected and never thrown. */
export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal }

export function accept<T>(value: T): { ok: true; value: T } {
  return { ok: true, value }
}

export function refuse(refusal: Refusal): { ok: false; refusal: Refusal } {
  return { ok: false, refusal }
}
