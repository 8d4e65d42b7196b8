/** GET and POST /console/providers: shows the sign-in providers, and checks one. */
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { consoleForm, consolePage, type ConsoleRequest } from "../console/console-page.ts"
import { checkProvider } from "./check.ts"
import { providerRecord } from "./provider-record.ts"
import { type ProvidersInput, renderProviders } from "./providers.view.ts"

const PATH = "/console/providers"

export const showProviders = consolePage(PATH, (request) => send(request, null))

export const submitProviders = consoleForm(PATH, async (request) => {
  const { services } = request
  const provider = services.providers.get(request.field("name"))
  if (provider === undefined) return request.notFound()
  const findings = await checkProvider(services, provider, services.issuer)
  return send(request, { label: provider.label, findings })
})

function send(request: ConsoleRequest, checked: ProvidersInput["checked"]): HttpReply {
  const { providers, issuer } = request.services
  const records = [...providers.values()].map((provider) => providerRecord(provider, issuer))
  return request.send(renderProviders({ ...request.frame, providers: records, checked }))
}
