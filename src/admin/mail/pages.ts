/** The console pages of mail. */
import { lazyModule } from "../../platform/http/lazy-module.ts"
import { type ConsoleRoute, page } from "../console/console-route.ts"

const mails = lazyModule(() => import("./mail.endpoint.ts"))

export const mailPages: readonly ConsoleRoute[] = [page("/console/mail", mails("showMails"))]
