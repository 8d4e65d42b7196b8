/** GET and POST /setup: the one-time link that makes the first administrator. */
import { parseForm } from "../../kernel/form.ts"
import { PASSWORD_LENGTH } from "../../kernel/limits.ts"
import { renderSetup, renderSetupGone, type SetupProblem } from "./set-up.view.ts"
import { isSetUpOpen, setUp } from "./set-up.ts"
import { isOwnForm, visitorToken } from "../../http/csrf.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import { queryOf, rawFormOf, userAgentOf } from "../../http/request.ts"
import { sendErrorPage, sendPage, sendSeeOther } from "../../http/respond.ts"
import { type Browser, browserOf, keepBrowser, setSession } from "../../http/browser-cookies.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { addressOf, type Endpoint } from "../../http/endpoint.ts"

export const showSetUp: Endpoint = async (site, request, reply) => {
  const link = parseForm(queryOf(request))?.values.get("link") ?? ""
  if (!(await isSetUpOpen(site.services, link))) return gone(site, reply)
  return show(site, reply, await browserOf(site, request), { status: 200, link, username: "", problems: [] })
}

export const submitSetUp: Endpoint = async (site, request, reply) => {
  const form = rawFormOf(request)
  if (form === null) return sendErrorPage(site, reply, 400, { kind: "formUnread" })
  const { values } = form
  const browser = await browserOf(site, request)
  if (!isOwnForm(site, request, visitorToken(browser), values.get("csrf")))
    return sendErrorPage(site, reply, 403, { kind: "formForeign" })
  const link = values.get("link") ?? ""
  const username = values.get("username") ?? ""
  const answer = await setUp(site.services, {
    secret: link,
    username,
    password: values.get("password") ?? "",
    address: addressOf(site, request),
    userAgent: userAgentOf(request),
    browserSecret: browser.secret,
  })
  switch (answer.outcome) {
    case "gone":
      return gone(site, reply)
    case "again": {
      const problems = [{ field: answer.field, message: answer.problem }]
      return show(site, reply, browser, { status: 400, link, username, problems })
    }
    case "made":
      keepBrowser(site, reply, browser)
      setSession(site, reply, answer.sessionSecret)
      return sendSeeOther(site, reply, `${site.basePath}/account`)
  }
}

type Shown = {
  readonly status: number
  readonly link: string
  readonly username: string
  readonly problems: readonly SetupProblem[]
}

function show(site: HttpContext, reply: HttpReply, browser: Browser, { status, ...shown }: Shown): HttpReply {
  keepBrowser(site, reply, browser)
  const { basePath } = site
  const passwordLengthAtLeast = PASSWORD_LENGTH.least
  return sendPage(
    site,
    reply,
    status,
    renderSetup({ basePath, csrf: visitorToken(browser), passwordLengthAtLeast, ...shown }),
  )
}

function gone(site: HttpContext, reply: HttpReply): HttpReply {
  return sendPage(site, reply, 410, renderSetupGone({ basePath: site.basePath }))
}
