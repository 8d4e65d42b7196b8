/** The part of an OpenAPI 3.0 or 3.1 document that says who may call which operation. */

export type OpenApiVersion = "3.0" | "3.1"

export type SecurityScheme = {
  /** `oauth2`, `openIdConnect`, `http`, `apiKey` or `mutualTLS`. The value is null for a `$ref`. */
  readonly type: string | null
  /** The authentication scheme of the type `http`, in lower case. */
  readonly scheme: string | null
}

/** One entry of `security`. All of its schemes are needed together. */
export type SecurityRequirement = readonly { readonly scheme: string; readonly scopes: readonly string[] }[]

/** The alternatives of a `security` list. The value is null if there is no such list. */
export type Security = readonly SecurityRequirement[] | null

/** The URLs of a `servers` list. The value is null if there is no such list. */
export type Servers = readonly string[] | null

export type Operation = {
  /** In capitals. */
  readonly method: string
  readonly line: number
  readonly security: Security
  readonly servers: Servers
}

export type PathItem = {
  readonly path: string
  readonly line: number
  /** Whether another document or another part of this one has its operations. */
  readonly isReference: boolean
  readonly servers: Servers
  readonly operations: readonly Operation[]
}

export type OpenApiDocument = {
  readonly version: OpenApiVersion
  readonly servers: Servers
  readonly security: Security
  readonly schemes: ReadonlyMap<string, SecurityScheme>
  readonly paths: readonly PathItem[]
}

/** The methods that a path item can have. The document writes them in lower case. */
export const OPENAPI_METHODS = ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"] as const
