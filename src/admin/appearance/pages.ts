/** The console pages of the appearance. */
import { lazyModule } from "../../platform/http/lazy-module.ts"
import { type ConsoleRoute, form } from "../console/console-route.ts"

const appearance = lazyModule(() => import("./appearance.endpoint.ts"))

export const appearancePages: readonly ConsoleRoute[] = [
  form("/console/appearance", appearance("showAppearance"), appearance("submitAppearance")),
  {
    ...form("/console/appearance/logo", appearance("showLogos"), appearance("submitLogo")),
    takesPicture: true,
  },
]
