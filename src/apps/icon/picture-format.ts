/** Detects the format of a picture by its first bytes, because declared types and file names may be wrong. */

export type PictureFormat = "png" | "jpeg" | "webp" | "gif"

/** The accepted formats. A file in another format (SVG, PDF, TIFF, HEIF…) never reaches a decoder. */
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
