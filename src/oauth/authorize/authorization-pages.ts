/** The consent page and the redirect to the app. */
import type { AuthorizationRequest } from "./authorization-request.rules.ts"
import type { MatchedRedirectUri, Permission, UserId } from "../../kernel/ids.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { CREDENTIAL_SECONDS } from "../../kernel/limits.ts"
import { isAdmin } from "../../model/permissions/permission.rules.ts"
import {
  isLocalRedirect,
  isLoopbackRedirect,
  type ParameterValue,
  returnHost,
  withParameters,
} from "../clients/redirect-uri.rules.ts"
import type { ResolvedDocument } from "../clients/resolve-document.ts"
import { type ConsentInput, type ConsentNotice, renderConsent, type ReturnsTo } from "./consent.view.ts"
import { localText, permissionTexts } from "../../platform/languages/local-text.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import type { PermissionView } from "../../platform/ui/permission-list.ts"
import { askConsent } from "./answer-consent.ts"
import type { ConsentAnswer, Grantable } from "./consent.rules.ts"
import { appView } from "../../accounts/sign-in/app-view.ts"
import type { SignedIn } from "../../accounts/sessions/session.ts"
import { sealContinuation } from "../../accounts/sign-in/continuation.ts"
import { csrfToken } from "../../accounts/sessions/csrf.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { sendPage, sendSeeOther } from "../../platform/http/respond.ts"
import { type Browser, keepBrowser } from "../../accounts/sessions/browser-cookies.ts"
import { forgetWaiting, keepWaiting } from "../../accounts/sign-in/waiting-cookie.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"

/** With a longer request, the head of the response would not fit the 4 KB that nginx reads by default. */
const KEPT_LENGTH_AT_MOST = 1_500

/** The client that a consent page describes. If its client_id is the URL of a document, the document is included. */
type ConsentingClient = { readonly client: Client; readonly document: ResolvedDocument | null }

export async function showConsent(
  context: HttpContext,
  reply: HttpReply,
  browser: Browser,
  { session, account }: SignedIn,
  { client, document }: ConsentingClient,
  request: AuthorizationRequest,
  next: string,
): Promise<HttpReply> {
  const { services } = context
  const { page: shown } = browser
  const { ticket, asked, remembers } = askConsent(services, request, client, session, account, document)
  const page = renderConsent({
    ...shown,
    app: await appOf(context, client),
    notice: await noticeOf(context, { client, document }, account.userId),
    username: account.username,
    installationName: request.installationName,
    resourceNames: resourceNames(services, shown.texts, request.resources),
    ...askedViews(context, shown.texts, asked),
    origin: { from: "browser", returnsTo: returnsTo(request.redirectUri) },
    lastsSeconds: CREDENTIAL_SECONDS,
    endsWithSession: client.endsWithSession,
    remembers,
    continueTo: sealContinuation(services.keys, next),
    ticket,
    csrf: csrfToken(browser),
  })
  keepBrowser(context, reply, browser)
  if (next.length <= KEPT_LENGTH_AT_MOST) keepWaiting(context, reply, browser, next, client.name)
  return sendPage(context, reply, 200, page, { waiting: "app" })
}

export function resourceNames(
  services: HttpContext["services"],
  texts: Texts,
  resources: readonly string[],
): readonly string[] {
  return resources.flatMap((resource) => {
    const name = services.resources.nameOf(resource)
    return name === null ? [] : localText(services, texts, name)
  })
}

/** Returns undefined for an app that a person registered. */
export async function noticeOf(
  { services: { store } }: HttpContext,
  { client, document: resolved }: ConsentingClient,
  userId: UserId,
): Promise<ConsentNotice | undefined> {
  const { clientId, redirectUris, registeredBy } = client
  if (resolved === null && registeredBy !== "itself") return undefined
  const isLocal = redirectUris.every(isLocalRedirect)
  const changed = resolved?.isStored === true ? resolved.document.changed : null
  if (changed === null) return { isLocal, changed: [] }
  const [last] = await store.credentials({ userId, clientId }, { limit: 1, newestFirst: true })
  const isOlder = last !== undefined && last.credential.consent.consentedAt < changed.at
  return { isLocal, changed: isOlder ? changed.parts : [] }
}

/** Returns an app for the consent page, with the username of its owner. */
export async function appOf({ services }: HttpContext, client: Client): Promise<ConsentInput["app"]> {
  const { account: owner } = await services.store.read({ account: client.ownerId })
  return { ...appView(client), registeredBy: client.registeredBy, ownerName: owner?.username ?? null }
}

function returnsTo(redirectUri: MatchedRedirectUri): ReturnsTo {
  const host = returnHost(redirectUri)
  if (isLoopbackRedirect(redirectUri)) return { kind: "loopback", host }
  return { kind: redirectUri.startsWith("https:") ? "web" : "private", host }
}

export function askedViews(
  context: HttpContext,
  texts: Texts,
  { isForAccount, granted, refusedToAccount, refusedByGroups }: Grantable,
) {
  return {
    isForAccount,
    granted: viewsOf(context, texts, granted),
    refusedToAccount: viewsOf(context, texts, refusedToAccount),
    refusedByGroups: viewsOf(context, texts, refusedByGroups),
  }
}

export function viewsOf(
  { services }: HttpContext,
  texts: Texts,
  permissions: readonly Permission[],
): PermissionView[] {
  const implied = new Set(
    permissions.flatMap((permission) => services.catalog.get(permission)?.implies ?? []),
  )
  return permissions.map((name) => ({
    ...permissionTexts(services, texts, name),
    name,
    admin: isAdmin(name),
    implied: implied.has(name),
  }))
}

/** Sends the code of a consent. */
export function sendCode(
  context: HttpContext,
  reply: HttpReply,
  { redirectUri, code, state }: Extract<ConsentAnswer, { outcome: "granted" }>,
): HttpReply {
  forgetWaiting(context, reply)
  return sendBack(context, reply, redirectUri, [
    ["code", code],
    ["state", state],
  ])
}

/** Redirects to the app. Every response carries `iss`, whether it reports success or an error. RFC 9207 §2. */
export function sendBack(
  context: HttpContext,
  reply: HttpReply,
  redirectUri: MatchedRedirectUri,
  parameters: readonly (readonly [string, ParameterValue])[],
): HttpReply {
  reply.header("cross-origin-opener-policy", "unsafe-none")
  return sendSeeOther(
    context,
    reply,
    withParameters(redirectUri, [...parameters, ["iss", context.services.issuer]]),
  )
}
