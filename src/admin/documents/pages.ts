/** The console pages of documents. */
import { lazyModule } from "../../platform/http/lazy-module.ts"
import { type ConsoleRoute, page } from "../console/console-route.ts"

const documents = lazyModule(() => import("./documents.endpoint.ts"))

export const documentPages: readonly ConsoleRoute[] = [page("/console/documents", documents("showDocuments"))]
