/** What kind of picture some bytes are. Their beginning decides: nobody's word for it counts. */

export type PictureFormat = "png" | "jpeg" | "webp" | "gif"

/** Every format that is read. Whatever else a decoder knows (SVG, PDF, TIFF, HEIF…) never gets to one. */
const beginnings: readonly (readonly [PictureFormat, (head: string) => boolean])[] = [
  ["png", (head) => head.startsWith("\x89PNG\r\n\x1a\n")],
  ["jpeg", (head) => head.startsWith("\xff\xd8\xff")],
  ["webp", (head) => head.startsWith("RIFF") && head.startsWith("WEBPVP8", 8)],
  ["gif", (head) => head.startsWith("GIF87a") || head.startsWith("GIF89a")],
]

export function pictureFormat(bytes: Uint8Array): PictureFormat | null {
  const head = Buffer.from(bytes.subarray(0, 16)).toString("latin1")
  return beginnings.find(([, isOf]) => isOf(head))?.[0] ?? null
}

/**
 * The bytes of a picture that stands in a `data:` address (RFC 2397), whatever type it claims; null where the address
 * is none, or is not in strict base64. No address is ever followed.
 */
export function pictureOfDataUrl(address: string): Uint8Array | null {
  const text = /^data:image\/[a-z0-9.+-]{1,40};base64,(.+)$/is.exec(address)?.[1]
  if (text === undefined) return null
  const bytes = Buffer.from(text, "base64")
  return bytes.toString("base64") === text ? bytes : null
}
