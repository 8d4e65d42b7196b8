/**
 * Pages of one-time links. GET shows what the link does and changes nothing, because mail scanners open every link. POST
 * uses the link. RECOVER-3.
 *
 * An address is confirmed only in a browser that is signed in to the account. A person who gets the link of an account
 * that a stranger prepared would otherwise give that account an address of their own. EMAIL-3.
 */
import { parseForm } from "../../kernel/form.ts"
import { csrfToken, isFromOwnPage, visitorToken, isOwnForm } from "../sessions/csrf.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { queryOf, rawFormOf } from "../../platform/http/request.ts"
import { sendErrorPage, sendPage, sendSeeOther } from "../../platform/http/respond.ts"
import { type Browser, browserOf, keepBrowser } from "../sessions/browser-cookies.ts"
import { type HttpContext, pageInput } from "../../platform/http/http-context.ts"
import { addressOf, type Endpoint } from "../../platform/http/endpoint.ts"
import { sealContinuation, signInPath, waitingBehind } from "../sign-in/continuation.ts"
import { sendStartAgain } from "../guards/start-again.ts"
import { type OpenedLink, openLink } from "./email.ts"
import {
  renderLinkGone,
  renderLinkOfAnother,
  renderLinkQuestion,
  renderLinkUsed,
  type LinkUsed,
} from "./link.view.ts"

type LinkPage = {
  readonly path: "/email/confirm" | "/email/restore"
  readonly purpose: "confirm-address" | "restore-address"
  /** Whether the browser must be signed in to the account of the link. */
  readonly needsSession: boolean
  /** Uses the link. Returns what the page then says, or null if the link does not work any more. */
  readonly use: (context: HttpContext, secret: string, address: string) => Promise<LinkUsed | null>
}

export function linkPage({ path, purpose, needsSession, use }: LinkPage): {
  readonly get: Endpoint
  readonly post: Endpoint
} {
  const tokenOf = needsSession ? csrfToken : visitorToken
  const isOfAnother = ({ signedIn }: Browser, { account }: OpenedLink) =>
    needsSession && signedIn?.account.userId !== account.userId

  const ask = (
    context: HttpContext,
    reply: HttpReply,
    browser: Browser,
    opened: OpenedLink,
    secret: string,
  ): HttpReply => {
    keepBrowser(context, reply, browser)
    const page = renderLinkQuestion({
      ...browser.page,
      action: context.basePath + path,
      csrf: tokenOf(browser),
      purpose,
      link: secret,
      address: opened.link.address ?? "",
      username: opened.account.username,
    })
    return sendPage(context, reply, 200, page, { hasSecretUrl: true })
  }
  const pathOf = (secret: string) => `${path}?link=${encodeURIComponent(secret)}`
  const continuation = ({ services }: HttpContext, secret: string) =>
    sealContinuation(services.keys, pathOf(secret))

  const signInFor = (context: HttpContext, secret: string) =>
    context.basePath + signInPath(continuation(context, secret))

  const sendOfAnother = (
    context: HttpContext,
    reply: HttpReply,
    browser: Browser,
    { account }: OpenedLink,
    secret: string,
  ): HttpReply => {
    const page = renderLinkOfAnother({
      ...browser.page,
      csrf: csrfToken(browser),
      continueTo: continuation(context, secret),
      username: account.username,
      signedInAs: browser.signedIn?.account.username ?? "",
    })
    return sendPage(context, reply, 403, page, { hasSecretUrl: true })
  }

  return {
    get: async (context, request, reply) => {
      const secret = parseForm(queryOf(request))?.values.get("link") ?? ""
      const browser = await browserOf(context, request)
      if (needsSession && browser.signedIn === null)
        return sendSeeOther(context, reply, signInFor(context, secret))
      const opened = await openLink(context.services, purpose, secret)
      if (opened === null) return gone(context, reply)
      if (isOfAnother(browser, opened)) return sendOfAnother(context, reply, browser, opened, secret)
      return ask(context, reply, browser, opened, secret)
    },
    post: async (context, request, reply) => {
      const form = rawFormOf(request)
      if (form === null) return sendErrorPage(context, reply, 400, { kind: "formUnread" })
      const browser = await browserOf(context, request)
      const secret = form.values.get("link") ?? ""
      if (!isOwnForm(context, request, tokenOf(browser), form.values.get("csrf")))
        return needsSession && isFromOwnPage(context, request)
          ? sendStartAgain(context, reply, browser, pathOf(secret))
          : sendErrorPage(context, reply, 403, { kind: "formForeign" })
      const opened = await openLink(context.services, purpose, secret)
      if (opened === null) return gone(context, reply)
      if (isOfAnother(browser, opened)) return sendOfAnother(context, reply, browser, opened, secret)
      const used = await use(context, secret, addressOf(context, request))
      if (used === null) return gone(context, reply)
      return sendPage(context, reply, used === "taken" ? 409 : 200, renderLinkUsed({ ...browser.page, used }))
    },
  }
}

/** `next` is what waits for the sign-in that the page leads to, or null. */
export function gone(
  context: HttpContext,
  reply: HttpReply,
  next: string | null = null,
  of: "gone" | "invitation-gone" = "gone",
): HttpReply {
  const { services } = context
  const continueTo = sealContinuation(services.keys, next)
  const waiting = waitingBehind(services.keys, next)
  const page = renderLinkGone({ ...pageInput(context, reply.request), of, signIn: signInPath(continueTo) })
  return sendPage(context, reply, 410, page, { waiting, hasSecretUrl: true })
}
