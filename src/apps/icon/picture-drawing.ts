/**
 * Draws a picture again, as a square PNG. The result has the visible pixels and nothing else of the file: no metadata,
 * no further frame, no bytes after the end of the picture.
 *
 * Only `picture-process.ts` imports this: the decoders are native code and read untrusted input.
 */
import sharp from "sharp"
import { ICON_PIXELS_AT_MOST, ICON_SIDE } from "../../kernel/limits.ts"

const SECONDS_AT_MOST = 6

sharp.concurrency(1)
sharp.cache(false)
// The library knows many more formats. All others stay off.
sharp.block({ operation: ["VipsForeignLoad"] })
sharp.unblock({
  operation: [
    "VipsForeignLoadPngBuffer",
    "VipsForeignLoadJpegBuffer",
    "VipsForeignLoadWebpBuffer",
    "VipsForeignLoadNsgifBuffer",
  ],
})

/** Whether the header claims more pixels than the limit. Throws if there is no readable header. */
export async function hasTooManyPixels(bytes: Uint8Array): Promise<boolean> {
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
  return width * height > ICON_PIXELS_AT_MOST
}

/** The whole picture, upright, centered on a transparent square. Throws on a broken picture. */
export function drawSquare(bytes: Uint8Array): Promise<Uint8Array> {
  return sharp(bytes, { failOn: "warning", limitInputPixels: ICON_PIXELS_AT_MOST, autoOrient: true })
    .timeout({ seconds: SECONDS_AT_MOST })
    .toColourspace("srgb")
    .resize(ICON_SIDE, ICON_SIDE, { fit: "contain", background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png({ compressionLevel: 9 })
    .toBuffer()
}
