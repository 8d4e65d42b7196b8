/** Finds apps of `sign_in_providers` that cannot do what they are named for. LOGIN-23, ORG-11. */
import { isDocumentUrl } from "../../kernel/identifier.ts"
import type { ClientId } from "../../kernel/ids.ts"
import type { SignInProvider } from "../../model/sign-in/provider.rules.ts"
import type { Services } from "../../platform/services/services.ts"

type Needs = Pick<Services, "store">

/** Returns what is wrong, or null. */
export async function managerProblem(services: Needs, provider: SignInProvider): Promise<string | null> {
  const id = provider.preset === "application" ? provider.manager : null
  return id === null ? null : appProblem(services, id as ClientId, true)
}

/** An app that is no manager gets tokens by the word of an organization. Its document may be unknown: ORG-2. */
export async function appProblem({ store }: Needs, id: ClientId, isManager: boolean): Promise<string | null> {
  const { client } = await store.read({ client: id })
  if (client === null) return isDocumentUrl(id) && !isManager ? null : `There is no app ${id}.`
  if (!client.enabled) return `The app ${id} is disabled.`
  if (!isManager) return client.type === "public" ? `The app ${id} is public, and proves nothing.` : null
  return client.binding === null
    ? `The app ${id} acts as no service account. Bind it: app update ${id} --service-account NAME`
    : null
}

export async function warnOfManagers(services: Pick<Services, "store" | "providers" | "log">): Promise<void> {
  for (const provider of services.providers.values()) {
    const problem = await managerProblem(services, provider)
    if (problem === null) continue
    const facts = { provider: provider.name, problem }
    services.log.warn(facts, "the manager of an application cannot manage its accounts")
  }
}
