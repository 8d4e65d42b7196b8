/** Numbers, dates, spans of time and lists in one language. Each format is made with its first use, which takes long. */
import { DAY, HOUR, MINUTE } from "../../kernel/time.ts"

/** English dates have the day before the month, as everywhere in this project. */
const localeOf = (tag: string) => (tag === "en" ? "en-GB" : tag)

const dates = {
  day: { day: "numeric", month: "long", year: "numeric" },
  time: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  exactTime: { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>

export class Formats {
  readonly #locale: string
  readonly #dates = new Map<keyof typeof dates, Intl.DateTimeFormat>()
  #plural: Intl.PluralRules | null = null
  #number: Intl.NumberFormat | null = null
  /** Most numbers of a page are small, and a format takes longer than the rest of a text. */
  readonly #small: string[] = []
  #relative: Intl.RelativeTimeFormat | null = null
  #list: Intl.ListFormat | null = null

  constructor(tag: string) {
    this.#locale = localeOf(tag)
  }

  get plural(): Intl.PluralRules {
    return (this.#plural ??= new Intl.PluralRules(this.#locale))
  }

  /** Formats a number, such as `1,000`. */
  number(value: number): string {
    const kept = this.#small[value]
    if (kept !== undefined) return kept
    this.#number ??= new Intl.NumberFormat(this.#locale)
    const text = this.#number.format(value)
    if (Number.isInteger(value) && value >= 0 && value < 100) this.#small[value] = text
    return text
  }

  /** Formats a day, such as `12 March 2026`. */
  day(at: number): string {
    return this.#date("day", at)
  }

  /** Formats the time of day in UTC, such as `14:05`. */
  time(at: number): string {
    return this.#date("time", at)
  }

  /** Formats the time of day with its zone, such as `14:05:09 UTC`. */
  exactTime(at: number): string {
    return `${this.#date("exactTime", at)} UTC`
  }

  #date(name: keyof typeof dates, at: number): string {
    const format =
      this.#dates.get(name) ?? new Intl.DateTimeFormat(this.#locale, { ...dates[name], timeZone: "UTC" })
    this.#dates.set(name, format)
    return format.format(at * 1000)
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
