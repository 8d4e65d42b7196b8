/** Dates, spans of time and lists in one language. Each format is made with its first use, because that takes long. */
import { DAY, HOUR, MINUTE } from "../../kernel/time.ts"

/** English dates have the day before the month, as everywhere in this project. */
const localeOf = (tag: string) => (tag === "en" ? "en-GB" : tag)

export class Formats {
  readonly #locale: string
  readonly #made = new Map<string, Intl.DateTimeFormat>()
  #relative: Intl.RelativeTimeFormat | null = null
  #list: Intl.ListFormat | null = null

  constructor(tag: string) {
    this.#locale = localeOf(tag)
  }

  /** Formats a day, such as `12 March 2026`. */
  day(at: number): string {
    return this.#date("day", { day: "numeric", month: "long", year: "numeric" }).format(at * 1000)
  }

  /** Formats the time of day in UTC, such as `14:05`. */
  time(at: number): string {
    return this.#date("time", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at * 1000)
  }

  /** Formats the time of day with its zone, such as `14:05:09 UTC`. */
  exactTime(at: number): string {
    const format = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const
    return `${this.#date("exactTime", format).format(at * 1000)} UTC`
  }

  #date(name: string, format: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    const made = this.#made.get(name)
    if (made !== undefined) return made
    const one = new Intl.DateTimeFormat(this.#locale, { ...format, timeZone: "UTC" })
    this.#made.set(name, one)
    return one
  }

  /** Formats how long ago something was, at least a minute, such as `3 hours ago`. */
  ago(seconds: number): string {
    this.#relative ??= new Intl.RelativeTimeFormat(this.#locale)
    if (seconds < 2 * HOUR) return this.#relative.format(-Math.floor(seconds / MINUTE), "minute")
    return seconds < 2 * DAY
      ? this.#relative.format(-Math.floor(seconds / HOUR), "hour")
      : this.#relative.format(-Math.floor(seconds / DAY), "day")
  }

  /** Joins pieces as a sentence does, such as `A, B and C`. Returns the pieces and what stands between them. */
  list<T>(items: readonly T[]): readonly (T | string)[] {
    this.#list ??= new Intl.ListFormat(this.#locale)
    const parts = this.#list.formatToParts(items.map((_, at) => String(at)))
    return parts.map(({ type, value }) => (type === "element" ? (items[Number(value)] ?? "") : value))
  }
}
