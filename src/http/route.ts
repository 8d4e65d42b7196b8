/** One row of the table of routes (`routes.ts`). */
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
  /** The longest body, in bytes; left out, as everywhere. */
  readonly bodyBytes?: number
  /** Asked before a body is read that is longer than what anonymous callers may send. LOAD-1. Left out, none is read. */
  readonly isKnownSender?: (context: HttpContext, request: HttpRequest) => Promise<boolean>
  /** Any origin may call it (docs/interface.md, "CORS"); never true of a page. */
  readonly hasCors: boolean
  /** It draws on the shared anonymous budget. RATE-1. */
  readonly isRateLimited: boolean
  /** Whether it is there at all; where it is not, it answers as an unknown address does. Left out, it always is. */
  readonly isEnabled?: (settings: Settings) => boolean
}
