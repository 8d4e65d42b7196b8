/**
 * How a page looks: what axe finds in it, how wide it is, and pictures of it. That does not depend on the database: on the
 * second engine that is skipped.
 *
 * LATCHKEY_SCREENSHOTS=DIR keeps a picture of each page, at 360 and 1280 px, light and dark.
 */
import assert from "node:assert/strict"
import { mkdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { ENGINE } from "./database.ts"

/** Tests whose subject is how pages look are for this engine alone. */
export const isLookedAt = ENGINE === "sqlite"
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
const pictures = process.env["LATCHKEY_SCREENSHOTS"]

/** Widths change where things are, and schemes their colours: axe sees each of them once. */
const looks = [
  { width: 360, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
] as const
const otherLooks = [
  { width: 360, colorScheme: "dark" },
  { width: 1280, colorScheme: "light" },
] as const

/** What axe finds on the page on a phone and on a desk, in light and in dark: one line each. */
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

/** By how much the page is wider than a small phone: one line each. */
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

/** As it is shown now. */
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
 * Once all of the page has come: a click waits for no more than its beginning. Where a page has been left, axe has to be
 * read into it again, which takes longer than running it.
 */
async function violationsOn(page: Page): Promise<readonly Violation[]> {
  await page.waitForLoadState()
  if (!(await page.evaluate<boolean>(`"axe" in window`))) await page.evaluate(AXE)
  return page.evaluate(`axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)`)
}
