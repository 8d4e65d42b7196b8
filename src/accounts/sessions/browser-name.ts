/** People recognize their browsers by this name. The User-Agent header proves nothing. */
import type { Texts } from "../../platform/languages/texts.ts"

/** The first match counts. The order matters, because most browsers also name other browsers in this header. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFxiOS\/|\bFirefox\//, "Firefox"],
  [/\bCriOS\/|Chrome\/|\bChromium\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*\bSafari\//, "Safari"],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows NT\b/, "Windows"],
  [/\bMacintosh\b|\bMac OS X\b/, "mac"],
  [/\bLinux\b|\bX11\b/, "Linux"],
]

/** Returns a name such as `Firefox on Linux`. Returns `A browser` if browser and system are unknown. */
export function browserInWords(texts: Texts, userAgent: string): string {
  const find = (table: typeof browsers) => table.find(([pattern]) => pattern.test(userAgent))?.[1]
  const [browser, system = "none"] = [find(browsers), find(systems)]
  return browser === undefined
    ? texts.plain("browsers.unnamed", { system })
    : texts.plain("browsers.named", { browser, system })
}
