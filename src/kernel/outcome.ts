/** What an administrator's request comes to: a value, or a sentence that says why not, for the person who asked. */
export type Outcome<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string }

export function done<T>(value: T): { ok: true; value: T } {
  return { ok: true, value }
}

export function declined(problem: string): { ok: false; problem: string } {
  return { ok: false, problem }
}
