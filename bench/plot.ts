/** Draws plots for docs/performance.md. The SVG files are readable on light and on dark pages. */

export type Bar = {
  readonly value: number
  /** The text at the end of the bar. */
  readonly text: string
  /** The index of the bar's series. */
  readonly series: number
}

export type Group = { readonly label: string; readonly bars: readonly Bar[] }

export type BarPlot = {
  readonly title: string
  /** Describes the plot for people who cannot see it. */
  readonly description: string
  /** The series. Each has its own look. A single series has no legend. */
  readonly series: readonly string[]
  readonly groups: readonly Group[]
}

/** A range of values, such as from the median to the 99th percentile. */
export type Span = {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly series: number
}

export type SpanPlot = Omit<BarPlot, "groups"> & {
  readonly unit: string
  readonly groups: readonly { readonly label: string; readonly spans: readonly Span[] }[]
}

const WIDTH = 760
const LEFT = 190
const RIGHT = 230
const TOP = 56
const THICK = 15
const GAP = 4
const BETWEEN = 14
const ROOM = WIDTH - LEFT - RIGHT

const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600; font-size: 15px }
  .quiet { fill: #59636e }
  .page { fill: #ffffff }
  .line { stroke: #d1d9e0 }
  .s0 { fill: #0a5dc2; stroke: #0a5dc2 } .s1 { fill: #b1620a; stroke: #b1620a } .s2 { fill: #6e7781; stroke: #6e7781 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .quiet { fill: #9198a1 } .page { fill: #0d1117 } .line { stroke: #3d444d }
    .s0 { fill: #58a6ff; stroke: #58a6ff } .s1 { fill: #f0a050; stroke: #f0a050 } .s2 { fill: #9198a1; stroke: #9198a1 }
  }`

export function barPlot(plot: BarPlot): string {
  const most = Math.max(
    ...plot.groups.flatMap(({ bars }) => bars.map(({ value }) => value)),
    Number.MIN_VALUE,
  )
  const rows = plot.groups.map(({ label, bars }) => ({
    label,
    drawn: bars.map(({ value, text, series }) => (y: number) => {
      const width = Math.max(1, (value / most) * ROOM)
      return (
        `<rect class="s${series}" stroke="none" x="${LEFT}" y="${y}" width="${round(width)}" height="${THICK}" rx="2"/>` +
        `<text x="${round(LEFT + width + 6)}" y="${y + 12}">${escaped(text)}</text>`
      )
    }),
  }))
  return framed(plot, rows, () => "")
}

/** Draws ranges of values on a logarithmic scale. */
export function spanPlot(plot: SpanPlot): string {
  const all = plot.groups.flatMap(({ spans }) => spans.flatMap(({ from, to }) => [from, to]))
  const least = Math.floor(Math.log10(Math.max(1e-3, Math.min(...all))))
  const most = Math.ceil(Math.log10(Math.max(...all)))
  const x = (value: number) => round(LEFT + ((Math.log10(value) - least) / (most - least)) * ROOM)
  const rows = plot.groups.map(({ label, spans }) => ({
    label,
    drawn: spans.map(({ from, to, text, series }) => (y: number) => {
      const middle = y + THICK / 2
      return (
        `<line class="s${series}" stroke-width="4" x1="${x(from)}" y1="${middle}" x2="${x(to)}" y2="${middle}"/>` +
        `<circle class="s${series}" cx="${x(from)}" cy="${middle}" r="5"/>` +
        `<text x="${x(to) + 8}" y="${y + 12}">${escaped(text)}</text>`
      )
    }),
  }))
  const powers = Array.from({ length: most - least + 1 }, (_, i) => 10 ** (least + i))
  return framed(plot, rows, (bottom) =>
    powers
      .map(
        (value) =>
          `<line class="line" x1="${x(value)}" y1="${TOP - 6}" x2="${x(value)}" y2="${bottom}"/>` +
          `<text class="quiet" text-anchor="middle" x="${x(value)}" y="${bottom + 16}">${value} ${plot.unit}</text>`,
      )
      .join(""),
  )
}

type Row = { readonly label: string; readonly drawn: readonly ((y: number) => string)[] }

function framed(
  { title, description, series }: Pick<BarPlot, "title" | "description" | "series">,
  rows: readonly Row[],
  axis: (bottom: number) => string,
): string {
  let y = TOP
  const drawn = rows.map(({ label, drawn: bars }) => {
    const middle = y + (bars.length * (THICK + GAP) - GAP) / 2 + 5
    const text = `<text text-anchor="end" x="${LEFT - 10}" y="${round(middle)}">${escaped(label)}</text>`
    const own = bars.map((bar) => {
      const at = bar(y)
      y += THICK + GAP
      return at
    })
    y += BETWEEN
    return text + own.join("\n")
  })
  const ticks = axis(y - BETWEEN + 4)
  const height = ticks === "" ? y : y + 20
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description">
<title id="title">${escaped(title)}</title>
<desc id="description">${escaped(description)}</desc>
<style>${style}
</style>
<rect class="page" width="${WIDTH}" height="${height}" rx="6"/>
<text class="title" x="16" y="24">${escaped(title)}</text>
${series.length > 1 ? legend(series) : ""}
${ticks}
${drawn.join("\n")}
</svg>
`
}

function legend(series: readonly string[]): string {
  let x = 16
  return series
    .map((name, i) => {
      const at = x
      x += 34 + name.length * 7.2
      return `<rect class="s${i}" stroke="none" x="${round(at)}" y="34" width="12" height="12" rx="2"/><text class="quiet" x="${round(at + 18)}" y="45">${escaped(name)}</text>`
    })
    .join("")
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
}
