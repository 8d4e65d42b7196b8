/** Finds applications whose `manager` is not an app that acts as a service account. LOGIN-23. */
import type { ClientId } from "../../kernel/ids.ts"
import type { SignInProvider } from "../../model/sign-in/provider.rules.ts"
import type { Services } from "../../platform/services/services.ts"

/** Returns what is wrong, or null. */
export async function managerProblem(
  { store }: Pick<Services, "store">,
  provider: SignInProvider,
): Promise<string | null> {
  const id = provider.preset === "application" ? provider.manager : null
  if (id === null) return null
  const { client } = await store.read({ client: id as ClientId })
  if (client === null) return `There is no app ${id}.`
  if (!client.enabled) return `The app ${id} is disabled.`
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
