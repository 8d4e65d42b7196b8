/** The notice in the terminal. It shows the code in large letters, the link, and the link as a QR code. */
import { qrModules } from "../../accounts/factors/qr.ts"
import { largeLetters } from "./large-letters.ts"
import { visible } from "../../platform/cli/print.ts"

export type DeviceNotice = {
  readonly userCode: string
  readonly verificationUri: string
  /** The link that contains the code. It is null if the service sends no such link. */
  readonly verificationUriComplete: string | null
}

/** Formats the notice. `isColored` draws the QR code in black on white, whatever colors the terminal uses. */
export function deviceNotice(
  { userCode, verificationUri, verificationUriComplete }: DeviceNotice,
  isColored: boolean,
): string {
  const link = verificationUriComplete ?? verificationUri
  return [
    `On any device with a browser, open\n\n  ${visible(verificationUri)}\n\nand type this code:\n`,
    indented(largeLetters(userCode)),
    `  ${visible(userCode)}\n`,
    verificationUriComplete === null ? "" : `Or open this link and compare the code:\n\n  ${visible(link)}\n`,
    link.length > MAX_QR_CHARACTERS ? "" : indented(qrText(link, isColored)),
    "Waiting for the answer…\n",
  ]
    .filter((part) => part !== "")
    .join("\n")
}

/** Links of this service are shorter than this. A larger QR code would fill the terminal. */
const MAX_QR_CHARACTERS = 500

function indented(text: string): string {
  return text === "" ? "" : `${text.replaceAll(/^(?=.)/gm, "  ")}\n`
}

/** The width of the light border around the code. ISO/IEC 18004 requires four modules. Scanners accept two. */
const QUIET = 2

/** Draws two rows of modules on each line with half blocks, so that the code is about as high as wide. */
export function qrText(text: string, isColored: boolean): string {
  const modules = qrModules(text)
  const width = modules.length + 2 * QUIET
  const isDark = (x: number, y: number) => modules[y - QUIET]?.[x - QUIET] === true
  const lines: string[] = []
  for (let y = 0; y < width; y += 2) {
    const line = Array.from({ length: width }, (_, x) => halves(isDark(x, y), isDark(x, y + 1))).join("")
    lines.push(isColored ? `${BLACK_ON_WHITE}${line}${PLAIN}` : line)
  }
  return lines.join("\n")
}

const BLACK_ON_WHITE = "\u001b[38;5;16;48;5;231m"
const PLAIN = "\u001b[0m"

function halves(upper: boolean, lower: boolean): string {
  if (upper) return lower ? "█" : "▀"
  return lower ? "▄" : " "
}
