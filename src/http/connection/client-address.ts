/**
 * Where a request comes from. `X-Forwarded-For` is read only behind a configured proxy, from the right, up to the
 * first address that is no proxy; a malformed header is never trusted.
 */
import type { IncomingMessage } from "node:http"
import { BlockList, isIP, isIPv6 } from "node:net"
import { groupsOf, networkOf } from "../../kernel/network.ts"

/** `ranges` are as `parseAddressRange` answers them: `10.0.0.0/8`, `::1/128`. */
export function trustedRanges(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = "", bits] = range.split("/")
    list.addSubnet(address, Number(bits), isIPv6(address) ? "ipv6" : "ipv4")
  }
  return list
}

/** `disbelieved` is told who else sends the header. */
export function clientAddress(
  request: IncomingMessage,
  trusted: BlockList,
  disbelieved: (address: string) => void,
): string {
  let address = peerAddress(request)
  const forwarded = request.headers["x-forwarded-for"]
  if (forwarded === undefined) return address
  if (!isIn(trusted, address)) {
    disbelieved(address)
    return address
  }
  // From the right, and no further than is trusted: a stranger chooses the length of the rest.
  let unread: string | null = Array.isArray(forwarded) ? forwarded.join(",") : forwarded
  while (unread !== null && isIn(trusted, address)) {
    const comma: number = unread.lastIndexOf(",")
    const hop = plain(unread.slice(comma + 1).trim())
    if (isIP(hop) === 0) return address
    address = hop
    unread = comma < 0 ? null : unread.slice(0, comma)
  }
  return address
}

/** What one budget is kept for. */
export function budgetKey(address: string): string {
  return networkOf(address)
}

/** Whether the other end of the connection is a configured proxy. */
export function isFromTrustedProxy(request: IncomingMessage, trusted: BlockList): boolean {
  return isIn(trusted, peerAddress(request))
}

/** The other end of the connection. */
function peerAddress({ socket }: IncomingMessage): string {
  return plain(socket.remoteAddress ?? "")
}

export function isIn(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 6 ? "ipv6" : "ipv4")
}

/** IPv4 inside IPv6 is IPv4, however it is written; a zone is left out. */
function plain(address: string): string {
  // Only IPv6 has colons, zones and letters.
  if (/^[0-9.]*$/.test(address)) return address
  const unzoned = address.split("%", 1)[0] ?? ""
  return mapped(unzoned) ?? unzoned.toLowerCase()
}

/** The IPv4 address in `::ffff:1.2.3.4`, `::ffff:102:304` and their longer spellings; null for other addresses. */
function mapped(address: string): string | null {
  const groups = isIPv6(address) ? groupsOf(address).map((group) => Number.parseInt(group, 16)) : []
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped =
    groups.length === 8 && groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join(".") : null
}
