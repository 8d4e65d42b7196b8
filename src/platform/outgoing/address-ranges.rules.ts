/**
 * The addresses that an outgoing request may connect to. RFC 6890 and the IANA registries of special-purpose addresses
 * as of 2026-11; RFC 6052 (NAT64), RFC 3056 (6to4), RFC 4291 §2.5.5.2 (IPv4-mapped).
 */

type Bytes = readonly number[]

type Range = { readonly bytes: Bytes; readonly bits: number }

const V4_REFUSED = ranges(
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // shared by customers of one provider
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // host service of Azure
  "169.254.0.0/16", // link-local: metadata services of clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
)

/** Global unicast addresses. The other addresses have a special purpose or are not assigned yet. */
const V6_GLOBAL = ranges("2000::/3")

const V6_REFUSED = ranges(
  "2001::/23", // protocol assignments: Teredo, benchmarks, ORCHID
  "2001:db8::/32", // documentation
  "2620:4f:8000::/48", // AS112
  "3fff::/20", // documentation
)

const V4_MAPPED = ranges("::ffff:0:0/96")
const NAT64 = ranges("64:ff9b::/96")
const SIX_TO_FOUR = ranges("2002::/16")

/**
 * Whether a request may connect to `address`. Public addresses are allowed, and addresses in the ranges of `allowed`
 * (CIDR notation). An IPv4-mapped, NAT64 or 6to4 address is checked as the IPv4 address in it. Text that is not an
 * address is refused.
 */
export function isReachableAddress(address: string, allowed: readonly string[]): boolean {
  const parsed = parseAddress(address)
  if (parsed === null) return false
  const bytes = unwrapped(parsed)
  if (isIn(bytes, ranges(...allowed))) return true
  return bytes.length === 4 ? !isIn(bytes, V4_REFUSED) : isIn(bytes, V6_GLOBAL) && !isIn(bytes, V6_REFUSED)
}

function unwrapped(bytes: Bytes): Bytes {
  if (isIn(bytes, V4_MAPPED) || isIn(bytes, NAT64)) return bytes.slice(12)
  return isIn(bytes, SIX_TO_FOUR) ? bytes.slice(2, 6) : bytes
}

function isIn(bytes: Bytes, of: readonly Range[]): boolean {
  return of.some((range) => range.bytes.length === bytes.length && sharesPrefix(bytes, range))
}

function sharesPrefix(bytes: Bytes, range: Range): boolean {
  const whole = range.bits >> 3
  const rest = range.bits & 7
  for (let at = 0; at < whole; at += 1) if (bytes[at] !== range.bytes[at]) return false
  if (rest === 0) return true
  return (bytes[whole] ?? 0) >> (8 - rest) === (range.bytes[whole] ?? 0) >> (8 - rest)
}

function ranges(...texts: readonly string[]): Range[] {
  return texts.map((text) => {
    const [address = "", bits] = text.split("/")
    const bytes = parseAddress(address)
    if (bytes === null || bits === undefined) throw new Error(`${text} is not an address range`)
    return { bytes, bits: Number(bits) }
  })
}

/** Returns the bytes of an address. Returns null for any other text, and for an address with a zone. */
function parseAddress(text: string): Bytes | null {
  return text.includes(":") ? parseV6(text) : parseV4(text)
}

function parseV4(text: string): Bytes | null {
  const parts = text.split(".")
  const isWritten = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))
  const bytes = parts.map(Number)
  return isWritten && bytes.every((byte) => byte <= 255) ? bytes : null
}

function parseV6(text: string): Bytes | null {
  const halves = text.split("::").map(bytesOfGroups)
  const [head, tail] = halves
  if (head === undefined || head === null || tail === null || halves.length > 2) return null
  if (tail === undefined) return head.length === 16 ? head : null
  const zeros = 16 - head.length - tail.length
  return zeros >= 2 ? [...head, ...Array<number>(zeros).fill(0), ...tail] : null
}

/** Parses groups between colons. The last group may be a dotted IPv4 address. */
function bytesOfGroups(text: string): number[] | null {
  if (text === "") return []
  const groups = text.split(":")
  const bytes: number[] = []
  for (const [at, group] of groups.entries()) {
    const dotted = at === groups.length - 1 && group.includes(".") ? parseV4(group) : null
    if (dotted !== null) bytes.push(...dotted)
    else if (/^[0-9a-f]{1,4}$/i.test(group)) {
      const value = Number.parseInt(group, 16)
      bytes.push(value >> 8, value & 255)
    } else return null
  }
  return bytes
}
