/** The value of an operation, or the error that it expects. Expected errors are values and never thrown. */
export type Result<T, E> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

export function ok<T>(value: T): { ok: true; value: T } {
  return { ok: true, value }
}

export function err<const E>(error: E): { ok: false; error: E } {
  return { ok: false, error }
}

/** A sentence for the person who asked: an administrator, an app's owner, an account holder. */
export type Problem = string
