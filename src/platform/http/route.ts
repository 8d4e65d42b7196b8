/** One row of the route table (`routes.ts`). */
import type { Services } from "../services/services.ts"
import type { Settings } from "../../model/setting.rules.ts"
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
  /** The maximum length of a body in bytes. The default is 64 KiB. */
  readonly bodyBytes?: number
  /** Whether the sender may send over 64 KiB. Without it, none may, and the endpoint runs without a body. LOAD-1. */
  readonly isKnownSender?: (context: HttpContext, request: HttpRequest) => Promise<boolean>
  /** Whether other origins may call the route (docs/interface.md, "CORS"). Pages always have false. */
  readonly hasCors: boolean
  /** Whether requests to the route count against the anonymous budget. RATE-1. */
  readonly isRateLimited: boolean
  /** Whether the query of a URL may have a secret. Its page has no link to the choice of a language, which would repeat it. */
  readonly hasSecretUrl?: boolean
  /** A disabled endpoint answers like an unknown path. Without this function, the endpoint is always enabled. */
  readonly isEnabled?: (settings: Settings, services: Services) => boolean
  /** While it returns false, the route answers POST with 405. */
  readonly isPostEnabled?: (settings: Settings) => boolean
}

/** Routes that are loaded with the first request to the path `below` or to a path below it. */
export type LazyRoutes = { readonly below: string; readonly load: () => Promise<readonly Route[]> }
