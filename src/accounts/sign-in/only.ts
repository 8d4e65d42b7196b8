/**
 * Where an application is the only way to sign in, people see no form of ours. Administrators do: at its own address, on
 * their way to the console, and where they sign in again. LOGIN-12, LOGIN-13.
 */
import { parseForm } from "../../kernel/form.ts"
import type { ApplicationProvider } from "../../model/sign-in/provider.rules.ts"
import type { HttpRequest } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { queryOf } from "../../platform/http/request.ts"
import type { Browser } from "../sessions/browser-cookies.ts"
import { visitorToken } from "../sessions/csrf.ts"
import { onlyApplication } from "../sessions/session.rules.ts"
import { waitingAt } from "../../platform/http/waiting.rules.ts"
import { sealContinuation } from "./continuation.ts"
import type { WayOut } from "./way-out.view.ts"

const CONSOLE = /^\/console(?:[/?]|$)/

/** Returns the application at which this visitor signs in. Null if our page does it. */
export function applicationFor(
  { services }: HttpContext,
  request: HttpRequest,
  { signedIn, held }: Browser,
  next: string | null,
): ApplicationProvider | null {
  const only = onlyApplication(services.providers)
  if (only === null || signedIn?.session.vouched === null) return null
  const isConsole = CONSOLE.test(next ?? "") && held?.session.vouched?.by !== only.name
  return isConsole || isOurForm(request, only) ? null : only
}

/** What a page on the way to `next` has: its form, and how a person leaves it. */
export function pageOnTheWay({ services }: HttpContext, browser: Browser, next: string | null) {
  const isOnlyWay = onlyApplication(services.providers) !== null
  const wayOut: WayOut = isOnlyWay ? (waitingAt(next) === "app" ? "app" : null) : "sign-in"
  const continueTo = sealContinuation(services.keys, next)
  return { ...browser.page, csrf: visitorToken(browser), continueTo, wayOut }
}

/** Whether the request asks for our form, or answers it, or belongs to another provider. */
function isOurForm(request: HttpRequest, only: ApplicationProvider): boolean {
  const { name = only.name } = request.params as { readonly name?: string }
  const path = request.route?.path
  if (path === "/sign-in" && request.method !== "POST")
    return parseForm(queryOf(request))?.values.get("with") === "password"
  return path === "/sign-in" || path === "/sign-in/passkey" || name !== only.name
}
