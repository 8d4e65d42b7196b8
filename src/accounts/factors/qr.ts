/** QR codes as plain modules; who shows them draws them. */
import { createRequire } from "node:module"
import type * as qrcode from "qrcode"

/** Loaded with the first code that is drawn: the library brings readers and writers of pictures along. */
const load = createRequire(import.meta.url)

/** Rows of modules, true where dark, without the quiet zone. Error correction level M. */
export function qrModules(text: string): readonly (readonly boolean[])[] {
  const { create } = load("qrcode") as typeof qrcode
  const { size, data } = create(text, { errorCorrectionLevel: "M" }).modules
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_unused, x) => data[y * size + x] === 1),
  )
}
