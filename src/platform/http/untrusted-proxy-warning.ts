/**
 * Logs once that requests come through a proxy that is not configured. All clients of such a proxy share one budget,
 * and an operator would notice only refusals. Only private addresses are logged. Otherwise a client could send the
 * header to make an operator trust the client's own address.
 */
import type { Log } from "../../kernel/log.ts"
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

/** Returns a function that receives the address of an untrusted sender of `X-Forwarded-For`. */
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
