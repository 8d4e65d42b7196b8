/** Where metrics are served: `--metrics` of `serve`. */

export type MetricsPlace =
  { readonly on: "public" } | { readonly on: "apart"; readonly host: string; readonly port: number }

export const METRICS_EXPECTED = 'PORT, HOST:PORT, or "public"'

const LOOPBACK = "127.0.0.1"

/** A port alone means loopback; an IPv6 address stands in brackets. Null where the text is none of these. */
export function parseMetricsPlace(text: string): MetricsPlace | null {
  if (text === "public") return { on: "public" }
  const [, bracketed, plain, digits = ""] =
    /^(?:(?:\[([0-9A-Fa-f:.]+)\]|([^\s:[\]/]+)):)?(\d{1,5})$/.exec(text) ?? []
  const port = digits === "" ? Infinity : Number(digits)
  return port > 65_535 ? null : { on: "apart", host: bracketed ?? plain ?? LOOPBACK, port }
}
