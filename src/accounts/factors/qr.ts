/** QR codes as matrices of modules. `ui/qr.ts` draws them. */
import { createRequire } from "node:module"
import type * as qrcode from "qrcode"

/** Loaded at the first code, because the library also loads readers and writers of image files. */
const load = createRequire(import.meta.url)

/** Returns rows of modules without the light border; true is dark. Error correction level M. */
export function qrModules(text: string): readonly (readonly boolean[])[] {
  const { create } = load("qrcode") as typeof qrcode
  const { size, data } = create(text, { errorCorrectionLevel: "M" }).modules
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_unused, x) => data[y * size + x] === 1),
  )
}
