/** The console pages of groups. */
import { lazyModule } from "../../platform/http/lazy-module.ts"
import { type ConsoleRoute, form, page } from "../console/console-route.ts"

const groups = lazyModule(() => import("./groups.endpoint.ts"))
const memberships = lazyModule(() => import("./account-groups.endpoint.ts"))

export const groupPages: readonly ConsoleRoute[] = [
  page("/console/groups", groups("showGroups")),
  form("/console/group/new", groups("showNewGroup"), groups("submitNewGroup")),
  form("/console/group", groups("showGroup"), groups("submitTitle")),
  form("/console/group/remove", groups("showRemoval"), groups("submitRemoval")),
  form("/console/account/groups", memberships("showAccountGroups"), memberships("submitAccountGroups")),
]
