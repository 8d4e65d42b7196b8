import { isIPv6 } from "node:net"

/** Returns an IPv4 address itself, or the /64 of an IPv6 address, which providers assign to one customer. */
export function networkOf(address: string): string {
  if (!address.includes(":") || !isIPv6(address)) return address
  return `${groupsOf(address).slice(0, 4).join(":")}::/64`
}

/** Returns the /24 of an IPv4 address or the /48 of an IPv6 address. Organizations often have networks of this size. */
export function wideNetworkOf(address: string): string {
  if (!address.includes(":") || !isIPv6(address)) return `${address.split(".").slice(0, 3).join(".")}.0/24`
  return `${groupsOf(address).slice(0, 3).join(":")}::/48`
}

/** Returns the eight groups of an IPv6 address, without leading zeros. */
export function groupsOf(address: string): string[] {
  const [head = "", tail] = withoutDots(address).split("::")
  const left = head === "" ? [] : head.split(":")
  const right = tail === undefined || tail === "" ? [] : tail.split(":")
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0")
  return [...left, ...zeros, ...right].map((group) => group.replace(/^0+(?=.)/, ""))
}

/** Replaces a dotted IPv4 suffix by two groups. For example, `::ffff:192.0.2.1` becomes `::ffff:c000:201`. */
function withoutDots(address: string): string {
  const [dotted, ...bytes] = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address) ?? []
  if (dotted === undefined) return address
  const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number)
  return (
    address.slice(0, -dotted.length) +
    [(a << 8) | b, (c << 8) | d].map((group) => group.toString(16)).join(":")
  )
}
