export type SnippetOptions = {
  /** The address of the gate, `HOST:PORT`. */
  readonly gate: string
  /** The address of the app, `HOST:PORT`. */
  readonly app: string
  /** The public host of the app, as in the file of the gate. */
  readonly host: string
  /** Whether the proxy sends the shared secret to the gate. */
  readonly secret: boolean
}

/** A file of a proxy. `path` is where the proxy usually has it. */
export type SnippetFile = { readonly path: string; readonly text: string }

export const SECRET_HEADER = "Latchkey-Gate-Secret"
export const METADATA_PATH = "/.well-known/oauth-protected-resource"

/** The headers of a refusal that the client needs. */
export const REFUSAL_HEADERS = [
  "WWW-Authenticate",
  "Service-Elevation-Required",
  "Retry-After",
  "Content-Type",
  "Cache-Control",
  "X-Content-Type-Options",
] as const

/** Headers that some apps take another path, method or host from. The app never gets the client's own. */
export const ROUTING_HEADERS = [
  "X-Original-Method",
  "X-Original-URI",
  "X-Original-Host",
  "X-Original-URL",
  "X-Rewrite-URL",
  "X-Forwarded-Method",
  "X-Forwarded-Uri",
  "X-Forwarded-Prefix",
  "X-HTTP-Method",
  "X-HTTP-Method-Override",
  "X-Method-Override",
] as const

/** The longest time that the gate takes: its own question to the service, and a little more. */
export const GATE_SECONDS = 8

/** Returns what is wrong with the options, or null. The values become part of a configuration as they are. */
export function optionProblem({ gate, app, host }: SnippetOptions): string | null {
  if (!isAddress(gate)) return `--gate must be HOST:PORT, such as 127.0.0.1:8790: ${gate}`
  if (!isAddress(app)) return `--app must be HOST:PORT, such as 127.0.0.1:3000: ${app}`
  if (!HOST.test(host)) return `--host must be a host name in lower case, such as api.example.org: ${host}`
  return null
}

const HOST = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/

function isAddress(text: string): boolean {
  const [, host = "", port = ""] = /^(.+):([1-9]\d{0,4})$/.exec(text) ?? []
  return HOST.test(host) && Number(port) <= 65_535
}

/** Returns the host as a part of a name, such as `api_example_org`. */
export function identifierOf(host: string): string {
  return host.replaceAll(/[^a-z0-9]/g, "_")
}

export function lines(names: readonly string[], line: (name: string) => string): string {
  return names.map(line).join("\n")
}
