/** What the pages of one's own apps share: the app that a request is about, and where it may go on to. */
import type { Client } from "../../records/client.rules.ts"
import type { FormPath } from "../../accounts/elevation.rules.ts"
import type { OwnAppInput } from "./app.view.ts"
import type { Connection } from "./connect.view.ts"
import { findOwnApp } from "../own-app.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import { sendErrorPage, sendSeeOther } from "../../http/respond.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { accountForm, accountPage, provenPage } from "../../accounts/guards/account-page.ts"
import type { Endpoint } from "../../http/endpoint.ts"
import { type AccountRequest, fieldOf } from "../../accounts/guards/account-request.ts"

export const APPS = "/account/apps"

type WithoutApps<P> = P extends `${typeof APPS}${infer Rest}` ? Rest : never
/** Where a form is sent, below `APPS`. */
type Below = WithoutApps<FormPath>

/** A signed-in person's request about an app of theirs. */
export type OwnApp = AccountRequest & { readonly client: Client }

type Run = (context: HttpContext, reply: HttpReply, own: OwnApp) => Promise<HttpReply> | HttpReply

/** The page of an app below `APPS`, by `id` in its query. An app of somebody else's is not found. */
export function appPage(below: string, run: Run): Endpoint {
  return accountPage(APPS + below, withApp(run))
}

export function provenAppPage(below: Below, run: Run): Endpoint {
  return provenPage(`${APPS}${below}`, withApp(run))
}

/** A form about an app, by `id` among its fields. */
export function appForm(below: Below, run: Run): Endpoint {
  return accountForm(`${APPS}${below}`, withApp(run))
}

export function withApp(run: Run) {
  return async (context: HttpContext, reply: HttpReply, own: AccountRequest): Promise<HttpReply> => {
    const found = await findOwnApp(context.services, own.signedIn.account, fieldOf(own, "id"))
    if (!found.ok) return sendErrorPage(context, reply, 404, { kind: "notFound" })
    return run(context, reply, { ...own, client: found.value.client })
  }
}

/** `done` is what the page of the app says was done. */
export function toApp(
  context: HttpContext,
  reply: HttpReply,
  { clientId }: Pick<Client, "clientId">,
  done: OwnAppInput["done"],
): HttpReply {
  const said = done === null ? "" : `&done=${done}`
  return sendSeeOther(context, reply, `${context.basePath}${APPS}/app?id=${clientId}${said}`)
}

/** What an app is told so that it finds this service. RFC 8414 §3. */
export function connectionOf({ origin, basePath, services: { issuer } }: HttpContext): Connection {
  return { issuer, metadata: `${origin}/.well-known/oauth-authorization-server${basePath}` }
}

export function toApps(context: HttpContext, reply: HttpReply): HttpReply {
  return sendSeeOther(context, reply, `${context.basePath}${APPS}`)
}
