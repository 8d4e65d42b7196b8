/**
 * Logs what keeps the service from telling clients apart: they then share one budget and one throttle, and an operator
 * would notice only refusals.
 */
import type { Log } from "../../kernel/log.ts"
import { isIn, type ProxyWarnings, trustedRanges } from "./connection/client-address.ts"

const PRIVATE = trustedRanges([
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "169.254.0.0/16",
  "::1/128",
  "fc00::/7",
  "fe80::/10",
])

/** A range of trusted proxies may be large, and so the number of those that are named is bounded. */
const PROXIES_AT_MOST = 16
const SHOWN_CHARACTERS = 60

export function proxyWarnings(log: Log): ProxyWarnings {
  return { untrusted: warnUntrusted(log), unreadable: warnUnreadable(log) }
}

/** Names each proxy once. */
function warnUnreadable(log: Log): ProxyWarnings["unreadable"] {
  const named = new Set<string>()
  return (proxy, entry) => {
    if (named.has(proxy) || named.size >= PROXIES_AT_MOST) return
    named.add(proxy)
    log.warn(
      { proxy, entry: entry.slice(0, SHOWN_CHARACTERS) },
      `the proxy ${proxy} is trusted, but its X-Forwarded-For does not end with an IP address: its clients share one ` +
        "budget. Let it append the address of each client",
    )
  }
}

/**
 * Only private addresses are logged. Otherwise a client could send the header to make an operator trust the client's own
 * address.
 */
function warnUntrusted(log: Log): (address: string) => void {
  let isSaid = false
  return (address) => {
    if (isSaid || !isIn(PRIVATE, address)) return
    isSaid = true
    log.warn(
      { address },
      "requests come with X-Forwarded-For from an address that is not trusted: they all share its budget. " +
        `If it is your proxy, name it: serve --trusted-proxy ${address}`,
    )
  }
}
