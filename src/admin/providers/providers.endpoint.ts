/** GET and POST /console/providers: shows the sign-in providers, and checks one. */
import {
  type ConsoleRequest,
  consoleForm,
  consolePage,
  fieldOf,
  frameOf,
  notFound,
  sendConsole,
} from "../console/console-page.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { checkProvider } from "./check.ts"
import { providerRecord } from "./provider-record.ts"
import { type ProvidersInput, renderProviders } from "./providers.view.ts"

const PATH = "/console/providers"

export const showProviders = consolePage(PATH, (context, reply, request) =>
  send(context, reply, request, null),
)

export const submitProviders = consoleForm(PATH, async (context, reply, request) => {
  const { services } = context
  const provider = services.providers.get(fieldOf(request, "name"))
  if (provider === undefined) return notFound(context, reply, request)
  const findings = await checkProvider(services, provider, services.issuer)
  return send(context, reply, request, { label: provider.label, findings })
})

function send(
  context: HttpContext,
  reply: HttpReply,
  request: ConsoleRequest,
  checked: ProvidersInput["checked"],
): HttpReply {
  const { providers, issuer } = context.services
  const records = [...providers.values()].map((provider) => providerRecord(provider, issuer))
  return sendConsole(
    context,
    reply,
    renderProviders({ ...frameOf(context, request), providers: records, checked }),
  )
}
