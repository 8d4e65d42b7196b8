/** The APIs of the configuration, and the audience of access tokens: RES-1, RES-2, JWT-1, JWT-2. */
import type { ResourceServer } from "../../src/model/known-resources.rules.ts"
import type { Credential } from "./world.ts"

export const BASE_URL = "http://localhost"
export const FILES = "https://files.example/"
export const MAIL = "https://mail.example/api"
const PLAIN = "https://plain.example/"

export const resourceServers: ReadonlyMap<string, ResourceServer> = new Map([
  [FILES, { name: "Files", jwt: { algorithm: "RS256", seconds: 300 } }],
  [MAIL, { name: "Mail", jwt: { algorithm: "ES256", seconds: 60 } }],
  [PLAIN, { name: "Plain", jwt: null }],
  [BASE_URL, { name: "Accounts", jwt: { algorithm: "ES256", seconds: 120 } }],
])

/** What requests may name. The first of each is the spelling of the configuration. */
const SPELLINGS: readonly (readonly string[])[] = [
  [FILES, "HTTPS://Files.example:443"],
  [MAIL],
  [PLAIN, "https://plain.example"],
  [BASE_URL, "http://localhost:80/"],
]

/** The values of `resource`: one API, several, another spelling, and what the configuration does not have. */
export const NAMED: readonly (readonly string[])[] = [
  ...[[FILES], [FILES], [MAIL], [MAIL], [PLAIN], [BASE_URL], ["HTTPS://Files.example:443"], [FILES, MAIL]],
  ...[[PLAIN, MAIL], ["http://localhost:80/"], ["https://other.example/"], ["files"], [`${MAIL}/`]],
  ...[[FILES, "https://FILES.example"]],
]

/** Returns the configured spelling. Null stands for what clients may not name. */
function spelled(resource: string): string | null {
  return SPELLINGS.find((all) => all.some((one) => keyOf(one) === keyOf(resource)))?.[0] ?? null
}

/** Scheme and host in any case, a default port and an empty path make no difference. */
const keyOf = (resource: string) => (URL.canParse(resource) ? new URL(resource).href : resource)

/** Returns the resources as they are stored, each once. Null stands for `invalid_target`. */
export function spelledAll(resources: readonly string[]): readonly string[] | null {
  const all = resources.map(spelled)
  return all.includes(null) ? null : [...new Set(all as string[])]
}

/** Returns the audience of an access token. Null stands for `invalid_target`. */
export function audience({ resources }: Credential, named: readonly string[]): readonly string[] | null {
  if (named.length === 0) return resources
  const all = spelledAll(named)
  if (all === null) return null
  return resources.length === 0 || all.every((one) => resources.includes(one)) ? all : null
}

export type JwtFor = { readonly resource: string; readonly algorithm: Algorithm; readonly seconds: number }
export type Algorithm = "RS256" | "ES256"

/** A token for exactly one API with JWTs is a JWT. Every other one is opaque. */
export function jwtFor(resources: readonly string[]): JwtFor | null {
  const [resource = "", ...more] = resources
  const jwt = more.length > 0 ? null : (resourceServers.get(resource)?.jwt ?? null)
  return jwt && { ...jwt, resource }
}

/** JWT-7: the API of the service takes a token that names no resource, or its base URL. */
export const isForService = (resources: readonly string[]) =>
  resources.length === 0 || resources.includes(BASE_URL)
