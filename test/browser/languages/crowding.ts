/**
 * Looks for text that does not fit: outside of a small window, of its own box, or across another text. Each page is
 * checked with normal and with doubled text, as WCAG 2.2 SC 1.4.4 and 1.4.10 ask.
 */
import type { CDPSession, Page } from "playwright-core"

const NORMAL = 16
const sights = [
  { width: 320, text: NORMAL },
  { width: 1280, text: NORMAL },
  { width: 320, text: 32 },
  { width: 1280, text: 32 },
] as const

/**
 * Returns a line for each text that does not fit. Normal text breaks no word, except a name or a code. Text in a strip that scrolls sideways may leave the window, and what
 * only screen readers read has no place. Boxes of neighboring lines touch, so only deep overlaps count.
 */
const CROWDED = `((seeksBroken) => {
  const found = []
  const over = document.documentElement.scrollWidth - innerWidth
  if (over > 0) found.push("the page is " + over + " pixels too wide")
  const boxes = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement
    if (node.data.trim() === "" || parent.closest(".unseen") !== null) continue
    const range = document.createRange()
    if (seeksBroken && parent.closest("bdi, code") === null)
      for (const { 0: word, index } of node.data.matchAll(/[[\\p{L}\\p{M}]--[\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hani}]]{2,}/gv)) {
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        if (new Set(Array.from(range.getClientRects(), ({ top }) => top)).size > 1) found.push(word + " is broken")
      }
    range.selectNodeContents(node)
    const scrolls = parent.closest(".places") !== null
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) continue
      const words = JSON.stringify(node.data.trim())
      if (scrolls) continue
      boxes.push({ box, words, node })
      if (box.left < -1 || box.right > innerWidth + 1) found.push(words + " leaves the window")
      for (let around = parent; around !== document.body; around = around.parentElement) {
        const { left, right } = around.getBoundingClientRect()
        if (right > left && (box.left < left - 1 || box.right > right + 1)) found.push(words + " leaves its " + around.localName)
      }
    }
  }
  for (const [at, one] of boxes.entries())
    for (const other of boxes.slice(at + 1)) {
      if (one.node === other.node) continue
      const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
      const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
      if (width > 2 && height > Math.min(one.box.height, other.box.height) / 2)
        found.push(one.words + " and " + other.words + " overlap")
    }
  return [...new Set(found)]
})`

export class CrowdingCheck {
  readonly #page: Page
  readonly #session: CDPSession

  private constructor(page: Page, session: CDPSession) {
    this.#page = page
    this.#session = session
  }

  static async of(page: Page): Promise<CrowdingCheck> {
    return new CrowdingCheck(page, await page.context().newCDPSession(page))
  }

  /** The page is shown with normal text in a small window afterwards. */
  async crowded(name: string): Promise<string[]> {
    const found: string[] = []
    for (const { width, text } of sights) {
      await this.#turnTo(width, text)
      const lines = await this.#page.evaluate<string[]>(`${CROWDED}(${text === NORMAL})`)
      found.push(...lines.map((line) => `${name}, ${width} px, text of ${text} px: ${line}`))
    }
    await this.#turnTo(320, 16)
    return found
  }

  /** Sets the size of text that a person chooses in the settings of the browser. */
  async #turnTo(width: number, text: number): Promise<void> {
    await this.#page.setViewportSize({ width, height: 720 })
    await this.#session.send("Page.setFontSizes", { fontSizes: { standard: text, fixed: text } })
  }
}
