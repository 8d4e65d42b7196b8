/** What the terminal shows while somebody answers elsewhere: the code, large; the link; and the link as a QR code. */
import { qrModules } from "../../accounts/factors/qr.ts"
import { largeLetters } from "./large-letters.ts"
import { visible } from "../kit/print.ts"

export type DeviceNotice = {
  readonly userCode: string
  readonly verificationUri: string
  /** The link with the code in it; null where the service gives none. */
  readonly verificationUriComplete: string | null
}

/** `isColoured`: the QR code in black on white whatever the terminal's colours are. */
export function deviceNotice(
  { userCode, verificationUri, verificationUriComplete }: DeviceNotice,
  isColoured: boolean,
): string {
  const link = verificationUriComplete ?? verificationUri
  return [
    `On any device with a browser, open\n\n  ${visible(verificationUri)}\n\nand type this code:\n`,
    indented(largeLetters(userCode)),
    `  ${visible(userCode)}\n`,
    verificationUriComplete === null ? "" : `Or open this, and compare the code:\n\n  ${visible(link)}\n`,
    link.length > QR_CHARACTERS_AT_MOST ? "" : indented(qrText(link, isColoured)),
    "Waiting for the answer …\n",
  ]
    .filter((part) => part !== "")
    .join("\n")
}

/** A longer address is no address that a service of ours prints, and a picture of it would fill the terminal. */
const QR_CHARACTERS_AT_MOST = 500

function indented(text: string): string {
  return text === "" ? "" : `${text.replaceAll(/^(?=.)/gm, "  ")}\n`
}

/** Modules of light around the code: ISO/IEC 18004 asks for four, and two do for every reader in use. */
const QUIET = 2

/** Two rows of modules a line, by half blocks: about as high as wide. */
export function qrText(text: string, isColoured: boolean): string {
  const modules = qrModules(text)
  const width = modules.length + 2 * QUIET
  const isDark = (x: number, y: number) => modules[y - QUIET]?.[x - QUIET] === true
  const lines: string[] = []
  for (let y = 0; y < width; y += 2) {
    const line = Array.from({ length: width }, (_, x) => halves(isDark(x, y), isDark(x, y + 1))).join("")
    lines.push(isColoured ? `${BLACK_ON_WHITE}${line}${PLAIN}` : line)
  }
  return lines.join("\n")
}

const BLACK_ON_WHITE = "\u001b[38;5;16;48;5;231m"
const PLAIN = "\u001b[0m"

function halves(upper: boolean, lower: boolean): string {
  if (upper) return lower ? "█" : "▀"
  return lower ? "▄" : " "
}
