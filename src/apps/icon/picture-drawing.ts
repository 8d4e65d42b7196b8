/**
 * Draws a picture anew, as a square PNG. What comes out holds the pixels that were seen and nothing else of the file:
 * no metadata, no further frame, nothing that stood behind the picture's end.
 *
 * Only `picture-process.ts` imports this: the decoders are native code that reads what strangers send.
 */
import sharp from "sharp"
import { ICON_PIXELS_AT_MOST, ICON_SIDE } from "../../kernel/limits.ts"

const SECONDS_AT_MOST = 6

sharp.concurrency(1)
sharp.cache(false)
// The library knows many more formats, of files and of bytes; none of them is even tried.
sharp.block({ operation: ["VipsForeignLoad"] })
sharp.unblock({
  operation: [
    "VipsForeignLoadPngBuffer",
    "VipsForeignLoadJpegBuffer",
    "VipsForeignLoadWebpBuffer",
    "VipsForeignLoadNsgifBuffer",
  ],
})

/** Whether the header claims more pixels than are unfolded. Throws where there is no header to read. */
export async function hasTooManyPixels(bytes: Uint8Array): Promise<boolean> {
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
  return width * height > ICON_PIXELS_AT_MOST
}

/** The picture upright, whole and in the middle, on a transparent square. Throws where anything about it is wrong. */
export function drawSquare(bytes: Uint8Array): Promise<Uint8Array> {
  return sharp(bytes, { failOn: "warning", limitInputPixels: ICON_PIXELS_AT_MOST, autoOrient: true })
    .timeout({ seconds: SECONDS_AT_MOST })
    .toColourspace("srgb")
    .resize(ICON_SIDE, ICON_SIDE, { fit: "contain", background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png({ compressionLevel: 9 })
    .toBuffer()
}
