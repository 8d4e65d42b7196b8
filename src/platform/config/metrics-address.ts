/** Parses `--metrics` of `serve` and `gate`, the address that serves metrics. */

export type MetricsAddress =
  { readonly on: "public" } | { readonly on: "apart"; readonly host: string; readonly port: number }

export const METRICS_EXPECTED = 'PORT, HOST:PORT, or "public"'
/** For a process whose own address is never one of metrics. */
export const METRICS_APART_EXPECTED = "PORT or HOST:PORT"

const LOOPBACK = "127.0.0.1"

/** Parses the address. The default host is loopback. An IPv6 host needs brackets. Returns null for an invalid text. */
export function parseMetricsAddress(text: string): MetricsAddress | null {
  if (text === "public") return { on: "public" }
  const [, bracketed, plain, digits = ""] =
    /^(?:(?:\[([0-9A-Fa-f:.]+)\]|([^\s:[\]/]+)):)?(\d{1,5})$/.exec(text) ?? []
  const port = digits === "" ? Infinity : Number(digits)
  return port > 65_535 ? null : { on: "apart", host: bracketed ?? plain ?? LOOPBACK, port }
}
