/** A bar plot of counts over time. Each bar stacks all series. */
import { type Html, html } from "../../../kernel/html.ts"
import { bounds, framed, legendOf, percent, type Plot, round, unplotted, yOf } from "./frame.ts"
import { look } from "./pattern.ts"
import { type Axis, countAxis } from "./scale.ts"
import { highest, type Layer, stacks } from "./stack.ts"
import { countsInWords, fullNumber, timeText } from "./words.ts"

export type Counts = { readonly name: string; readonly values: readonly number[] }

export type BarPlot = Omit<Plot, "description" | "series" | "total"> & {
  readonly series: readonly Counts[]
  /** This text replaces the plot if every count is zero. */
  readonly nothing: string
}

/** The width of a bar, as a fraction of the width of its point. */
const WIDTH = 0.72

export function barPlot({ nothing, ...given }: BarPlot): Html {
  const { range, series } = given
  const stacked = stacks(
    series.map(({ values }) => values),
    range.points,
  )
  const heights = stacked.map((layers) => layers.at(-1)?.to ?? 0)
  const all = heights.reduce((sum, height) => sum + height, 0)
  const plot = { ...given, description: countsInWords(heights, range), total: fullNumber(all) }
  if (all === 0) return unplotted(plot, nothing)
  const axis = countAxis(highest(stacked))
  const drawn = html`${stacked.map((layers, point) => bar(plot, axis, layers, point))}`
  return framed(plot, axis, drawn, legendOf(series))
}

/** Renders the bar of one point. A tooltip shows its numbers. */
function bar({ range, series }: Plot, axis: Axis, layers: readonly Layer[], point: number): Html | false {
  if (layers.length === 0) return false
  const { from, step, points } = range
  const label = layers.map(
    ({ series: at, from: below, to }) => `${series[at]?.name ?? ""}: ${fullNumber(to - below)}`,
  )
  const x = percent((point + (1 - WIDTH) / 2) / points)
  const width = percent(WIDTH / points)
  return html`<g>
    <title>${timeText(from + point * step, step)} UTC · ${label.join(" · ")}</title>
    <rect
      x="${percent(point / points)}"
      y="${bounds.top}"
      width="${percent(1 / points)}"
      height="${bounds.bottom - bounds.top}"
      fill="none"
      pointer-events="all"
    />
    ${layers.map((layer, at) => {
      const top = yOf(layer.to, axis)
      // A gap of one pixel separates parts of the stack that are tall enough.
      const height = round(yOf(layer.from, axis) - top)
      const gap = at > 0 && height > 3 ? 1 : 0
      return html`<rect
        x="${x}"
        y="${top}"
        width="${width}"
        height="${round(height - gap)}"
        ${look(layer.series)}
      />`
    })}
  </g>`
}
