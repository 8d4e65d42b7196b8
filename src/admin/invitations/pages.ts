/** The console pages of invitations. */
import { lazyModule } from "../../platform/http/lazy-module.ts"
import { type ConsoleRoute, form, page } from "../console/console-route.ts"

const invitations = lazyModule(() => import("./invitations.endpoint.ts"))

export const invitationPages: readonly ConsoleRoute[] = [
  page("/console/invitations", invitations("showInvitations")),
  form("/console/invitation/new", invitations("showNewInvitation"), invitations("submitNewInvitation")),
  form("/console/invitation/revoke", invitations("showRevoke"), invitations("submitRevoke")),
]
