/**
 * Pages of one-time links. GET shows what the link does and changes nothing, because mail scanners open every link. POST
 * uses the link. RECOVER-3.
 */
import { parseForm } from "../../kernel/form.ts"
import { visitorToken, isOwnForm } from "../sessions/csrf.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { queryOf, rawFormOf } from "../../platform/http/request.ts"
import { sendErrorPage, sendPage } from "../../platform/http/respond.ts"
import { type Browser, browserOf, keepBrowser } from "../sessions/browser-cookies.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { addressOf, type Endpoint } from "../../platform/http/endpoint.ts"
import { type OpenedLink, openLink } from "./email.ts"
import { renderLinkGone, renderLinkQuestion, renderLinkUsed, type LinkUsed } from "./link.view.ts"

type LinkPage = {
  readonly path: "/email/confirm" | "/email/restore"
  readonly purpose: "confirm-address" | "restore-address"
  /** Uses the link. Returns what the page then says, or null if the link does not work any more. */
  readonly use: (context: HttpContext, secret: string, address: string) => Promise<LinkUsed | null>
}

export function linkPage({ path, purpose, use }: LinkPage): {
  readonly get: Endpoint
  readonly post: Endpoint
} {
  const ask = (
    context: HttpContext,
    reply: HttpReply,
    browser: Browser,
    opened: OpenedLink,
    secret: string,
  ): HttpReply => {
    keepBrowser(context, reply, browser)
    const { basePath } = context
    const page = renderLinkQuestion({
      basePath,
      action: basePath + path,
      csrf: visitorToken(browser),
      purpose,
      link: secret,
      address: opened.link.address ?? "",
      username: opened.account.username,
    })
    return sendPage(context, reply, 200, page, { hasSecretUrl: true })
  }
  return {
    get: async (context, request, reply) => {
      const secret = parseForm(queryOf(request))?.values.get("link") ?? ""
      const opened = await openLink(context.services, purpose, secret)
      if (opened === null) return gone(context, reply)
      return ask(context, reply, await browserOf(context, request), opened, secret)
    },
    post: async (context, request, reply) => {
      const form = rawFormOf(request)
      if (form === null) return sendErrorPage(context, reply, 400, { kind: "formUnread" })
      const browser = await browserOf(context, request)
      if (!isOwnForm(context, request, visitorToken(browser), form.values.get("csrf")))
        return sendErrorPage(context, reply, 403, { kind: "formForeign" })
      const used = await use(context, form.values.get("link") ?? "", addressOf(context, request))
      if (used === null) return gone(context, reply)
      const { basePath } = context
      return sendPage(context, reply, used === "taken" ? 409 : 200, renderLinkUsed({ basePath, used }))
    },
  }
}

export function gone(context: HttpContext, reply: HttpReply): HttpReply {
  return sendPage(context, reply, 410, renderLinkGone({ basePath: context.basePath }), { hasSecretUrl: true })
}
