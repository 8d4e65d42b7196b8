/** Draws a QR code. The code is always dark on white, because many scanners cannot read light on dark. */
import { type Html, html } from "../../kernel/html.ts"

/** ISO/IEC 18004 requires a quiet zone of this many modules. */
const QUIET = 4

/** Renders a QR code. `modules` lists its rows. A dark module is true. */
export function qrCode(modules: readonly (readonly boolean[])[], label: string): Html {
  const size = modules.length + 2 * QUIET
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}">
    <rect width="${size}" height="${size}" fill="#fff" />
    <path fill="#000" d="${pathOf(modules)}" />
  </svg>`
}

/** Draws one rectangle for each run of dark modules in a row. */
function pathOf(modules: readonly (readonly boolean[])[]): string {
  let path = ""
  for (const [y, row] of modules.entries()) {
    for (let x = 0; x < row.length; x++) {
      if (row[x] !== true) continue
      const start = x
      while (row[x + 1] === true) x++
      path += `M${start + QUIET} ${y + QUIET}h${x - start + 1}v1h-${x - start + 1}z`
    }
  }
  return path
}
