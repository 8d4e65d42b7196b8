/**
 * The cookies of a browser. The browser cookie lasts 400 days. It protects the sign-in form against CSRF and marks
 * the browser as known for rate limits. The session cookie is new at every sign-in.
 */
import { SESSION_SECONDS } from "../../kernel/account-limits.ts"
import { DAY, HOUR } from "../../kernel/time.ts"
import { findSession, type FoundSession, type SignedIn } from "./session.ts"
import { randomSecret } from "../../kernel/random.ts"
import type { HttpReply, HttpRequest } from "../../platform/http/connection/message.ts"
import type { PageInput } from "../../platform/ui/layout.ts"
import { setCookie } from "../../platform/http/headers.ts"
import { cookieName, type HttpContext, pageInput } from "../../platform/http/http-context.ts"
import { cookiesOf } from "../../platform/http/request.ts"
import { forgetUnfinished, unfinishedNames } from "./unfinished-cookies.ts"

const BROWSER_SECONDS = 400 * DAY
const SIGNED_OUT = "signed_out"
const SIGNED_OUT_SECONDS = HOUR

/** A browser, identified by its cookies. */
export class Browser {
  readonly #context: HttpContext
  readonly #request: HttpRequest
  readonly sessionSecret: string | null
  readonly signedIn: SignedIn | null
  /** The session of the cookie. It authorizes nothing while `signedIn` is null, but a sign-out ends it. */
  readonly held: SignedIn | null
  /** Whether the browser has no cookie yet. A page with a form gives it one. */
  readonly isNew: boolean
  /** The value of the browser cookie. */
  readonly secret: string

  constructor(context: HttpContext, request: HttpRequest, secret: string | null, session: Session) {
    this.#context = context
    this.#request = request
    this.sessionSecret = session.secret
    this.signedIn = session.signedIn
    this.held = session.held
    this.isNew = secret === null
    this.secret = secret ?? randomSecret()
  }

  /** What every page for this browser needs. What decides on the language may be known only when it is rendered. */
  get page(): PageInput {
    return pageInput(this.#context, this.#request)
  }
}

type Session = FoundSession & { readonly secret: string | null }

const SECRET = /^[A-Za-z0-9_-]{43}$/

export async function browserOf(context: HttpContext, request: HttpRequest): Promise<Browser> {
  const cookies = cookiesOf(request)
  const secretIn = (name: string) => {
    const value = cookies[cookieName(context, name)]
    return value !== undefined && SECRET.test(value) ? value : null
  }
  const lasting = secretIn("browser")
  const sessionSecret = secretIn("session")
  const found = await findSession(context.services, sessionSecret)
  request.accountLanguage = found.held?.account.language ?? null
  return new Browser(context, request, lasting, { secret: sessionSecret, ...found })
}

export function keepBrowser(context: HttpContext, reply: HttpReply, browser: Browser): void {
  if (browser.isNew) set(context, reply, "browser", browser.secret, BROWSER_SECONDS)
}

export function setSession(context: HttpContext, reply: HttpReply, secret: string): void {
  set(context, reply, "session", secret, SESSION_SECONDS)
  if (hasSignedOut(context, reply.request)) set(context, reply, SIGNED_OUT, "", 0)
}

/** Ends what is under way at a provider too. By the mark, an application that knows the person asks again: LOGIN-12. */
export function clearSession(context: HttpContext, reply: HttpReply): void {
  set(context, reply, "session", "", 0)
  for (const name of unfinishedNames(reply.request)) forgetUnfinished(context, reply, name)
  const presets = [...context.services.providers.values()].map(({ preset }) => preset)
  if (presets.includes("application")) set(context, reply, SIGNED_OUT, "1", SIGNED_OUT_SECONDS)
}

/** Whether the person signed out in this browser, and has not signed in since. */
export function hasSignedOut(context: HttpContext, request: HttpRequest): boolean {
  return cookiesOf(request)[cookieName(context, SIGNED_OUT)] === "1"
}

/** Keeps the language that the person chose. */
export function keepLanguage(context: HttpContext, reply: HttpReply, tag: string): void {
  set(context, reply, "language", tag, BROWSER_SECONDS)
}

function set(context: HttpContext, reply: HttpReply, name: string, value: string, maxAge: number): void {
  setCookie(reply, context, cookieName(context, name), value, maxAge)
}
