/** Headers of whole families of answers: pages, the open interfaces, and answers that hold credentials. */
import { createHash } from "node:crypto"
import { consoleStyle, style } from "../ui/style/style.ts"
import type { HttpReply } from "./connection/message.ts"
import type { HttpContext } from "./http-context.ts"

/** The one style sheet, as a content policy names it. */
export const STYLE_SOURCE = sourceOf(style)

/** That of the console, which only its pages carry. */
export const CONSOLE_STYLE_SOURCE = sourceOf(consoleStyle)

function sourceOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`
}

/** What a page's content policy allows beside its own style sheet and images. */
export type PagePolicy = {
  /**
   * The origin or scheme that this authorization returns to: a browser applies `form-action` to the redirect after
   * the form as well.
   */
  readonly formTarget?: string | null
  /** Whether the page loads the script for passkeys. */
  readonly runsScript?: boolean
  /** The style sheet of a page that has another than most. */
  readonly styleSource?: string
}

/** RFC 9700 §4.16, docs/interface.md "Pages". */
export function setPageHeaders(
  reply: HttpReply,
  context: HttpContext,
  { formTarget = null, runsScript = false, styleSource = STYLE_SOURCE }: PagePolicy,
): void {
  const scripts = runsScript ? "script-src 'self'; " : ""
  const formAction = formTarget === null ? "'self'" : `'self' ${formTarget}`
  reply
    .header("content-type", "text/html; charset=utf-8")
    .header(
      "content-security-policy",
      `default-src 'none'; ${scripts}style-src ${styleSource}; img-src 'self' data:; form-action ${formAction}; ` +
        "frame-ancestors 'none'; base-uri 'none'",
    )
    .header("cross-origin-opener-policy", formTarget === null ? "same-origin" : "unsafe-none")
    .header("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
    .header("x-frame-options", "DENY")
  setBrowserHeaders(reply, context)
}

/** What redirects between pages carry as well. */
export function setBrowserHeaders(reply: HttpReply, context: HttpContext): void {
  reply
    .header("cache-control", "no-store")
    .header("referrer-policy", "same-origin")
    .header("x-content-type-options", "nosniff")
  if (context.isSecure) reply.header("strict-transport-security", "max-age=63072000")
}

/** What a script of another origin can read of an answer. */
const EXPOSED = "WWW-Authenticate, Retry-After, Service-Elevation-Required, X-Request-Id"

/** Any origin may call the open interfaces; no cookie is ever read there. */
export function setCorsHeaders(reply: HttpReply): void {
  reply.header("access-control-allow-origin", "*").header("access-control-expose-headers", EXPOSED)
}

export function setPreflightHeaders(reply: HttpReply, methods: string): void {
  setCorsHeaders(reply)
  reply
    .header("access-control-allow-methods", methods)
    .header("access-control-allow-headers", "authorization, content-type, mcp-protocol-version")
    .header("access-control-max-age", "600")
}
