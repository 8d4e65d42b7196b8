/** Tests dates and times as people read them, whatever the time zone of the service. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { exactInstant, isoDay } from "../../../src/platform/ui/instant.ts"
import { english } from "../../support/page-input.ts"

const formats = {
  day: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }),
  time: new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" }),
  seconds: new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: "UTC" }),
}

test("Instants read as British dates in UTC: every day of four years, and each hour and second once", () => {
  const start = Date.UTC(2024, 0, 1) / 1000
  for (let n = 0; n < 4 * 366; n++) {
    const at = start + n * 86_400 + (n % 24) * 3600 + ((n * 7) % 3600)
    const date = new Date(at * 1000)
    assert.equal(isoDay(at), date.toISOString().slice(0, 10))
    assert.equal(english.formats.day(at), formats.day.format(date))
    assert.equal(english.formats.time(at), formats.time.format(date))
    assert.equal(
      exactInstant(english, at),
      `${formats.day.format(date)}, ${formats.seconds.format(date)} UTC`,
    )
  }
  assert.equal(exactInstant(english, Date.UTC(2026, 2, 12, 14, 5, 9) / 1000), "12 March 2026, 14:05:09 UTC")
})
