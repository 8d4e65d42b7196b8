/** The format of a picture, by its first bytes. Declared types and file names do not count. */

export type PictureFormat = "png" | "jpeg" | "webp" | "gif"

/** The accepted formats. Others that a decoder knows (SVG, PDF, TIFF, HEIF…) never reach a decoder. */
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
