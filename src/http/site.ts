/** What every endpoint is given: the service, and what its own address means for cookies, links and trust. */
import type { BlockList } from "node:net"
import type { Latchkey } from "../service/latchkey.ts"
import { RefusalLog } from "./refusal-log.ts"
import { unnamedProxy } from "./unnamed-proxy.ts"

export type Site = {
  readonly latchkey: Latchkey
  /** `https://host[:port]` of the published base address: what a browser sends as `Origin`. */
  readonly origin: string
  /** The path of the base address without a trailing slash; usually empty. */
  readonly basePath: string
  /** Whether the base address is https: cookies are `Secure` and HSTS is sent. */
  readonly isSecure: boolean
  /** Proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: BlockList
  /** Is told whose is not. */
  readonly unnamedProxy: (address: string) => void
  /** What the log is told of refusals. */
  readonly refusals: RefusalLog
}

export function siteOf(latchkey: Latchkey, trustedProxies: BlockList): Site {
  const { origin, pathname, protocol } = new URL(latchkey.issuer)
  const basePath = pathname === "/" ? "" : pathname
  const refusals = new RefusalLog(latchkey.log)
  return {
    latchkey,
    origin,
    basePath,
    isSecure: protocol === "https:",
    trustedProxies,
    unnamedProxy: unnamedProxy(latchkey.log),
    refusals,
  }
}
