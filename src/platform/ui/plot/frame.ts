/** The frame of a plot: its title, its axes with gridlines, its legend, and a table of its numbers. */
import { type Html, html } from "../../../kernel/html.ts"
import { swatch } from "./pattern.ts"
import { type Axis, type TimeRange, timeTicks } from "./scale.ts"
import { fullNumber, shortNumber, timeText } from "./words.ts"

/** Heights in pixels. Horizontal positions are percentages, because the container sets the width. */
const TOP = 10
const BOTTOM = 172
const HEIGHT = 196
const LEFT = 48

type Series = { readonly name: string; readonly values: readonly (number | null)[] }

export type Plot = {
  /** The id must be unique on the page. */
  readonly id: string
  readonly title: string
  readonly total: string
  /** Describes the plot to screen readers. */
  readonly description: string
  readonly range: TimeRange
  readonly series: readonly Series[]
}

/** Returns the position of a value, in pixels from the top. */
export function yOf(value: number, { top }: Axis): number {
  return round(BOTTOM - (value / top) * (BOTTOM - TOP))
}

export const bounds = { top: TOP, bottom: BOTTOM } as const

export function percent(part: number): string {
  return `${round(part * 100)}%`
}

export function round(number: number): number {
  return Math.round(number * 1000) / 1000
}

export function framed(plot: Plot, axis: Axis, drawn: Html, legend: Html | false): Html {
  const { id, title, description } = plot
  return figure(
    plot,
    html`<div class="axes">
        <svg class="scale" width="${LEFT}" height="${HEIGHT}" aria-hidden="true">
          ${axis.ticks.map((tick) => html`<text x="${LEFT - 8}" y="${yOf(tick, axis) + 4}" text-anchor="end">${shortNumber(tick)}</text>`)}
        </svg>
        <svg class="area" height="${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-description">
          <title id="${id}-title">${title}</title>
          <desc id="${id}-description">${description}</desc>
          ${axis.ticks.slice(1).map((tick) => line("grid", yOf(tick, axis)))} ${drawn} ${line("zero", BOTTOM)}
          ${times(plot.range)}
        </svg>
      </div>
      ${legend} ${numbers(plot)}`,
  )
}

/** Renders `text` in place of a plot that has no values yet. */
export function unplotted(plot: Plot, text: string): Html {
  return figure(plot, html`<p class="nothing">${text}</p>`)
}

function figure({ id, title, total }: Plot, content: Html): Html {
  return html`<figure class="plot" aria-labelledby="${id}-heading">
    <figcaption>
      <h2 id="${id}-heading">${title}</h2>
      <span class="total">${total}</span>
    </figcaption>
    ${content}
  </figure>`
}

export function legendOf(series: readonly Series[]): Html | false {
  if (series.length < 2) return false
  return html`<ul class="legend-list">
    ${series.map(
      ({ name, values }, at) =>
        html`<li>
          ${swatch(at)}<span>${name}</span> <span class="amount">${fullNumber(sum(values))}</span>
        </li>`,
    )}
  </ul>`
}

function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((all, value) => all + (value ?? 0), 0)
}

function line(look: "grid" | "zero", y: number): Html {
  return html`<line class="${look}" x1="0" x2="100%" y1="${y}" y2="${y}" />`
}

/** Renders the labels of the time axis. The last label stays within the page. */
function times(range: TimeRange): readonly Html[] {
  return timeTicks(range).map(
    ({ at, place }) =>
      html`<text x="${percent(place)}" y="${HEIGHT - 4}" text-anchor="${place > 0.95 ? "end" : "middle"}"
        >${timeText(at, range.step)}</text
      >`,
  )
}

function numbers({ title, range, series }: Plot): Html {
  const { from, step, points } = range
  return html`<div class="unseen">
    <table>
      <caption>
        ${title}
      </caption>
      <tr>
        <th scope="col">Time (UTC)</th>
        ${series.map(({ name }) => html`<th scope="col">${name}</th>`)}
      </tr>
      ${Array.from(
        { length: points },
        (_, at) =>
          html`<tr>
            <th scope="row">${timeText(from + at * step, step)}</th>
            ${series.map(({ values }) => html`<td>${shown(values[at])}</td>`)}
          </tr>`,
      )}
    </table>
  </div>`
}

function shown(value: number | null | undefined): string {
  return value === null || value === undefined ? "not counted" : fullNumber(value)
}
