/** Returns a number of seconds, at least 0. Returns null if `Cache-Control` sets no lifetime and forbids no reuse. */
export function cacheLifetime(cacheControl: string | undefined, age: string | undefined): number | null {
  const directives = (cacheControl ?? "")
    .toLowerCase()
    .split(",")
    .map((directive) => directive.trim())
  if (directives.some((directive) => /^no-(?:store|cache)\b/.test(directive))) return 0
  const aged = /^\d{1,9}$/.test(age ?? "") ? Number(age) : 0
  for (const directive of directives) {
    const [, seconds] = /^max-age="?(\d{1,9})"?$/.exec(directive) ?? []
    if (seconds !== undefined) return Math.max(0, Number(seconds) - aged)
  }
  return null
}
