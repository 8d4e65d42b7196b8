/** Tests that the axes of plots are correct, that stacks add up, and that gaps stay gaps. */
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import fc from "fast-check"
import { DAY, HOUR, MINUTE } from "../../../../src/kernel/time.ts"
import { barPlot } from "../../../../src/platform/ui/plot/bars.ts"
import { levelPlot } from "../../../../src/platform/ui/plot/level.ts"
import { LOOKS, look, patterns } from "../../../../src/platform/ui/plot/pattern.ts"
import { countAxis, type TimeRange, timeTicks } from "../../../../src/platform/ui/plot/scale.ts"
import { highest, runs, stacks } from "../../../../src/platform/ui/plot/stack.ts"
import { countsInWords, levelInWords, shortNumber, timeText } from "../../../../src/platform/ui/plot/words.ts"

/** 15 January 2027, 08:00 UTC. */
const NOW = 1_800_000_000

const hour: TimeRange = { from: NOW - HOUR, step: MINUTE, points: 60 }
const day: TimeRange = { from: NOW - DAY, step: HOUR, points: 24 }
const month: TimeRange = { from: 1_799_971_200 - 29 * DAY, step: DAY, points: 30 }

describe("the axis of counts", () => {
  test("begins at zero, ends at or above the largest, in even steps of 1, 2 or 5", () => {
    assert.deepEqual(countAxis(0), { top: 1, ticks: [0, 1] })
    assert.deepEqual(countAxis(1), { top: 1, ticks: [0, 1] })
    assert.deepEqual(countAxis(7), { top: 8, ticks: [0, 2, 4, 6, 8] })
    assert.deepEqual(countAxis(1234), { top: 1500, ticks: [0, 500, 1000, 1500] })
    fc.assert(
      fc.property(fc.nat(2_000_000_000), (largest) => {
        const { top, ticks } = countAxis(largest)
        const [zero, step = 0] = ticks
        assert.equal(zero, 0)
        assert.equal(ticks.at(-1), top)
        assert.ok(top >= largest && (largest === 0 || top - step < largest), `${top} for ${largest}`)
        assert.match(String(step), /^[125]0*$/)
        assert.ok(ticks.length <= 5 && ticks.every((tick, i) => tick === i * step))
      }),
    )
  })
})

describe("the axis of time", () => {
  const shown = (range: TimeRange) => timeTicks(range).map(({ at }) => timeText(at, range.step))

  test("has times that a clock or a calendar shows, few enough to be read", () => {
    assert.deepEqual(shown(hour), ["07:00", "07:15", "07:30", "07:45"])
    assert.deepEqual(shown(day), ["12:00", "18:00", "00:00", "06:00"])
    assert.deepEqual(shown(month), ["18 Dec", "25 Dec", "1 Jan", "8 Jan", "15 Jan"])
  })

  test("puts a time where its point begins, and a day in the middle of its bar", () => {
    assert.deepEqual(
      timeTicks(hour).map(({ place }) => place),
      [0, 0.25, 0.5, 0.75],
    )
    assert.equal(timeTicks(month).at(-1)?.place, 29.5 / 30)
    for (const { place } of timeTicks(day)) assert.ok(place >= 0 && place < 1)
  })
})

describe("stacks", () => {
  test("stand on each other; what is zero is left out", () => {
    const [first, second] = stacks(
      [
        [2, 0],
        [0, 0],
        [3, 1],
      ],
      2,
    )
    assert.deepEqual(first, [
      { series: 0, from: 0, to: 2 },
      { series: 2, from: 2, to: 5 },
    ])
    assert.deepEqual(second, [{ series: 2, from: 0, to: 1 }])
    assert.equal(highest([first ?? [], second ?? []]), 5)
    assert.equal(highest([]), 0)
  })

  test("are as high as the sum of their series, whatever it is", () => {
    const counts = fc.array(fc.nat(1000), { minLength: 5, maxLength: 5 })
    fc.assert(
      fc.property(fc.array(counts, { maxLength: 8 }), (series) => {
        for (const [point, layers] of stacks(series, 5).entries()) {
          const sum = series.reduce((all, values) => all + (values[point] ?? 0), 0)
          assert.equal(layers.at(-1)?.to ?? 0, sum)
          for (const [i, layer] of layers.entries()) assert.equal(layer.from, layers[i - 1]?.to ?? 0)
        }
      }),
    )
  })
})

test("a level breaks where samples are missing", () => {
  assert.deepEqual(runs([null, 1, 2, null, 3]), [
    { start: 1, values: [1, 2] },
    { start: 4, values: [3] },
  ])
  assert.deepEqual(runs([null, null]), [])
})

describe("words", () => {
  test("an axis is short, a sentence is whole", () => {
    assert.deepEqual([0, 950, 1200, 25_000, 1_500_000].map(shortNumber), ["0", "950", "1.2K", "25K", "1.5M"])
    const counts = hour.points
    assert.equal(
      countsInWords([...Array<number>(counts - 1).fill(1), 1000], hour),
      "From 07:00 to 08:00 UTC: 1,059 in all, most at 07:59 with 1,000.",
    )
    assert.equal(countsInWords(Array<number>(counts).fill(0), hour), "From 07:00 to 08:00 UTC: nothing.")
    assert.equal(levelInWords([null, 5, null, 7], day), "From 5 at 09:00 UTC to 7 at 11:00 UTC.")
    assert.equal(levelInWords([null, 5], day), "5 at 09:00 UTC.")
    assert.equal(levelInWords([null], day), "Not counted yet.")
  })
})

describe("a plot of counts", () => {
  const series = [
    { name: "Refreshed", values: [10, ...Array<number>(23).fill(0)] },
    { name: "Repeated", values: [5, ...Array<number>(23).fill(0)] },
  ]
  const given = { id: "x", title: "Refreshes", range: day, series, nothing: "Nothing yet." }
  const drawn = String(barPlot(given))

  test("says in words and in a table what it draws", () => {
    assert.match(drawn, /<svg[^>]* role="img" aria-labelledby="x-title x-description"/)
    assert.match(drawn, /<title id="x-title">Refreshes<\/title>/)
    assert.match(
      drawn,
      /<desc id="x-description">From 08:00 to 08:00 UTC: 15 in all, most at 08:00 with 15\.<\/desc>/,
    )
    const rows = drawn.split("<tr>").slice(2)
    assert.equal(rows.length, 24)
    assert.match(rows[0] ?? "", /08:00[\s\S]*<td>10<\/td>\s*<td>5<\/td>/)
  })

  test("draws a bar in proportion, from the zero line up", () => {
    const bars = [
      ...drawn.matchAll(
        /<rect\s+x="[^"]+"\s+y="([\d.]+)"\s+width="[^"]+"\s+height="([\d.]+)"\s+(class="c1"|fill="url\(#look-2\)")/g,
      ),
    ]
    const [[, y1, h1] = [], [, y2, h2] = []] = bars
    // The axis goes up to 15 or 20. Its whole height is 162 pixels.
    const top = countAxis(15).top
    assert.ok(Math.abs(Number(y1) + Number(h1) - 172) < 0.01, "it stands on the zero line")
    assert.ok(Math.abs(Number(h1) - (10 / top) * 162) < 0.01)
    assert.ok(Math.abs(Number(h2) + 1 - (5 / top) * 162) < 0.01, "less the gap of a pixel")
    assert.ok(Math.abs(Number(y2) - (172 - (15 / top) * 162)) < 0.01)
  })

  test("without a single count it says so, and draws nothing", () => {
    const none = String(barPlot({ ...given, series: [{ name: "A", values: Array<number>(24).fill(0) }] }))
    assert.match(none, /Nothing yet\./)
    assert.doesNotMatch(none, /<svg/)
  })

  test("has a legend where there is more than one series", () => {
    assert.match(drawn, /class="legend-list"/)
    const [alone] = series
    assert.doesNotMatch(
      String(barPlot({ ...given, series: alone === undefined ? [] : [alone] })),
      /legend-list/,
    )
  })

  test("every series looks different, in pattern and in color, and each pattern is defined", () => {
    const looks = Array.from({ length: LOOKS }, (_, i) => String(look(i)))
    assert.equal(new Set(looks).size, LOOKS)
    for (const [, name] of looks.join(" ").matchAll(/url\(#([\w-]+)\)/g))
      assert.ok(String(patterns).includes(`id="${name}"`))
    assert.equal(String(look(LOOKS + 3)), looks.at(-1))
  })

  test("names that break out of markup do not", () => {
    const hostile = `"><script>alert(1)</script>`
    const text = String(barPlot({ ...given, title: hostile, series: [{ name: hostile, values: [1] }] }))
    assert.doesNotMatch(text, /<script/)
  })
})

describe("a plot of a level", () => {
  const given = {
    id: "l",
    title: "Installations",
    name: "Installations",
    range: day,
    nothing: "Not counted.",
  }

  test("draws a line for each run and a dash for a single point", () => {
    const drawn = String(levelPlot({ ...given, values: [null, 2, 4, null, 4] }))
    const lines = [...drawn.matchAll(/class="line"\s+d="([^"]+)"/g)].map(([, path]) => path)
    assert.deepEqual(lines, ["M1.5 91L2.5 10", "M4 10H5"])
  })

  test("says so where samples are missing", () => {
    assert.match(String(levelPlot({ ...given, values: [null, null] })), /Not counted\./)
  })
})
