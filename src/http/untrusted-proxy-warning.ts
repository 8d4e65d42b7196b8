/**
 * Says in the log, once, that requests seem to come through a proxy that is not configured: all of its clients share one budget,
 * which an operator notices only when they are refused. Only of addresses that are private: a stranger may send the header
 * too, and must not trick an operator into trusting it.
 */
import type { Log } from "../kernel/log.ts"
import { isIn, trustedRanges } from "./connection/client-address.ts"

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

/** Takes the address of an untrusted sender of `X-Forwarded-For`. */
export function warnUntrustedProxy(log: Log): (address: string) => void {
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
