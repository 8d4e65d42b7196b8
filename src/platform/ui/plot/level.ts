/** A line plot of a value over time. The axis starts at zero. The line has gaps where nothing was measured. */
import { type Html, html } from "../../../kernel/html.ts"
import { bounds, framed, type Plot, round, unplotted, yOf } from "./frame.ts"
import { type Axis, countAxis } from "./scale.ts"
import { type Run, runs } from "./stack.ts"
import { fullNumber, levelInWords } from "./words.ts"

type LevelPlot = Omit<Plot, "description" | "series" | "total"> & {
  readonly name: string
  readonly values: readonly (number | null)[]
  readonly nothing: string
}

export function levelPlot({ name, values, nothing, ...given }: LevelPlot): Html {
  const latest = values.findLast((value) => value !== null) ?? null
  const plot = {
    ...given,
    description: levelInWords(values, given.range),
    total: latest === null ? "" : `${fullNumber(latest)} now`,
    series: [{ name, values }],
  }
  if (latest === null) return unplotted(plot, nothing)
  const axis = countAxis(Math.max(...values.map((value) => value ?? 0)))
  return framed(plot, axis, drawn(runs(values), axis, given.range.points), false)
}

/** Draws the line. The plot stretches to its container, but the line keeps its stroke width. */
function drawn(all: readonly Run[], axis: Axis, points: number): Html {
  return html`<svg
    viewBox="0 0 ${points} ${bounds.bottom}"
    width="100%"
    height="${bounds.bottom}"
    preserveAspectRatio="none"
    overflow="visible"
  >
    ${all.map(
      (run) =>
        html`<path class="under" d="${line(run, axis)}V${bounds.bottom}H${run.start + inset(run)}Z" /><path
            class="line"
            d="${line(run, axis)}"
          />`,
    )}
  </svg>`
}

/** Returns the path from the middle of the first point to the middle of the last. A single point becomes a dash. */
function line(run: Run, axis: Axis): string {
  const { start, values } = run
  const [first = 0] = values
  if (values.length === 1) return `M${start} ${yOf(first, axis)}H${start + 1}`
  return values
    .map((value, at) => `${at === 0 ? "M" : "L"}${round(start + at + 0.5)} ${yOf(value, axis)}`)
    .join("")
}

function inset({ values }: Run): number {
  return values.length === 1 ? 0 : 0.5
}
