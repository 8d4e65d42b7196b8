/**
 * The same text in memory of its own. A part of a longer text keeps the whole of it: an id that stands somewhere for
 * long, the request that it came with, and every secret in that.
 */
export function detachString(text: string): string {
  // UTF-8 has no lone surrogates, and a key that is no longer the same is never found.
  const encoding = text.isWellFormed() ? "utf8" : "utf16le"
  return Buffer.from(text, encoding).toString(encoding)
}
