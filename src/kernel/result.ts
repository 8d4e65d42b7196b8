/** The value of an operation, or an error that the caller handles. */
export type Result<T, E> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

export function ok<T>(value: T): { ok: true; value: T } {
  return { ok: true, value }
}

export function err<const E>(error: E): { ok: false; error: E } {
  return { ok: false, error }
}

/** An error message for a person, such as an operator, an app's owner or an account holder. */
export type Problem = string
