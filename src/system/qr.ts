/** QR codes as plain modules; who shows them draws them. */
import { create } from "qrcode"

/** Rows of modules, true where dark, without the quiet zone. Error correction level M. */
export function qrModules(text: string): readonly (readonly boolean[])[] {
  const { size, data } = create(text, { errorCorrectionLevel: "M" }).modules
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_unused, x) => data[y * size + x] === 1),
  )
}
