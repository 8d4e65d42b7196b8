/** The sign-in and consent pages of an authorization. Their `form-action` policy allows the redirect to the app. */
import type { AuthorizationRequest } from "./authorization-request.rules.ts"
import type { MatchedRedirectUri, Permission, UserId } from "../../kernel/ids.ts"
import type { Client } from "../../records/client.rules.ts"
import { CREDENTIAL_SECONDS } from "../../kernel/limits.ts"
import { isAdmin } from "../../permissions/permission.rules.ts"
import {
  formActionSource,
  isLocalRedirect,
  isLoopbackRedirect,
  type ParameterValue,
  returnHost,
  withParameters,
} from "../clients/redirect-uri.rules.ts"
import type { ResolvedDocument } from "../clients/resolve-document.ts"
import { type ConsentInput, type DocumentNotice, renderConsent, type ReturnsTo } from "./consent.view.ts"
import type { AppView } from "../../ui/monogram.ts"
import type { PermissionView } from "../../ui/permission-list.ts"
import { providerViews } from "../../accounts/factors/provider-buttons.view.ts"
import { renderSignIn, type SignInProblem } from "../../accounts/factors/sign-in.view.ts"
import { askConsent } from "./answer-consent.ts"
import { askPasskey } from "../../accounts/factors/passkey.ts"
import type { SignedIn } from "../../accounts/sessions/session.ts"
import { sealContinuation } from "./ticket.ts"
import { csrfToken, visitorToken } from "../../http/csrf.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import { sendPage, sendSeeOther } from "../../http/respond.ts"
import { type Browser, keepBrowser } from "../../http/browser-cookies.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { passkeyView } from "../../accounts/factors/proof-form.ts"
import { hasServedIcon } from "../../records/client.rules.ts"

export function appView(client: Client): AppView {
  const { clientId, name, verified } = client
  const iconUrl = hasServedIcon(client) ? `/oauth/apps/${encodeURIComponent(clientId)}/icon` : null
  return { clientId, name, verified, iconUrl }
}

/** An authorization request that waits for sign-in, and the client that sent it. */
export type Waiting = { readonly client: Client; readonly request: AuthorizationRequest }

/** Returns the `form-action` source for the sign-in forms. Returns null if no authorization request waits. */
export function formTargetOf(of: Waiting | null): string | null {
  return of === null ? null : formActionSource(of.request.redirectUri)
}

export type SignInShown = {
  readonly status: number
  /** The path and query that the browser opens after sign-in. Null stands for the account page. */
  readonly next: string | null
  readonly of: Waiting | null
  readonly username: string
  readonly problem: SignInProblem | null
}

export async function showSignIn(
  context: HttpContext,
  reply: HttpReply,
  browser: Browser,
  shown: SignInShown,
): Promise<HttpReply> {
  keepBrowser(context, reply, browser)
  const { anyAccount } = await context.services.store.read({ anyAccount: true })
  const { next, of } = shown
  const passkey = passkeyView(askPasskey(context.services, browser.secret, null))
  const page = renderSignIn({
    basePath: context.basePath,
    csrf: visitorToken(browser),
    continueTo: next === null ? null : sealContinuation(context.services.keys, next),
    app: of === null ? null : appView(of.client),
    isServiceEmpty: anyAccount === null,
    username: shown.username,
    passkey,
    providers: providerViews(context.services),
    offersRecovery: context.services.mail !== null,
    problem: shown.problem,
  })
  return sendPage(context, reply, shown.status, page, {
    formTarget: formTargetOf(of),
    runsScript: passkey !== null,
  })
}

/** The client that a consent page describes. If its client_id is the URL of a document, the document is included. */
export type ConsentingClient = { readonly client: Client; readonly document: ResolvedDocument | null }

export async function showConsent(
  context: HttpContext,
  reply: HttpReply,
  browser: Browser,
  { session, account }: SignedIn,
  { client, document }: ConsentingClient,
  request: AuthorizationRequest,
  next: string,
): Promise<HttpReply> {
  const { services, basePath } = context
  const { ticket, granted, refusedToAccount } = askConsent(services, request, session, account, document)
  const page = renderConsent({
    basePath,
    app: await appOf(context, client),
    document: document === null ? undefined : await noticeOf(context, document, account.userId),
    username: account.username,
    installationName: request.installationName,
    resourceNames: resourceNames(services, request.resources),
    granted: viewsOf(context, granted),
    refusedToAccount: viewsOf(context, refusedToAccount),
    asker: { from: "browser", returnsTo: returnsTo(request.redirectUri) },
    lastsSeconds: CREDENTIAL_SECONDS,
    endsWithSession: client.endsWithSession,
    continueTo: sealContinuation(services.keys, next),
    ticket,
    csrf: csrfToken(browser),
  })
  return sendPage(context, reply, 200, page, { formTarget: formActionSource(request.redirectUri) })
}

/** Returns the names of the resource servers that a request names. */
export function resourceNames(
  { resourceServers }: HttpContext["services"],
  resources: readonly string[],
): readonly string[] {
  return resources.flatMap((resource) => resourceServers?.get(resource) ?? [])
}

/** Returns what a consent page says about a document. */
export async function noticeOf(
  { services: { store } }: HttpContext,
  { client: { clientId, redirectUris }, document: { changed }, isStored }: ResolvedDocument,
  userId: UserId,
): Promise<DocumentNotice> {
  const isLocal = redirectUris.every(isLocalRedirect)
  if (!isStored || changed === null) return { isLocal, changed: [] }
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

export function viewsOf(
  { services: { catalogue } }: HttpContext,
  permissions: readonly Permission[],
): PermissionView[] {
  const implied = new Set(permissions.flatMap((permission) => catalogue.get(permission)?.implies ?? []))
  return permissions.map((name) => {
    const entry = catalogue.get(name)
    return {
      name,
      title: entry?.title ?? name,
      description: entry?.description ?? "",
      group: entry?.group ?? "",
      admin: isAdmin(name),
      implied: implied.has(name),
    }
  })
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
