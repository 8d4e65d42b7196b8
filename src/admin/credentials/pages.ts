/** The console pages of credentials. */
import { lazyModule } from "../../platform/http/lazy-module.ts"
import { type ConsoleRoute, form, page } from "../console/console-route.ts"

const credentials = lazyModule(() => import("./credentials.endpoint.ts"))
const credential = lazyModule(() => import("./credential.endpoint.ts"))

export const credentialPages: readonly ConsoleRoute[] = [
  page("/console/credentials", credentials("showCredentials")),
  page("/console/credential", credential("showCredential")),
  form("/console/credential/revoke", credential("showRevoke"), credential("submitRevoke")),
]
