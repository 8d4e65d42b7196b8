/** The endpoints of app pages in the console. SVC-7. */
import type { Account } from "../../model/account.rules.ts"
import { type AppTrust, powersGiven } from "../../accounts/elevation.rules.ts"
import { type AccountRequest, fieldOf } from "../../accounts/guards/account-request.ts"
import { administratorWrappers, frameOf, notFound, sendConsole } from "../console/console-page.ts"
import { findApp } from "../../apps/app.ts"
import { administratorFrame } from "./administrator-frame.ts"
import { listAllApps, showConsoleApp } from "./console-apps.endpoint.ts"
import { administratorPaths as paths } from "../../apps/pages/app-page.ts"
import { type AppRole, type AppsRun, asRole } from "../../apps/pages/app-request.ts"
import {
  showEdit as showEditForm,
  showNewApp as showNewForm,
  submitEdit as submitEditForm,
  submitNewApp as submitNewForm,
} from "../../apps/pages/form.endpoint.ts"
import { changedName, keyEffects, typedIn } from "../../apps/pages/typed-app.ts"
import { showIcon as showIconForm, submitIcon as submitIconForm } from "../../apps/pages/icon.endpoint.ts"

const administrator: AppRole = {
  managerOf: (_, { from }) => ({ ...from, owner: null }),
  view: (context, request) => administratorFrame(frameOf(context, request)),
  send: sendConsole,
  notFound,
}

const page = (path: string, run: AppsRun) => administratorWrappers.page(path, asRole(administrator, run))

export const showApps = page(paths.list, listAllApps)
export const showApp = page(paths.app, showConsoleApp)

export const showNewApp = page(paths.new, showNewForm)
export const submitNewApp = administratorWrappers.form(
  paths.new,
  asRole(administrator, submitNewForm),
  (_, request) => powersGiven(null, trustIn(request, null)),
)

export const showEdit = page(paths.edit, showEditForm)
export const submitEdit = administratorWrappers.form(
  paths.edit,
  asRole(administrator, submitEditForm),
  async (context, request) => {
    const found = await findApp(context.services, fieldOf(request, "id"))
    if (!found.ok) return []
    const powers = powersGiven(found.value, trustIn(request, found.value.serviceAccount))
    return [...keyEffects(context, request), ...powers]
  },
)

export const showIcon = page(paths.icon, showIconForm)
export const submitIcon = administratorWrappers.fileForm(asRole(administrator, submitIconForm))

function trustIn(request: AccountRequest, bound: Account | null): AppTrust {
  const typed = typedIn(request, null, true)
  const serviceAccount = changedName(typed.serviceAccount, bound)
  return { ...typed, owner: typed.owner === "" ? null : typed.owner, serviceAccount }
}
