/** Compares the permissions of routes with the catalog that the service publishes (RFC 8414 §2). */

export type Catalog =
  | {
      readonly permissions: ReadonlySet<string>
      /** Whether it has only what apps may use that register themselves or have documents. */
      readonly isPartial: boolean
    }
  | { readonly unchecked: string }

/**
 * `missing`: the catalog lacks it, so that no token can have it. `unlisted`: it may be left out of the list.
 * `unchecked`: the list never has it, or there is no list.
 */
export type PermissionState = "listed" | "missing" | "unlisted" | "unchecked"

const ADMIN = "admin:"

export function stateOf(permission: string, catalog: Catalog): PermissionState {
  if ("unchecked" in catalog) return "unchecked"
  if (catalog.permissions.has(permission)) return "listed"
  if (permission.startsWith(ADMIN)) return "unchecked"
  return catalog.isPartial ? "unlisted" : "missing"
}

/** `metadata` is parsed JSON. */
export function readCatalog(metadata: unknown, service: string): Catalog {
  if (typeof metadata !== "object" || metadata === null) return { unchecked: "its metadata is not an object" }
  const read = metadata as Readonly<Record<string, unknown>>
  const issuer = read["issuer"]
  if (issuer !== service.replace(/\/$/, ""))
    return { unchecked: `its issuer is ${JSON.stringify(issuer)}, not ${service}` }
  const scopes = read["scopes_supported"]
  if (!Array.isArray(scopes)) return { unchecked: "it does not list its permissions" }
  const isPartial = "registration_endpoint" in read || read["client_id_metadata_document_supported"] === true
  return { permissions: new Set(scopes.filter((scope) => typeof scope === "string")), isPartial }
}
