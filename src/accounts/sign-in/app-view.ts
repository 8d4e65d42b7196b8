/** An app as pages show it. */
import { type Client, hasServedIcon } from "../../model/clients/client.rules.ts"
import type { AppView } from "../../platform/ui/monogram.ts"

export function appView(client: Client): AppView {
  const { clientId, name, verified } = client
  const iconUrl = hasServedIcon(client) ? `/oauth/apps/${encodeURIComponent(clientId)}/icon` : null
  return { clientId, name, verified, iconUrl }
}
