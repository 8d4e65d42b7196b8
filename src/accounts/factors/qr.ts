/** QR codes as matrices of modules. `platform/ui/qr.ts` draws them. */
import { createRequire } from "node:module"
import type * as qrcode from "qrcode"

/** The library is loaded when the first QR code is needed, because it also loads code for image files. */
const load = createRequire(import.meta.url)

/** Returns the rows of the QR code without its light border. A dark module is true. The error correction level is M. */
export function qrModules(text: string): readonly (readonly boolean[])[] {
  const { create } = load("qrcode") as typeof qrcode
  const { size, data } = create(text, { errorCorrectionLevel: "M" }).modules
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_unused, x) => data[y * size + x] === 1),
  )
}
