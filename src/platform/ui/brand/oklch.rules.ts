/**
 * Colors in OKLCH, whose lightness is that which people see: https://www.w3.org/TR/css-color-4/#ok-lab. A change of the
 * lightness of HSL would turn a gray with a trace of yellow into a vivid yellow.
 */

export type Oklch = { readonly lightness: number; readonly chroma: number; readonly hue: number }

type Triple = readonly [number, number, number]

/** Reads `#RRGGBB` as linear light between 0 and 1. */
function linearOf(hex: string): Triple {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

const encoded = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)

/** The contrast of two colors, from 1 to 21. WCAG 2.2, "contrast ratio". */
export function contrastOf(one: string, other: string): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function luminanceOf(hex: string): number {
  const [r, g, b] = linearOf(hex)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

export function oklchOf(hex: string): Oklch {
  const [r, g, b] = linearOf(hex)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const greenToRed = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const blueToYellow = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(greenToRed, blueToYellow),
    hue: Math.atan2(blueToYellow, greenToRed),
  }
}

/** Returns `#rrggbb`. A chroma that no screen has at this lightness is reduced until one has it. */
export function hexOf(color: Oklch): string {
  const withChroma = (part: number) => linearFrom({ ...color, chroma: color.chroma * part })
  const digits = (value: number) =>
    Math.round(Math.min(Math.max(encoded(Math.max(value, 0)), 0), 1) * 255)
      .toString(16)
      .padStart(2, "0")
  return `#${withChroma(greatest((part) => isOnScreen(withChroma(part))))
    .map(digits)
    .join("")}`
}

/** Returns the greatest part of 1 that fits. */
function greatest(fits: (part: number) => boolean): number {
  if (fits(1)) return 1
  let [low, high] = [0, 1]
  for (let i = 0; i < 16; i++) {
    const middle = (low + high) / 2
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}

const isOnScreen = (linear: Triple) => linear.every((value) => value > -0.0005 && value < 1.0005)

function linearFrom({ lightness, chroma, hue }: Oklch): Triple {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}
