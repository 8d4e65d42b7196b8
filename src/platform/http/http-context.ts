/** The context that every endpoint receives: the services, and values that follow from the base URL and the proxies. */
import type { BlockList } from "node:net"
import { parseForm, parseQuery } from "../../kernel/form.ts"
import { RecentRefusals } from "../services/recent-refusals.rules.ts"
import { END_SESSION_PATH, endpoints } from "../../model/refusals/endpoints.rules.ts"
import { ENGLISH } from "../languages/languages.ts"
import { acceptedLanguages, uiLocalesOf } from "../languages/choose.ts"
import type { Services } from "../services/services.ts"
import { answersAgain, OutageLog } from "./outage-log.ts"
import { RefusalLog } from "./refusal-log.ts"
import type { PageInput } from "../ui/layout.ts"
import { ownPath } from "../ui/own-path.ts"
import type { AppView } from "../ui/monogram.ts"
import type { HttpReply, HttpRequest } from "./connection/message.ts"
import type { ProxyWarnings } from "./connection/client-address.ts"
import { proxyWarnings } from "./proxy-warnings.ts"
import { cookiesOf, queryOf, rawFormOf } from "./request.ts"

/** What pages on the way need of the authorization request at `next`. Null if `next` is no request of an app. */
export type WaitingApps = {
  readonly find: (services: Services, next: string | null) => Promise<AppView | null>
  /** Sends the browser back to the app, which gets `access_denied`. */
  readonly deny: (context: HttpContext, reply: HttpReply, next: string | null) => Promise<HttpReply | null>
}

export type HttpContext = {
  readonly waitingApp: (next: string | null) => Promise<AppView | null>
  readonly denyWaitingApp: WaitingApps["deny"]
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
}

const noneWaits = () => Promise.resolve(null)

export function httpContextOf(
  services: Services,
  trustedProxies: BlockList,
  { find, deny }: WaitingApps = { find: noneWaits, deny: noneWaits },
): HttpContext {
  const { origin, pathname, protocol } = new URL(services.issuer)
  const basePath = pathname === "/" ? "" : pathname
  const refusals = new RefusalLog(services.log)
  return {
    services,
    waitingApp: (next) => find(services, next),
    denyWaitingApp: deny,
    origin,
    basePath,
    isSecure: protocol === "https:",
    trustedProxies,
    proxyWarnings: proxyWarnings(services.log),
    refusals,
    outages: new OutageLog(services.log, () => answersAgain(services)),
    recentRefusals: new RecentRefusals(),
  }
}

/** The purpose that seals the path and query that wait behind a page. */
export const CONTINUATION = "continue"

export function cookieName({ isSecure }: Pick<HttpContext, "isSecure">, name: string): string {
  return `${isSecure ? "__Host-" : ""}latchkey_${name}`
}

/** Returns what every page of a response needs: the base path, the look of the service, and the texts of its language. */
export function pageInput(context: HttpContext, request: HttpRequest): PageInput {
  const { basePath, services } = context
  const look = services.settings.latest.appearance
  return {
    basePath,
    look,
    texts: services.languages.textsOf(languageOf(context, request)),
    self: selfOf(request),
  }
}

/** A longer path would not fit into the link of the page, whose request other servers limit. */
const SELF_LENGTH_AT_MOST = 4_000

/** Returns the path that shows the page again. Null for the answer of a form, and where the URL may have a secret. */
function selfOf({ method, route, url }: HttpRequest): string | null {
  const isShown = (method === "GET" || method === "HEAD") && route?.family === "page"
  if (!isShown || route.path === "/language" || (route.hasSecretUrl === true && url.includes("?")))
    return null
  const isShort =
    3 * url.length <= SELF_LENGTH_AT_MOST || encodeURIComponent(url).length <= SELF_LENGTH_AT_MOST
  return isShort ? url : null
}

/** Returns the language of a page. docs/interface.md, LANG-1. */
function languageOf(context: HttpContext, request: HttpRequest): string {
  const { languages, settings } = context.services
  return (
    languages.find([request.accountLanguage ?? "", chosenIn(context, request)]) ??
    languages.find(uiLocalesAt(context, request.destination ?? carriedIn(context, request))) ??
    languages.find(acceptedLanguages(request.headers["accept-language"])) ??
    languages.find([settings.latest.defaultLanguage]) ??
    ENGLISH
  )
}

/** Returns the language that the person chose in this browser. */
function chosenIn(context: HttpContext, request: HttpRequest): string {
  return cookiesOf(request)[cookieName(context, "language")] ?? ""
}

/** Returns the `ui_locales` of the request of an app that waits at a path. A page on the way may carry the path. */
function uiLocalesAt(context: HttpContext, path: string | null): readonly string[] {
  const [place, query = ""] = path?.split("?", 2) ?? []
  const isAuthorization = place === endpoints.authorization_endpoint || place === END_SESSION_PATH
  const name = isAuthorization ? "ui_locales" : "continue"
  // Most requests lack it, and are not parsed for it. No serializer of forms escapes letters and underscores.
  const value = query.includes(name) ? parseQuery(query).form.values.get(name) : undefined
  if (value === undefined) return []
  return isAuthorization ? uiLocalesOf(value) : uiLocalesAt(context, destinationIn(context, value))
}

/** Returns the path that the parameter `continue` of a page or form carries, or null. */
function carriedIn(context: HttpContext, request: HttpRequest): string | null {
  const query = queryOf(request)
  if (request.method !== "POST" && query === "") return null
  const form = request.method === "POST" ? rawFormOf(request) : parseForm(query)
  const carried = form?.values.get("continue")
  return carried === undefined ? null : destinationIn(context, carried)
}

function destinationIn({ services }: HttpContext, sealed: string): string | null {
  return ownPath(services.keys.open(CONTINUATION, sealed))
}
