/** Address ranges in CIDR notation, for trusted proxies. */
import { isIP } from "node:net"

/** Parses a range such as `10.0.0.0/8`, or a single address. Returns null for any other text. */
export function parseAddressRange(text: string): string | null {
  const [address = "", length, ...rest] = text.trim().split("/")
  const family = isIP(address)
  if (family === 0 || address.includes("%") || rest.length > 0) return null
  const bits = family === 4 ? 32 : 128
  if (length === undefined) return `${address}/${bits}`
  return /^(0|[1-9]\d{0,2})$/.test(length) && Number(length) <= bits ? `${address}/${length}` : null
}

export const ADDRESS_RANGE_EXPECTED = "expected an address range such as 10.0.0.0/8 or 2001:db8::/32"
