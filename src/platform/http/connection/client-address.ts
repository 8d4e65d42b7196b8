/**
 * Finds the IP address of the client. `X-Forwarded-For` is read only from a configured proxy. It is read from right to
 * left, up to the first address that is not a proxy. An entry may have a port, as Azure Application Gateway writes it. A
 * malformed entry ends the search.
 */
import type { IncomingMessage } from "node:http"
import { BlockList, isIP, isIPv6 } from "node:net"
import { groupsOf, networkOf } from "../../../kernel/network.ts"

/** Builds the list of trusted proxies from results of `parseAddressRange`, such as `10.0.0.0/8`. */
export function trustedRanges(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = "", bits] = range.split("/")
    list.addSubnet(address, Number(bits), isIPv6(address) ? "ipv6" : "ipv4")
  }
  return list
}

export type ProxyWarnings = {
  /** The sender of the header is not a trusted proxy. */
  readonly untrusted: (address: string) => void
  /** The entry that a trusted proxy wrote is not an address. */
  readonly unreadable: (proxy: string, entry: string) => void
}

export function clientAddress(request: IncomingMessage, trusted: BlockList, warnings: ProxyWarnings): string {
  let address = peerAddress(request)
  const forwarded = request.headers["x-forwarded-for"]
  if (forwarded === undefined) return address
  if (!isIn(trusted, address)) {
    warnings.untrusted(address)
    return address
  }
  // The search stops at the first untrusted entry, because the client chooses how long the rest is.
  let unread: string | null = Array.isArray(forwarded) ? forwarded.join(",") : forwarded
  while (unread !== null && isIn(trusted, address)) {
    const comma: number = unread.lastIndexOf(",")
    const entry = unread.slice(comma + 1).trim()
    const hop = plain(withoutPort(entry))
    if (isIP(hop) === 0) {
      warnings.unreadable(address, entry)
      return address
    }
    address = hop
    unread = comma < 0 ? null : unread.slice(0, comma)
  }
  return address
}

/** Returns the rate limit key of an address. All addresses of a network (`networkOf`) share one budget. */
export function budgetKey(address: string): string {
  return networkOf(address)
}

export function isFromTrustedProxy(request: Pick<IncomingMessage, "socket">, trusted: BlockList): boolean {
  return isIn(trusted, peerAddress(request))
}

/** The IP address of the other end of the connection. */
export function peerAddress({ socket }: Pick<IncomingMessage, "socket">): string {
  return plain(socket.remoteAddress ?? "")
}

export function isIn(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 6 ? "ipv6" : "ipv4")
}

/** Removes the port and the brackets of `1.2.3.4:80`, `[2001:db8::1]:80` and `[2001:db8::1]`. */
function withoutPort(entry: string): string {
  // Most proxies write no port: IPv4 then has no colon, and IPv6 has several.
  if (!entry.startsWith("[") && entry.indexOf(":") !== entry.lastIndexOf(":")) return entry
  const [, bracketed, plainAddress] = /^(?:\[([^\]]*)\]|([0-9.]+))(?::\d{1,5})?$/.exec(entry) ?? []
  return bracketed ?? plainAddress ?? entry
}

/** Normalizes an address. IPv4-mapped IPv6 becomes IPv4. The zone of an IPv6 address is removed. */
function plain(address: string): string {
  // Only IPv6 addresses have colons, zones and letters.
  if (/^[0-9.]*$/.test(address)) return address
  const unzoned = address.split("%", 1)[0] ?? ""
  return mapped(unzoned) ?? unzoned.toLowerCase()
}

/** Returns the IPv4 address in `::ffff:1.2.3.4`, `::ffff:102:304` and longer spellings, or null. */
function mapped(address: string): string | null {
  const groups = isIPv6(address) ? groupsOf(address).map((group) => Number.parseInt(group, 16)) : []
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped =
    groups.length === 8 && groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join(".") : null
}
