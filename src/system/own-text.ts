/**
 * The same text in memory of its own. A part of a longer text keeps the whole of it: an id that stands somewhere for
 * long, the request that it came with, and every secret in that.
 *
 * `text` is well-formed: a lone surrogate would be replaced.
 */
export function ownText(text: string): string {
  return Buffer.from(text).toString()
}
