/**
 * Returns the path if it stays at this origin behind any base path, or null. `//host` is another site. Browsers read a
 * backslash as a slash, and leave control characters out. A header can carry no other characters than these.
 */
export function ownPath(path: string | null): string | null {
  return path !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) ? path : null
}
