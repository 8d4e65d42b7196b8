/**
 * Returns the path if it stays at this origin behind any base path, or null. `//host` is another site. Browsers read a
 * backslash as a slash, and leave control characters out.
 */
export function ownPath(path: string | null): string | null {
  return path !== null && /^\/(?![/\\])\P{Cc}*$/u.test(path) ? path : null
}
