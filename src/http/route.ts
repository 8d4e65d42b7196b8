/** One row of the route table (`routes.ts`). */
import type { Settings } from "../records/setting.rules.ts"
import type { Endpoint } from "./endpoint.ts"
import type { Family } from "./connection/family.ts"
import type { HttpRequest } from "./connection/message.ts"
import type { HttpContext } from "./http-context.ts"

export type Route = {
  readonly path: string
  readonly family: Family
  readonly get?: Endpoint
  readonly post?: Endpoint
  readonly put?: Endpoint
  readonly patch?: Endpoint
  readonly delete?: Endpoint
  /** The maximum length of a body in bytes. Default: 64 KiB. */
  readonly bodyBytes?: number
  /**
   * Whether the sender may send a body on a route that takes more than 64 KiB. LOAD-1. Default: no sender may, and the
   * endpoint runs without a body.
   */
  readonly isKnownSender?: (context: HttpContext, request: HttpRequest) => Promise<boolean>
  /** Whether other origins may call the route (docs/interface.md, "CORS"). Always false for pages. */
  readonly hasCors: boolean
  /** Whether its requests count against the anonymous budget. RATE-1. */
  readonly isRateLimited: boolean
  /** Whether the endpoint is enabled. A disabled endpoint answers like an unknown path. Default: always enabled. */
  readonly isEnabled?: (settings: Settings) => boolean
}
