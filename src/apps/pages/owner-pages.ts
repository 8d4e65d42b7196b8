/** The endpoints of "My apps", the app pages for owners. SVC-8. */
import type { FormPath } from "../../accounts/elevation.rules.ts"
import { accountFileForm, accountForm, accountPage, provenPage } from "../../accounts/guards/account-page.ts"
import { fieldOf } from "../../accounts/guards/account-request.ts"
import { signedInView } from "../../accounts/guards/signed-in.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import { sendErrorPage, sendPage } from "../../platform/http/respond.ts"
import { asOwner } from "../app.ts"
import { showApp } from "./app.endpoint.ts"
import { ownerPaths as paths } from "./app-page.ts"
import { type AppRole, type AppsRun, asRole } from "./app-request.ts"
import { showEdit, showNewApp, submitEdit, submitNewApp } from "./form.endpoint.ts"
import { keyEffects } from "./typed-app.ts"
import { showIcon, submitIcon, submitIconRemoval } from "./icon.endpoint.ts"
import { listOwnApps } from "./list.endpoint.ts"
import { ownerFrame } from "./owner-frame.ts"
import { act, ask, makeOwnSecret, removeOwnApp } from "./question.endpoint.ts"

const owner: AppRole = {
  managerOf: async ({ services }, { signedIn, from }) => ({
    ...from,
    owner: await asOwner(services, signedIn.account),
  }),
  view: (_, request) => ownerFrame(signedInView(request), fieldOf(request, "done")),
  send: (context, reply, page, status = 200) => sendPage(context, reply, status, page),
  notFound: (context, reply) => sendErrorPage(context, reply, 404, { kind: "notFound" }),
}

const page = (path: string, run: AppsRun) => accountPage(path, asRole(owner, run))
const proven = (path: FormPath, run: AppsRun) => provenPage(path, asRole(owner, run))
const form = (path: FormPath, run: AppsRun) => accountForm(path, asRole(owner, run))

const SECRET = "/account/apps/secret"
const DISABLE = "/account/apps/disable"
const REMOVE = "/account/apps/remove"

type OwnerRoute = {
  readonly path: string
  readonly get?: Endpoint
  readonly post?: Endpoint
  readonly takesPicture?: boolean
}

export const ownerPages: readonly OwnerRoute[] = [
  { path: paths.list, get: page(paths.list, listOwnApps) },
  { path: paths.new, get: page(paths.new, showNewApp), post: form(paths.new, submitNewApp) },
  { path: paths.app, get: page(paths.app, showApp) },
  {
    path: paths.edit,
    get: page(paths.edit, showEdit),
    post: accountForm("/account/apps/edit", asRole(owner, submitEdit), keyEffects),
  },
  {
    path: paths.icon,
    get: page(paths.icon, showIcon),
    post: accountFileForm(asRole(owner, submitIcon)),
    takesPicture: true,
  },
  { path: paths.removeIcon, post: form(paths.removeIcon, submitIconRemoval) },
  { path: SECRET, get: proven(SECRET, ask("secret")), post: form(SECRET, makeOwnSecret) },
  { path: DISABLE, get: page(DISABLE, ask("disable")), post: form(DISABLE, act("disable")) },
  { path: "/account/apps/enable", post: form("/account/apps/enable", act("enable")) },
  { path: REMOVE, get: proven(REMOVE, ask("remove")), post: form(REMOVE, removeOwnApp) },
]
