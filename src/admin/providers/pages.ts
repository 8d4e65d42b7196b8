/** The console pages of sign-in providers. */
import { lazyModule } from "../../platform/http/lazy-module.ts"
import { type ConsoleRoute, form } from "../console/console-route.ts"

const providers = lazyModule(() => import("./providers.endpoint.ts"))

export const providerPages: readonly ConsoleRoute[] = [
  form("/console/providers", providers("showProviders"), providers("submitProviders")),
]
