/**
 * Copies a string into its own memory. V8 keeps the whole parent string alive for a substring. A cached id would keep
 * its request, with every secret in the request.
 */
export function detachString(text: string): string {
  // UTF-8 would replace lone surrogates, and the copy would no longer match as a map key.
  const encoding = text.isWellFormed() ? "utf8" : "utf16le"
  return Buffer.from(text, encoding).toString(encoding)
}
