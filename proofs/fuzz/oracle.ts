/**
 * Rules that hold for every response, whatever was requested. A rule returns what is wrong with a response, or null.
 */
import type { Answer } from "./answer.ts"
import type { Pair } from "./draft.ts"
import { REDIRECT_URI, type World } from "./world.ts"
import { INJECTED, LOOSE } from "./words.ts"
import { withChecksum } from "../../test/support/checksum.ts"
import { PASSWORD } from "../../test/support/test-server.ts"

export type Asked = {
  /** The value is undefined if it is unknown which request was answered. */
  readonly method: string | undefined
  readonly target: string
  readonly headers: readonly Pair[]
  /** All bytes of the request. */
  readonly bytes: string
}

export type Rule = (answer: Answer, asked: Asked, world: World) => string | null

/** The service sets no other headers. */
const HEADERS: ReadonlySet<string> = new Set(
  (
    "date connection keep-alive transfer-encoding content-length content-type content-disposition content-security-policy " +
    "cache-control pragma etag last-modified vary allow location retry-after www-authenticate x-request-id " +
    "x-content-type-options x-frame-options x-accel-buffering referrer-policy permissions-policy cross-origin-opener-policy " +
    "cross-origin-resource-policy service-elevation-required access-control-allow-origin access-control-allow-methods " +
    "access-control-allow-headers access-control-expose-headers access-control-max-age link"
  ).split(" "),
)

/** A separate database process may be slow on a busy machine. A 503 is then allowed. */
const isNoFault: Rule = ({ status, headers }, _, { hasServer }) =>
  status < 500 || (status === 503 && hasServer && headers.has("retry-after")) ? null : `status ${status}`

const setsKnownHeaders: Rule = ({ headers }) => {
  for (const name of headers.keys()) if (!HEADERS.has(name)) return `a header ${name}`
  return headers.has(INJECTED) ? "an injected header" : null
}

/** The description of the API contains examples of everything. */
const isDescription = ({ body }: Answer) => body.startsWith('{"openapi"')

const isHtml = ({ headers }: Answer) => headers.get("content-type")?.startsWith("text/html") === true
const isJson = ({ headers }: Answer) => headers.get("content-type")?.startsWith("application/json") === true

const PAGE_HEADERS: Readonly<Record<string, RegExp>> = {
  "content-type": /^text\/html; charset=utf-8$/,
  "content-security-policy": /^default-src 'none'; .*frame-ancestors 'none'; base-uri 'none'$/,
  "cache-control": /^no-store$/,
  "x-content-type-options": /^nosniff$/,
  "x-frame-options": /^DENY$/,
  // The URLs of one-time links hold a secret, so these pages send only their origin.
  "referrer-policy": /^(?:same-origin|strict-origin)$/,
  "cross-origin-opener-policy": /^(?:same-origin|unsafe-none)$/,
}

const isSafePage: Rule = (answer) => {
  if (!isHtml(answer)) return null
  for (const [name, expected] of Object.entries(PAGE_HEADERS))
    if (!expected.test(answer.headers.get(name) ?? ""))
      return `a page with ${name} ${answer.headers.get(name)}`
  if (answer.headers.has("access-control-allow-origin")) return "a page that other origins may read"
  const raw = LOOSE.exec(answer.body)
  return raw === null
    ? null
    : `input as markup: ${answer.body.slice(Math.max(0, raw.index - 80), raw.index + 80)}`
}

const isUncached: Rule = (answer) => {
  const cached = answer.headers.get("cache-control")
  const holdsTokens =
    answer.cookies.length > 0 || /"(?:access_token|device_code|client_secret)"/.test(answer.body)
  if (holdsTokens && !isDescription(answer) && cached !== "no-store")
    return `tokens or cookies with cache-control ${cached}`
  return answer.status >= 400 && cached !== "no-store" ? `an error with cache-control ${cached}` : null
}

/** The characters that an error description may contain. RFC 6749 §5.2. */
const DESCRIPTION = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/

const saysErrorsAsItShould: Rule = (answer, { method, target }) => {
  const { status, headers, body } = answer
  if (status < 400 || method === "HEAD") return null
  const family = familyOf(target)
  if (isHtml(answer)) return family === "page" || family === null ? null : `a page for an error of ${family}`
  if (!isJson(answer)) return `an error in ${headers.get("content-type")}`
  if (headers.get("x-content-type-options") !== "nosniff") return "an error without nosniff"
  const parsed = parsedJson(body)
  const error = parsed?.["error"]
  if (typeof error === "string") {
    const description = parsed?.["error_description"]
    if (typeof description !== "string" || !DESCRIPTION.test(description))
      return "a description that RFC 6749 forbids"
    return family === "api" || family === "page" ? `an oauth error at a ${family} address` : null
  }
  if (typeof error !== "object" || error === null) return "an error in no shape"
  const { code, status: name, message } = error as Record<string, unknown>
  if (code !== status || typeof name !== "string" || typeof message !== "string")
    return "an API error in another shape"
  return family === "oauth" || family === "page" ? `an API error at a ${family} address` : null
}

function parsedJson(body: string): Record<string, unknown> | null {
  try {
    return JSON.parse(Buffer.from(body, "latin1").toString("utf8")) as Record<string, unknown>
  } catch {
    return null
  }
}

/** Returns the family of a URL as a router reads it. Returns null if that is unclear. docs/interface.md ERR-10. */
function familyOf(target: string): "page" | "oauth" | "api" | null {
  const path = decoded(target.split(/[?#]/, 1)[0] ?? "")
  if (path === null || !/^\/[\w.-]*(?:\/[\w.-]+)*\/?$/.test(path)) return null
  if (path.startsWith("/api/")) return "api"
  // A picture has no family of its own once its URL is malformed.
  if (/^\/appearance\/logo(?:-dark)?$/.test(path)) return null
  if (/^\/oauth\/(?:authorize|consent|device|end-session)$/.test(path)) return "page"
  return /^\/(?:oauth\/|\.well-known\/|health$)/.test(path) ? "oauth" : "page"
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}

const TOKEN = /(?<![\w-])lk[arcds]_[\w-]{30,}/

/** Random text may begin like a token, but its checksum is then wrong. */
const isWhole = (text: string) => withChecksum(text.slice(0, -6)) === text

/**
 * A fake token of this test, which repeats one letter. The log quotes the first entry of `X-Forwarded-For` that is no
 * address, whatever its text.
 */
export const MADE_UP = /(.)\1{19}/

/** The link to the choice of a language has the URL of its page, as the browser requested it. */
const TO_LANGUAGE = /href="\/language\?next=[^"]*"/

const keepsSecrets: Rule = (answer, { bytes, target }, { secrets }) => {
  if (isDescription(answer)) return null
  const all = answer.head + answer.body
  for (const secret of secrets)
    if (secret !== "" && (target.includes(secret) ? all.replace(TO_LANGUAGE, "") : all).includes(secret))
      return `a secret that was sent: ${secret.slice(0, 8)}…`
  const [found] = TOKEN.exec(all) ?? []
  if (found === undefined || MADE_UP.test(found)) return null
  if (bytes.includes(found)) return `the token that was sent: ${found.slice(0, 8)}…`
  if (!isWhole(found)) return null
  // The request is unknown here. A new grant is not a secret for the client that requested it.
  if (answer.status < 400 && target === "" && !found.startsWith("lka_") && !found.startsWith("lkr_"))
    return null
  const [path = "", query = ""] = target.split(/[?#]/, 2)
  if (answer.status < 400 && /oauth|secret|apps|app\/new|act/i.test(`${decoded(path) ?? path}?${query}`))
    return null
  return `a token: ${found.slice(0, 8)}…`
}

/** Without a session, the sign-in form appears in place of the page. */
const asksToSignIn = ({ body }: Answer) => body.includes('action="/sign-in"')

const grantsNothing: Rule = (answer, { bytes, target, method }, world) => {
  const { status } = answer
  if (
    /"(?:access_token|refresh_token|id_token)":/.test(answer.body) &&
    isJson(answer) &&
    !isDescription(answer)
  )
    return "tokens for a request that holds no live grant"
  if (status >= 300 || method === "OPTIONS" || method === "HEAD" || asksToSignIn(answer))
    return sessionOf(answer, bytes)
  const path = decoded(target.split(/[?#]/, 1)[0] ?? "") ?? ""
  if (path.startsWith("/api/admin/") && !bytes.includes(world.full.access_token))
    return "administration without its token"
  const isSignedIn = [world.root, world.ada].some(({ session }) => bytes.includes(session))
  // The first account may have made the other account an administrator.
  if (/^\/console(?:\/|$)/.test(path) && !isSignedIn) return "the console without a session"
  if (/^\/account(?:\/|$)/.test(path) && !isSignedIn) return "an account page without a session"
  if (
    /^\/api\/(?!openapi)/.test(path) &&
    ![world.full, world.own].some((held) => bytes.includes(held.access_token))
  )
    return "the API without a token"
  if (
    path === "/oauth/userinfo" &&
    ![world.full, world.own].some((held) => bytes.includes(held.access_token))
  )
    return "userinfo without a token"
  if (answer.body.includes('"active":true') && !isDescription(answer)) {
    if (!/Basic /i.test(bytes)) return "an introspection without credentials"
    const live = [world.full.access_token, world.own.access_token, ...world.jwts]
    if (!live.some((token) => new RegExp(`(?<![\\w.-])${token}(?![\\w.-])`).test(unescaped(bytes))))
      return "a forged token is active"
  }
  return sessionOf(answer, bytes)
}

/** Without the escapes that forms need not have. */
const unescaped = (bytes: string) =>
  bytes.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** Returns a session cookie. A session needs a password. */
function sessionOf({ cookies }: Answer, bytes: string): string | null {
  const isSession = cookies.some((cookie) => /^latchkey_session=[^;]/.test(cookie))
  return isSession && !bytes.includes(PASSWORD.replaceAll(" ", "%20")) ? "a session without a password" : null
}

/** Forms of pages succeed only with the token from the page. */
const wantsOwnForms: Rule = ({ status, headers }, { method, target, bytes }, { root, ada }) => {
  if (method !== "POST" || status >= 400 || !/^\/(?:account|console|oauth\/consent)/.test(target)) return null
  const location = headers.get("location") ?? ""
  if (location.startsWith("/sign-in")) return null
  return [root, ada].some(({ csrf }) => bytes.includes(csrf))
    ? null
    : `a form without its token: ${status} ${location}`
}

const redirectsToKnownPlaces: Rule = ({ headers }, _, { origin }) => {
  const location = headers.get("location")
  if (location === undefined || /^\/(?![/\\])/.test(location)) return null
  return location.startsWith(`${origin}/`) ||
    location === REDIRECT_URI ||
    location.startsWith(`${REDIRECT_URI}?`)
    ? null
    : `a redirect to ${location}`
}

/** Responses to requests that HTTP itself refuses must follow these rules too. */
export const always: readonly Rule[] = [isNoFault, setsKnownHeaders, isSafePage, isUncached, keepsSecrets]

export const rules: readonly Rule[] = [
  ...always,
  saysErrorsAsItShould,
  grantsNothing,
  wantsOwnForms,
  redirectsToKnownPlaces,
]
