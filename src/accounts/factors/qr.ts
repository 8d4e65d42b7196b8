/** QR codes as modules. `ui/qr.ts` draws them. */
import { createRequire } from "node:module"
import type * as qrcode from "qrcode"

/** Loaded with the first code: the library loads image readers and writers too. */
const load = createRequire(import.meta.url)

/** Rows of modules, true where dark, without the quiet zone. Error correction level M. */
export function qrModules(text: string): readonly (readonly boolean[])[] {
  const { create } = load("qrcode") as typeof qrcode
  const { size, data } = create(text, { errorCorrectionLevel: "M" }).modules
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_unused, x) => data[y * size + x] === 1),
  )
}
