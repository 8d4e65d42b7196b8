/**
 * Copies a string into its own memory. In V8, a substring keeps its whole parent string alive. A cached id would thus
 * keep its request in memory, with every secret in that request.
 */
export function detachString(text: string): string {
  // UTF-8 would replace lone surrogates. The copy would then differ as the key of a map.
  const encoding = text.isWellFormed() ? "utf8" : "utf16le"
  return Buffer.from(text, encoding).toString(encoding)
}
