/** GET and POST /language: the language that a person chooses for the pages. LANG-4. */
import { parseForm } from "../../kernel/form.ts"
import { addressOf, type Endpoint } from "../../platform/http/endpoint.ts"
import { queryOf, rawFormOf } from "../../platform/http/request.ts"
import { sendErrorPage, sendPage, sendSeeOther } from "../../platform/http/respond.ts"
import { ownPath } from "../../platform/ui/own-path.ts"
import { browserOf, keepBrowser, keepLanguage } from "../sessions/browser-cookies.ts"
import { csrfToken, isFromOwnPage, isOwnForm } from "../sessions/csrf.ts"
import { updateAccount } from "../account-by-id.ts"
import { sendStartAgain } from "../guards/start-again.ts"
import { renderLanguage } from "./language.view.ts"

export const showLanguage: Endpoint = async (context, request, reply) => {
  const browser = await browserOf(context, request)
  const next = ownPath(parseForm(queryOf(request))?.values.get("next") ?? null)
  keepBrowser(context, reply, browser)
  const { all: languages } = context.services.languages
  const page = renderLanguage({ ...browser.page, csrf: csrfToken(browser), languages, next })
  return sendPage(context, reply, 200, page)
}

export const submitLanguage: Endpoint = async (context, request, reply) => {
  const values = rawFormOf(request)?.values
  // The response to a form from another site must not change this browser's cookies.
  if (!isFromOwnPage(context, request)) return sendErrorPage(context, reply, 403, { kind: "formForeign" })
  const browser = await browserOf(context, request)
  if (!isOwnForm(context, request, csrfToken(browser), values?.get("csrf")))
    return sendStartAgain(context, reply, browser, "/language")
  const language = values?.get("language") ?? ""
  if (!context.services.languages.tags.includes(language))
    return sendErrorPage(context, reply, 400, { kind: "formUnread" })
  const { signedIn } = browser
  const by = { address: addressOf(context, request) }
  if (signedIn !== null) await updateAccount(context.services, signedIn.account.userId, { language }, by)
  keepLanguage(context, reply, language)
  const next = ownPath(values?.get("next") ?? null) ?? (signedIn === null ? "/sign-in" : "/account")
  return sendSeeOther(context, reply, context.basePath + next)
}
