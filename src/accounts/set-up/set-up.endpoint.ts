/** GET and POST /setup: the one-time link that creates the first administrator. */
import { parseForm } from "../../kernel/form.ts"
import { APPEARANCE_NAME_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import { PASSWORD_LENGTH, USERNAME_LENGTH_AT_MOST } from "../../kernel/account-limits.ts"
import { renderSetup, renderSetupGone, type SetupInput } from "./set-up.view.ts"
import { isSetUpOpen, setUp } from "./set-up.ts"
import { visitorToken } from "../sessions/csrf.ts"
import { finishSignIn, visitorForm } from "../sign-in/sign-in-form.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { queryOf } from "../../platform/http/request.ts"
import { sendPage } from "../../platform/http/respond.ts"
import { type Browser, browserOf, keepBrowser } from "../sessions/browser-cookies.ts"
import { type HttpContext, pageInput } from "../../platform/http/http-context.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"

export const showSetUp: Endpoint = async (context, request, reply) => {
  const link = parseForm(queryOf(request))?.values.get("link") ?? ""
  if (!(await isSetUpOpen(context.services, link))) return gone(context, reply)
  return show(context, reply, await browserOf(context, request), {
    status: 200,
    link,
    username: "",
    service: "",
    problems: [],
  })
}

export const submitSetUp = visitorForm(async (context, reply, { browser, values, visitor }) => {
  const link = values.get("link") ?? ""
  const username = values.get("username") ?? ""
  const service = values.get("service") ?? ""
  const answer = await setUp(context.services, {
    secret: link,
    username,
    password: values.get("password") ?? "",
    service,
    ...visitor,
  })
  switch (answer.outcome) {
    case "gone":
      return gone(context, reply)
    case "again": {
      const { texts } = browser.page
      const message =
        answer.field === "username"
          ? texts.plain(`username.${answer.problem}`, { most: USERNAME_LENGTH_AT_MOST })
          : answer.field === "password"
            ? texts.plain(`password.${answer.problem}`, PASSWORD_LENGTH)
            : texts.plain("set-up.service-wrong", { most: APPEARANCE_NAME_LENGTH_AT_MOST })
      const problems = [{ field: answer.field, message }]
      return show(context, reply, browser, { status: 400, link, username, service, problems })
    }
    case "made":
      return finishSignIn(context, reply, browser, answer.sessionSecret, "/console")
  }
})

function show(
  context: HttpContext,
  reply: HttpReply,
  browser: Browser,
  { status, ...shown }: Pick<SetupInput, "link" | "username" | "service" | "problems"> & { status: number },
): HttpReply {
  keepBrowser(context, reply, browser)
  const page = renderSetup({ ...browser.page, csrf: visitorToken(browser), ...shown })
  return sendPage(context, reply, status, page, { hasSecretUrl: true })
}

function gone(context: HttpContext, reply: HttpReply): HttpReply {
  const page = renderSetupGone(pageInput(context, reply.request))
  return sendPage(context, reply, 410, page, { hasSecretUrl: true })
}
