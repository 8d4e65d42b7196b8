/** Damages a database file as a disk might: a byte, a page, a part, or the end of the file. */
import { readFileSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import type { Choice } from "../choice.ts"

export const PAGE_BYTES = 4096

/** The purpose of a page, which its first byte shows. https://www.sqlite.org/fileformat2.html#b_tree_pages */
export type PageKind = "first" | "interior" | "leaf" | "other"

export type Damage = {
  readonly what: string
  /**
   * Whether the damage may stay unnoticed. A changed bit may give another valid value, and a misplaced page may look
   * valid. SQLite has no checksum to detect this.
   */
  readonly mayLookWhole: boolean
}

const manners = ["a bit", "bytes", "zeroes", "another page", "noise", "cut off"] as const

export function kindOf(page: Buffer, number: number): PageKind {
  if (number === 1) return "first"
  const [type] = page
  if (type === 2 || type === 5) return "interior"
  return type === 10 || type === 13 ? "leaf" : "other"
}

/** Damages `file`. Each kind of page and each kind of damage is used in turn. */
export function damage(file: string, n: number, choice: Choice): Damage {
  const bytes = readFileSync(file)
  const count = bytes.length / PAGE_BYTES
  const kinds: readonly PageKind[] = ["leaf", "interior", "first", "other"]
  const numbers = Array.from({ length: count }, (_, i) => i + 1)
  const pageOf = (number: number) => bytes.subarray((number - 1) * PAGE_BYTES, number * PAGE_BYTES)
  const kind = kinds[n % kinds.length]
  const fitting = numbers.filter((number) => kindOf(pageOf(number), number) === kind)
  const number = choice.one(fitting.length > 0 ? fitting : numbers)
  const page = pageOf(number)
  const manner = manners[Math.floor(n / kinds.length) % manners.length] ?? "a bit"
  let left = bytes
  if (manner === "a bit") flip(page, choice)
  if (manner === "bytes") for (let i = 0; i < 16; i++) flip(page, choice)
  if (manner === "zeroes") page.fill(0)
  if (manner === "another page") pageOf(choice.one(numbers)).copy(page)
  if (manner === "noise") {
    const at = choice.below(PAGE_BYTES - 64)
    for (let i = 0; i < 64; i++) page[at + i] = choice.below(256)
  }
  if (manner === "cut off") left = bytes.subarray(0, choice.below(bytes.length))
  writeFileSync(file, left)
  return {
    what: `${manner}, page ${number} of ${count} (${kind})`,
    mayLookWhole: manner !== "zeroes" && manner !== "cut off",
  }
}

function flip(page: Buffer, choice: Choice): void {
  const at = choice.below(PAGE_BYTES)
  page[at] = (page[at] ?? 0) ^ (1 << choice.below(8))
}

/** Returns everything that is stored as text. Returns null if a part of it cannot be read. */
export function contentOf(file: string): string | null {
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      const named = database.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all()
      const tables = database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        .all()
      const rows = tables.map(({ name }) => database.prepare(`SELECT * FROM "${String(name)}"`).all())
      return JSON.stringify([named, rows], (_, value: unknown) =>
        typeof value === "bigint" ? String(value) : value,
      )
    } finally {
      database.close()
    }
  } catch {
    return null
  }
}
