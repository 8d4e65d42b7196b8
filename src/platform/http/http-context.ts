/** The context that every endpoint receives: the services, and values that follow from the base URL and the proxies. */
import type { BlockList } from "node:net"
import { RecentRefusals } from "../services/recent-refusals.rules.ts"
import { ENGLISH, Languages } from "../languages/languages.ts"
import type { Services } from "../services/services.ts"
import { answersAgain, OutageLog } from "./outage-log.ts"
import { RefusalLog } from "./refusal-log.ts"
import type { PageInput } from "../ui/layout.ts"
import type { AppView } from "../ui/monogram.ts"
import type { HttpRequest } from "./connection/message.ts"
import type { ProxyWarnings } from "./connection/client-address.ts"
import { proxyWarnings } from "./proxy-warnings.ts"

/** Returns the app whose authorization request `next` is, or null. */
export type FindWaitingApp = (services: Services, next: string) => Promise<AppView | null>

export type HttpContext = {
  readonly waitingApp: (next: string) => Promise<AppView | null>
  readonly services: Services
  /** `https://host[:port]` of the base URL. Browsers send it as `Origin`. */
  readonly origin: string
  /** The path of the base URL without a trailing slash. It is usually empty. */
  readonly basePath: string
  /** Whether the base URL is https. If so, cookies are `Secure` and responses have HSTS. */
  readonly isSecure: boolean
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: BlockList
  readonly proxyWarnings: ProxyWarnings
  readonly refusals: RefusalLog
  readonly outages: OutageLog
  /** Keeps the latest refusals of each app. */
  readonly recentRefusals: RecentRefusals
  readonly languages: Languages
}

export function httpContextOf(
  services: Services,
  trustedProxies: BlockList,
  findWaitingApp: FindWaitingApp = () => Promise.resolve(null),
): HttpContext {
  const { origin, pathname, protocol } = new URL(services.issuer)
  const basePath = pathname === "/" ? "" : pathname
  const refusals = new RefusalLog(services.log)
  return {
    services,
    waitingApp: (next) => findWaitingApp(services, next),
    origin,
    basePath,
    isSecure: protocol === "https:",
    trustedProxies,
    proxyWarnings: proxyWarnings(services.log),
    refusals,
    outages: new OutageLog(services.log, () => answersAgain(services)),
    recentRefusals: new RecentRefusals(),
    languages: new Languages(),
  }
}

/** Returns what every page of a response needs: the base path, the look of the service, and the texts of its language. */
export function pageInput({ basePath, services, languages }: HttpContext, _: HttpRequest): PageInput {
  return { basePath, look: services.settings.latest.appearance, texts: languages.textsOf(ENGLISH) }
}
