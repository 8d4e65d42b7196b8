/** The pages after a valid user code: consent, the confirmation of hub administration, and the result. */
import { CREDENTIAL_SECONDS } from "../../kernel/limits.ts"
import { devicePath, shownUserCode } from "./user-code.rules.ts"
import { renderConsent } from "../authorize/consent.view.ts"
import { renderDeviceConfirm } from "./device-confirm.view.ts"
import { type FoundGrant, questionOf } from "./find-device-grant.ts"
import type { SignedIn } from "../../accounts/sessions/session.ts"
import { newId } from "../../kernel/random.ts"
import { sealContinuation } from "../../accounts/sign-in/continuation.ts"
import { type DeviceTicket, sealDeviceTicket } from "../authorize/ticket.ts"
import type { SignedInBrowser } from "../../accounts/guards/account-request.ts"
import { csrfToken } from "../../accounts/sessions/csrf.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { sendPage } from "../../platform/http/respond.ts"
import { type Browser, keepBrowser } from "../../accounts/sessions/browser-cookies.ts"
import { keepWaiting } from "../../accounts/sign-in/waiting-cookie.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { appOf, askedViews, noticeOf, resourceNames, viewsOf } from "../authorize/authorization-pages.ts"

export type ShowStepUp = (
  context: HttpContext,
  reply: HttpReply,
  request: SignedInBrowser,
  ticket: DeviceTicket,
  shown: { readonly status: number; readonly problem: null },
) => Promise<HttpReply>

/** Shows the consent page or the page of a step-up. Each page has a new device ticket that is valid for ten minutes. */
export async function showDeviceConsent(
  context: HttpContext,
  reply: HttpReply,
  browser: Browser,
  signedIn: SignedIn,
  found: FoundGrant,
  showStepUp: ShowStepUp,
): Promise<HttpReply> {
  const { services } = context
  const { session, account } = signedIn
  const { grant, client, document, letters } = found
  const asked = questionOf(services.catalog, found, signedIn)
  const { request } = grant
  const now = services.clock.now()
  const userCode = shownUserCode(letters)
  const ticket: DeviceTicket = {
    id: newId(now),
    purpose: request.purpose.purpose,
    grantId: request.grantId,
    userCode,
    granted: asked.granted,
    sessionHash: session.sessionHash,
    userId: account.userId,
    shownAt: now,
    isConfirmation: false,
    shownChange: document?.document.changed?.at ?? null,
  }
  keepBrowser(context, reply, browser)
  keepWaiting(context, reply, browser, devicePath(userCode))
  if (ticket.purpose === "step-up")
    return showStepUp(context, reply, { browser, signedIn }, ticket, { status: 200, problem: null })
  const access = request.purpose.purpose === "access" ? request.purpose : null
  const page = renderConsent({
    ...browser.page,
    app: await appOf(context, client),
    notice: await noticeOf(context, { client, document }, account.userId),
    username: account.username,
    installationName: access?.installationName ?? null,
    resourceNames: resourceNames(services, browser.page.texts, access?.resources ?? []),
    ...askedViews(context, browser.page.texts, asked),
    origin: {
      from: "device",
      userCode,
      address: request.address,
      askedAt: request.askedAt,
      askedSecondsAgo: Math.max(0, now - request.askedAt),
    },
    lastsSeconds: CREDENTIAL_SECONDS,
    endsWithSession: client.endsWithSession,
    continueTo: sealContinuation(services.keys, devicePath(userCode)),
    ticket: sealDeviceTicket(services.keys, ticket),
    csrf: csrfToken(browser),
  })
  return sendPage(context, reply, 200, page, { waiting: "device" })
}

/** Shows the confirmation page, which has its own Authorize button. Nothing is granted before that. DG-4. */
export async function showDeviceConfirmation(
  context: HttpContext,
  reply: HttpReply,
  browser: Browser,
  signedIn: SignedIn,
  ticket: DeviceTicket,
): Promise<HttpReply> {
  const { services } = context
  const { deviceGrant } = await services.store.read({ deviceGrant: ticket.grantId })
  // This page only shows the name of the client. The next change checks the client.
  const { client } = await services.store.read({ client: deviceGrant?.request.clientId ?? null })
  const page = renderDeviceConfirm({
    ...browser.page,
    appName: client?.name ?? "",
    username: signedIn.account.username,
    userCode: ticket.userCode,
    administration: viewsOf(context, browser.page.texts, ticket.granted).filter(({ admin }) => admin),
    ticket: sealDeviceTicket(services.keys, {
      ...ticket,
      shownAt: services.clock.now(),
      isConfirmation: true,
    }),
    csrf: csrfToken(browser),
  })
  return sendPage(context, reply, 200, page, { waiting: "device" })
}
