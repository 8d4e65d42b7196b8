/**
 * Converts a picture to a PNG. The result contains only the visible pixels, without metadata, further frames or
 * trailing bytes.
 *
 * Only `picture-process.ts` imports this file, because the decoders are native code and read untrusted input.
 */
import sharp from "sharp"
import { backgrounds, type Scheme } from "../../platform/ui/brand/color.rules.ts"
import { ICON_PIXELS_AT_MOST, ICON_SIDE, LOGO_SIDE_AT_MOST } from "../../kernel/limits.ts"

const SECONDS_AT_MOST = 6

sharp.concurrency(1)
sharp.cache(false)
// The library has decoders for many more formats. All others stay blocked.
sharp.block({ operation: ["VipsForeignLoad"] })
sharp.unblock({
  operation: [
    "VipsForeignLoadPngBuffer",
    "VipsForeignLoadJpegBuffer",
    "VipsForeignLoadWebpBuffer",
    "VipsForeignLoadNsgifBuffer",
  ],
})

/** Whether the header of the picture states more pixels than allowed. Throws if the header is unreadable. */
export async function hasTooManyPixels(bytes: Uint8Array): Promise<boolean> {
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
  return width * height > ICON_PIXELS_AT_MOST
}

/**
 * Applies the orientation of the picture. An icon becomes a transparent square. A logo keeps its shape and is scaled
 * down only. Throws if the picture is damaged.
 */
export function draw(bytes: Uint8Array, as: "icon" | "logo"): Promise<Uint8Array> {
  return sharp(bytes, { failOn: "warning", limitInputPixels: ICON_PIXELS_AT_MOST, autoOrient: true })
    .timeout({ seconds: SECONDS_AT_MOST })
    .toColourspace("srgb")
    .resize(
      as === "icon"
        ? { width: ICON_SIDE, height: ICON_SIDE, fit: "contain", background: { r: 0, g: 0, b: 0, alpha: 0 } }
        : { width: LOGO_SIDE_AT_MOST, height: LOGO_SIDE_AT_MOST, fit: "inside", withoutEnlargement: true },
    )
    .png({ compressionLevel: 9 })
    .toBuffer()
}

/** Whether no pixel of a logo stands out from the pages that it is for. */
export async function isInvisible(png: Uint8Array, on: Scheme): Promise<boolean> {
  // Statistics are those of the input, so the page is painted below it first.
  const painted = await sharp(png).flatten({ background: backgrounds[on][1] }).toBuffer()
  const { channels } = await sharp(painted).stats()
  return channels.every(({ min, max }) => (on === "light" ? min > 200 : max < 80))
}
