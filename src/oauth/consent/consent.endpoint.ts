/**
 * POST /oauth/consent: receives the forms of all consent pages; interface CONSENT-*. `authorize/consent.rules.ts` decides
 * on an authorization request, `device/device-answer.rules.ts` on a device.
 */
import { wireError } from "../../model/refusals/reasons.rules.ts"
import { allValues } from "../../kernel/form.ts"
import { renderDeviceDone } from "../device/device-done.view.ts"
import type { ErrorKind } from "../../platform/ui/error.ts"
import { answerConsent } from "../authorize/answer-consent.ts"
import type { ConsentTicket, NotDecided } from "../authorize/consent.rules.ts"
import { answerDevice, type NotDecided as DeviceNotDecided } from "../device/answer-device.ts"
import type { SignedInBrowser } from "../../accounts/guards/account-request.ts"
import { type DeviceTicket, openDeviceTicket, openTicket } from "../authorize/ticket.ts"
import { csrfToken, isFromOwnPage, isOwnForm } from "../../accounts/sessions/csrf.ts"
import { sendStartAgain } from "../../accounts/guards/start-again.ts"
import { requestPath } from "../authorize/request-path.rules.ts"
import { devicePath } from "../device/user-code.rules.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { rawFormOf } from "../../platform/http/request.ts"
import { sendErrorPage, sendPage } from "../../platform/http/respond.ts"
import { type Browser, browserOf } from "../../accounts/sessions/browser-cookies.ts"
import { forgetWaiting } from "../../accounts/sign-in/waiting-cookie.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { showDeviceConfirmation } from "../device/device-pages.ts"
import { consentToStepUp } from "../step-up/step-up-pages.ts"
import { sendBack, sendCode } from "../authorize/authorization-pages.ts"
import { addressOf, type Endpoint } from "../../platform/http/endpoint.ts"

export const consent: Endpoint = async (context, request, reply) => {
  const form = rawFormOf(request)
  if (form === null || form.repeated.has("ticket") || form.repeated.has("csrf"))
    return sendErrorPage(context, reply, 400, { kind: "requestMalformed" })
  const { values } = form
  const ticket = ticketIn(context, values.get("ticket") ?? "")
  if (ticket === null || !isFromOwnPage(context, request)) return sendForeign(context, reply)
  if ("request" in ticket) request.destination = requestPath(ticket.request)
  const browser = await browserOf(context, request)
  const { signedIn } = browser
  if (signedIn === null || !isOwnForm(context, request, csrfToken(browser), values.get("csrf")))
    return ticket.sessionHash === signedIn?.session.sessionHash
      ? sendForeign(context, reply)
      : sendNotYours(context, reply, browser, ticket)

  // A repeated `decision` field counts as a missing decision, which refuses.
  const decisions = form.repeated.has("decision") ? [] : allValues(form, "decision")
  const holder = { browser, signedIn }
  const address = addressOf(context, request)
  if ("request" in ticket) return consentToApp(context, reply, holder, ticket, decisions, address)
  return ticket.purpose === "step-up"
    ? consentToStepUp(context, reply, holder, ticket, decisions, values, address)
    : consentToDevice(context, reply, holder, ticket, decisions, address)
}

function ticketIn({ services: { keys } }: HttpContext, sealed: string): ConsentTicket | DeviceTicket | null {
  return openTicket(keys, sealed) ?? openDeviceTicket(keys, sealed)
}

async function consentToApp(
  context: HttpContext,
  reply: HttpReply,
  { browser, signedIn }: SignedInBrowser,
  ticket: ConsentTicket,
  decisions: readonly string[],
  address: string,
): Promise<HttpReply> {
  const answer = await answerConsent(context.services, ticket, decisions, signedIn.session, address)
  switch (answer.outcome) {
    case "granted":
      return sendCode(context, reply, answer)
    case "refused":
      forgetWaiting(context, reply)
      return sendBack(context, reply, answer.redirectUri, [
        ["error", wireError("accessDenied").error],
        ["error_description", wireError("accessDenied").description],
        ["state", answer.state],
      ])
    case "not-decided":
      return sendNotDecided(context, reply, browser, ticket, answer.because)
  }
}

function sendForeign(context: HttpContext, reply: HttpReply): HttpReply {
  return sendErrorPage(context, reply, 403, { kind: "formForeign" })
}

/** Answers a form that another session drew. Its ticket says what begins again. */
function sendNotYours(
  context: HttpContext,
  reply: HttpReply,
  browser: Browser,
  ticket: ConsentTicket | DeviceTicket,
): HttpReply {
  const next = "request" in ticket ? requestPath(ticket.request) : devicePath(ticket.userCode)
  return sendStartAgain(context, reply, browser, next)
}

async function consentToDevice(
  context: HttpContext,
  reply: HttpReply,
  { browser, signedIn }: SignedInBrowser,
  ticket: DeviceTicket,
  decisions: readonly string[],
  address: string,
): Promise<HttpReply> {
  const answer = await answerDevice(context.services, ticket, decisions, signedIn.session, address)
  switch (answer.outcome) {
    case "confirm":
      return showDeviceConfirmation(context, reply, browser, signedIn, {
        ...ticket,
        granted: answer.granted,
      })
    case "approved":
    case "denied": {
      forgetWaiting(context, reply)
      return sendPage(context, reply, 200, renderDeviceDone({ ...browser.page, outcome: answer.outcome }))
    }
    case "not-decided":
      return sendNotDecided(context, reply, browser, ticket, answer.because)
  }
}

function sendNotDecided(
  context: HttpContext,
  reply: HttpReply,
  browser: Browser,
  ticket: ConsentTicket | DeviceTicket,
  because: NotDecided | DeviceNotDecided,
): HttpReply {
  return because === "not-yours"
    ? sendNotYours(context, reply, browser, ticket)
    : sendErrorPage(context, reply, ...notDecided[because])
}

const notDecided: Readonly<
  Record<Exclude<NotDecided | DeviceNotDecided, "not-yours">, readonly [number, ErrorKind]>
> = {
  "answered-before": [409, { kind: "consentAnswered" }],
  "answered-by-another": [409, { kind: "consentAnsweredByAnother" }],
  stale: [400, { kind: "consentStale" }],
  "app-gone": [400, { kind: "appGone" }],
  "document-not-allowed": [400, { kind: "documentNotAllowed" }],
  "document-changed": [409, { kind: "documentChanged" }],
  "return-address-gone": [400, { kind: "returnAddressUnknown" }],
  "administration-withdrawn": [403, { kind: "administrationWithdrawn" }],
  "groups-withdrawn": [403, { kind: "groupsWithdrawn" }],
  "request-changed": [409, { kind: "requestChanged" }],
}
