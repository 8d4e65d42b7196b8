/** Headers for groups of responses: pages, redirects, and endpoints with CORS. */
import { brandSheet } from "../ui/brand.ts"
import type { HttpReply } from "./connection/message.ts"
import type { HttpContext } from "./http-context.ts"
import type { Waiting } from "./waiting.rules.ts"

/** The parts of the content security policy that differ between pages. */
export type PagePolicy = {
  /**
   * The authorization that waits behind the page. Such a page sends no `form-action`, because Chromium applies it to
   * every redirect after the form, and the app may redirect further. An app in a popup keeps its opener.
   */
  readonly waiting?: Waiting | null
  /** Whether the page loads the script for passkeys. */
  readonly runsScript?: boolean
  /** The style sheet of the page. */
  readonly styleSource?: string | undefined
  /** Whether the URL has the secret of a one-time link, which then stays out of the `Referer` header. */
  readonly hasSecretUrl?: boolean
}

/** Sets the headers of a page. RFC 9700 §4.16; docs/interface.md, "Pages". */
export function setPageHeaders(
  reply: HttpReply,
  context: HttpContext,
  { waiting = null, runsScript = false, styleSource = "'none'", hasSecretUrl = false }: PagePolicy,
): void {
  const scripts = runsScript ? "script-src 'self'; " : ""
  const { color } = context.services.settings.latest.appearance
  const styles = color === null ? styleSource : `${styleSource} ${brandSheet(color).source}`
  const formAction = waiting === null ? "form-action 'self'; " : ""
  reply
    .header("content-type", "text/html; charset=utf-8")
    .header(
      "content-security-policy",
      `default-src 'none'; ${scripts}style-src ${styles}; img-src 'self' data:; ${formAction}` +
        "frame-ancestors 'none'; base-uri 'none'",
    )
    .header("cross-origin-opener-policy", waiting === "app" ? "unsafe-none" : "same-origin")
    .header("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
    .header("x-frame-options", "DENY")
  setBrowserHeaders(reply, context)
  // With no-referrer, browsers send a form with `Origin: null`.
  if (hasSecretUrl) reply.header("referrer-policy", "strict-origin")
}

export function setBrowserHeaders(reply: HttpReply, context: HttpContext): void {
  reply
    .header("cache-control", "no-store")
    .header("referrer-policy", "same-origin")
    .header("x-content-type-options", "nosniff")
  if (context.isSecure) reply.header("strict-transport-security", "max-age=63072000")
}

/** Sets a cookie of the name that `cookieName` returns. A value has no character that needs encoding. */
export function setCookie(
  reply: HttpReply,
  { isSecure }: HttpContext,
  name: string,
  value: string,
  maxAge: number,
): void {
  const secure = isSecure ? " Secure;" : ""
  reply.header("set-cookie", `${name}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly;${secure} SameSite=Lax`)
}

/** Response headers that scripts of other origins can read. */
const EXPOSED = "WWW-Authenticate, Retry-After, Service-Elevation-Required, X-Request-Id"

/** Request headers that scripts may send. Tracing libraries add the last two to every request (W3C Trace Context). */
const ALLOWED = "authorization, content-type, mcp-protocol-version, traceparent, tracestate"

/** Sets CORS headers. Any origin may call these endpoints, because they read no cookies. */
export function setCorsHeaders(reply: HttpReply): void {
  reply.header("access-control-allow-origin", "*").header("access-control-expose-headers", EXPOSED)
}

export function setPreflightHeaders(reply: HttpReply, methods: string): void {
  setCorsHeaders(reply)
  reply
    .header("access-control-allow-methods", methods)
    .header("access-control-allow-headers", ALLOWED)
    .header("access-control-max-age", "600")
}
