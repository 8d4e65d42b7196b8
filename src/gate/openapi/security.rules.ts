/** Decides what an operation needs by its `security`. What the gate cannot check is not covered. */
import type { OpenApiDocument, Operation, SecurityRequirement } from "./document.rules.ts"

export type Needed =
  | { readonly isPublic: boolean; readonly permissions: readonly string[] }
  /** Why the gate cannot check the operation. */
  | { readonly reason: string }

type Declared = Pick<OpenApiDocument, "version" | "security" | "schemes">

/** The `security` of the operation replaces that of the document. */
export function neededBy({ security }: Pick<Operation, "security">, document: Declared): Needed {
  const alternatives = security ?? document.security
  if (alternatives === null) return { reason: "neither it nor the document has security" }
  const [first = [], ...more] = alternatives
  if (more.length === 0) return first.length === 0 ? PUBLIC : neededTogether(first, document)
  if (alternatives.some((one) => one.length === 0)) return { reason: "its security is optional" }
  return { reason: "its security has several alternatives" }
}

const PUBLIC: Needed = { isPublic: true, permissions: [] }

function neededTogether(requirement: SecurityRequirement, document: Declared): Needed {
  const [only, ...more] = requirement
  if (only === undefined || more.length > 0)
    return { reason: `it needs ${requirement.map(({ scheme }) => scheme).join(" and ")} together` }
  const problem = schemeProblem(only.scheme, document)
  if (problem !== null) return { reason: problem }
  if (only.scopes.length === 0) return { reason: "its security has no scopes" }
  if (document.version === "3.0" && document.schemes.get(only.scheme)?.type === "http")
    return { reason: `in OpenAPI 3.0, http bearer such as ${only.scheme} has no scopes` }
  return { isPublic: false, permissions: [...new Set(only.scopes)] }
}

/** Only tokens of the service have scopes: `oauth2`, `openIdConnect` and `http` with `bearer`. */
function schemeProblem(name: string, { schemes }: Declared): string | null {
  const { type, scheme } = schemes.get(name) ?? { type: null, scheme: null }
  if (type === null) return `the security scheme ${name} is a $ref`
  if (type === "oauth2" || type === "openIdConnect" || (type === "http" && scheme === "bearer")) return null
  return `the security scheme ${name} is ${type === "http" ? `http ${scheme ?? ""}`.trim() : type}`
}
