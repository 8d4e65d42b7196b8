/** The description of an error that goes back to the app. Interface ERR-12. */
import { descriptionOf } from "../../model/refusals/description.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { closureSet } from "../../model/permissions/permission.rules.ts"
import { namesOf } from "../../model/permissions/scope.rules.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"

/** Names the permission that the registration lacks. The name is from the catalog, so it repeats no text of a request. */
export function redirectDescription(
  catalog: Catalog,
  refusal: Refusal,
  { ceiling, registeredBy }: Pick<Client, "ceiling" | "registeredBy">,
  scope: string | undefined,
): string {
  const description = descriptionOf(refusal)
  if (refusal.reason !== "scopeOverCeiling") return description
  const allowed: ReadonlySet<string> = closureSet(catalog, ceiling)
  const requested = new Set(namesOf(scope ?? ""))
  const lacking = [...catalog.keys()].find((name) => requested.has(name) && !allowed.has(name))
  if (lacking === undefined) return description
  const named = `${description.slice(0, -1)}: ${lacking}.`
  const isOpen = registeredBy === "itself" || registeredBy === "document"
  return isOpen ? `${named} The service does not allow it for apps that register themselves.` : named
}
