/**
 * Checks the look of a page: what axe finds, how wide the page is, and pictures. The look does not depend on the
 * database, so the second engine skips these tests.
 *
 * LATCHKEY_SCREENSHOTS=DIR stores a picture of each page, at 360 and 1280 px, light and dark.
 */
import assert from "node:assert/strict"
import { mkdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { ENGINE } from "./database.ts"

/** Tests that concern the look of pages run only on this engine. */
export const isLookedAt = ENGINE === "sqlite"
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
const pictures = process.env["LATCHKEY_SCREENSHOTS"]

/** Widths change positions, and schemes change colors. axe checks each of them once. */
const looks = [
  { width: 360, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
] as const
const otherLooks = [
  { width: 360, colorScheme: "dark" },
  { width: 1280, colorScheme: "light" },
] as const

/** Returns what axe finds on a phone and on a desktop, in light and in dark. Each finding is one line. */
export async function flawsOf(page: Page, name: string): Promise<string[]> {
  if (!isLookedAt) return []
  const flaws: string[] = []
  for (const look of looks) {
    await turnTo(page, look)
    for (const { id, nodes } of await violationsOn(page))
      flaws.push(`${titleOf(name, look)}: ${id} ${nodes.map(({ target }) => target.join(" ")).join(", ")}`)
  }
  if (pictures === undefined) return flaws
  mkdirSync(pictures, { recursive: true })
  for (const look of [...looks, ...otherLooks]) {
    await turnTo(page, look)
    await page.screenshot({ path: join(pictures, `${titleOf(name, look)}.png`), fullPage: true })
  }
  return flaws
}

/** Returns by how much the page is wider than a small phone. Each case is one line. */
export async function widthsOf(page: Page, name: string): Promise<string[]> {
  if (!isLookedAt) return []
  const wide: string[] = []
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 720 })
    const over = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
    if (over > 0) wide.push(`${name} at ${width}: ${over} pixels too wide`)
  }
  return wide
}

/** Checks the page as it is shown now. */
export async function assertAccessible(page: Page): Promise<void> {
  if (!isLookedAt) return
  const violations = await violationsOn(page)
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
    [],
    page.url(),
  )
}

type Look = (typeof looks | typeof otherLooks)[number]

const titleOf = (name: string, { width, colorScheme }: Look) => `${name}-${width}-${colorScheme}`

async function turnTo(page: Page, { width, colorScheme }: Look): Promise<void> {
  await page.setViewportSize({ width, height: 720 })
  await page.emulateMedia({ colorScheme })
}

type Violation = { readonly id: string; readonly nodes: readonly { target: string[]; html: string }[] }

/**
 * Waits until the page is complete, because a click waits only for the beginning of the next page. axe must be loaded
 * again for each new page. Loading it takes longer than running it.
 */
async function violationsOn(page: Page): Promise<readonly Violation[]> {
  await page.waitForLoadState()
  if (!(await page.evaluate<boolean>(`"axe" in window`))) await page.evaluate(AXE)
  return page.evaluate(`axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)`)
}
