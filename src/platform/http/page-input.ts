/** What every page of a response needs: the base path, the look of the service, and the texts of its language. */
import type { PageInput } from "../ui/layout.ts"
import type { HttpRequest } from "./connection/message.ts"
import type { HttpContext } from "./http-context.ts"
import { ENGLISH } from "../languages/languages.ts"

export function pageInput({ basePath, services, languages }: HttpContext, _: HttpRequest): PageInput {
  return { basePath, look: services.settings.latest.appearance, texts: languages.textsOf(ENGLISH) }
}
