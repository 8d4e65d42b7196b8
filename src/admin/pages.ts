/** Every page of the console. The first request to a page loads its code. */
import { accountPages } from "./accounts/pages.ts"
import { appearancePages } from "./appearance/pages.ts"
import { appPages } from "./apps/pages.ts"
import { credentialPages } from "./credentials/pages.ts"
import { documentPages } from "./documents/pages.ts"
import { eventPages } from "./events/pages.ts"
import { invitationPages } from "./invitations/pages.ts"
import { groupPages } from "./groups/pages.ts"
import { mailPages } from "./mail/pages.ts"
import { providerPages } from "./providers/pages.ts"
import { settingPages } from "./settings/pages.ts"
import { statisticsPages } from "./statistics/pages.ts"
import type { ConsoleRoute } from "./console/console-route.ts"
import { lazyModule } from "../platform/http/lazy-module.ts"

const shared = lazyModule(() => import("./console/console-page.ts"))
const notFound = shared("showNotFound")

export const consoleRoutes: readonly ConsoleRoute[] = [
  ...statisticsPages,
  ...accountPages,
  ...groupPages,
  ...invitationPages,
  ...appPages,
  ...documentPages,
  ...credentialPages,
  ...eventPages,
  ...providerPages,
  ...mailPages,
  ...settingPages,
  ...appearancePages,
]

/** The route of any unknown path below the console. */
export const consoleNotFound: ConsoleRoute = {
  path: "/console/*",
  get: notFound,
  post: notFound,
  takesPicture: false,
}
