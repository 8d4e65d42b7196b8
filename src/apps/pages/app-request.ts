/** Requests to app pages, for owners and administrators. */
import { type AccountRequest, fieldOf } from "../../accounts/guards/account-request.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { sendSeeOther } from "../../platform/http/respond.ts"
import type { Permission } from "../../kernel/ids.ts"
import { isOpenidPermission, OPENID } from "../../model/permissions/openid-permissions.rules.ts"
import { type App, findManagedApp, type Manager } from "../app.ts"
import { type AppPageInput, pathOf } from "./app-page.ts"
import type { Connection } from "./connect.view.ts"

type Status = 200 | 400 | 404

/** The role of a visitor of app pages: an owner or an administrator. */
export type AppRole = {
  readonly managerOf: (context: HttpContext, request: AccountRequest) => Manager | Promise<Manager>
  readonly view: (context: HttpContext, request: AccountRequest) => AppPageInput
  readonly send: (context: HttpContext, reply: HttpReply, page: string, status?: Status) => HttpReply
  readonly notFound: (context: HttpContext, reply: HttpReply, request: AccountRequest) => HttpReply
}

export type AppsRequest = AccountRequest & {
  readonly by: Manager
  readonly view: AppPageInput
  readonly send: (page: string, status?: Status) => HttpReply
  readonly notFound: () => HttpReply
}

/** A request about the app that the parameter `id` names. */
export type AppRequest = AppsRequest & { readonly app: App }

type Run<R> = (
  context: HttpContext,
  reply: HttpReply,
  request: R,
  file: Uint8Array | null,
) => Promise<HttpReply> | HttpReply

export type AppsRun = Run<AppsRequest>
export type AppRun = Run<AppRequest>

export function asRole(role: AppRole, run: AppsRun) {
  return async (
    context: HttpContext,
    reply: HttpReply,
    request: AccountRequest,
    file: Uint8Array | null = null,
  ): Promise<HttpReply> => {
    const appsRequest = {
      ...request,
      by: await role.managerOf(context, request),
      view: role.view(context, request),
      send: (page: string, status?: Status) => role.send(context, reply, page, status),
      notFound: () => role.notFound(context, reply, request),
    }
    return run(context, reply, appsRequest, file)
  }
}

/** Finds the app of the request. An owner gets "not found" for another account's app. */
export function onApp(run: AppRun): AppsRun {
  return async (context, reply, request, file) => {
    const found = await findManagedApp(context.services, fieldOf(request, "id"), request.by)
    return found.ok ? run(context, reply, { ...request, app: found.value }, file) : request.notFound()
  }
}

/** The URLs that an app with these permissions needs to find this service. RFC 8414 §3; OpenID Connect Discovery §4. */
export function connectionOf(context: HttpContext, ceiling: readonly Permission[] = []): Connection {
  const { origin, basePath, services } = context
  const { issuer, catalog } = services
  const metadata = `${origin}/.well-known/oauth-authorization-server${basePath}`
  const isOpenid = isOpenidPermission(catalog, OPENID) && ceiling.includes(OPENID)
  return { issuer, metadata, openid: isOpenid ? `${issuer}/.well-known/openid-configuration` : undefined }
}

/** Redirects to the page of an app. The page then shows the notice `done`. */
export function toApp(
  context: HttpContext,
  reply: HttpReply,
  { view }: AppsRequest,
  clientId: string,
  done: string,
): HttpReply {
  return sendSeeOther(context, reply, `${context.basePath}${pathOf(view.paths.app, clientId)}&done=${done}`)
}

/** Redirects to the list of apps, which then shows the notice `done`. */
export function toApps(
  context: HttpContext,
  reply: HttpReply,
  { view }: AppsRequest,
  done: string | null = null,
): HttpReply {
  const flash = done === null ? "" : `?done=${done}`
  return sendSeeOther(context, reply, `${context.basePath}${view.paths.list}${flash}`)
}
