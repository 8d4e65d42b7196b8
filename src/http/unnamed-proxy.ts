/**
 * Says in the log, once, that requests seem to come through a proxy that nobody named: all of its clients share one budget,
 * which an operator notices only when they are refused. Only of addresses that are private: a stranger may send the header
 * too, and must not talk an operator into believing him.
 */
import type { IncomingMessage } from "node:http"
import type { BlockList } from "node:net"
import type { Log } from "../system/log.ts"
import { peerAddress, isIn, trustedRanges } from "./client-address.ts"

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

export class UnnamedProxy {
  readonly #log: Log
  readonly #trusted: BlockList
  #isSaid = false

  constructor(log: Log, trusted: BlockList) {
    this.#log = log
    this.#trusted = trusted
  }

  look(request: IncomingMessage): void {
    if (this.#isSaid || request.headers["x-forwarded-for"] === undefined) return
    const address = peerAddress(request)
    if (isIn(this.#trusted, address) || !isIn(PRIVATE, address)) return
    this.#isSaid = true
    this.#log.warn(
      { address },
      "requests come with X-Forwarded-For from an address that is not believed: they all share its budget. " +
        `If it is your proxy, name it: serve --trusted-proxy ${address}`,
    )
  }
}
