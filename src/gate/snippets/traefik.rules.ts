/** Traefik with ForwardAuth, as a file of its file provider. */
import { IDENTITY_HEADERS } from "../identity.rules.ts"
import {
  identifierOf,
  lines,
  METADATA_PATH,
  ROUTING_HEADERS,
  SECRET_HEADER,
  type SnippetFile,
  type SnippetOptions,
} from "./snippet.rules.ts"

/** Spellings that other programs read as the header. Traefik cannot remove headers by a pattern. */
export function aliasesOf(header: string): readonly string[] {
  return ["_", "."].map((character) => header.replaceAll("-", character))
}

export function traefikSnippet({ gate, app, host, secret }: SnippetOptions): readonly SnippetFile[] {
  const name = `latchkey-${identifierOf(host).replaceAll("_", "-")}`
  const guards = [
    `${name}-remove`,
    ...(secret ? [`${name}-secret`] : []),
    `${name}-gate`,
    ...(secret ? [`${name}-secret-remove`] : []),
  ]
  const removed = [
    ...IDENTITY_HEADERS,
    ...IDENTITY_HEADERS.flatMap(aliasesOf),
    SECRET_HEADER,
    ...aliasesOf(SECRET_HEADER),
    ...ROUTING_HEADERS,
    "HTTP2-Settings",
  ]
  const text = `# Traefik 3, for its file provider.
http:
  routers:
    # After an upgrade to HTTP/2 (h2c), all further requests would go to the app past the gate. None gets a router here.
    ${name}:
      rule: "Host(\`${host}\`) && !HeaderRegexp(\`Upgrade\`, \`(?i)h2c\`)"
      entryPoints: [websecure]
      tls: {}
      middlewares: [${guards.join(", ")}]
      service: ${name}-app
    # The gate publishes the metadata of RFC 9728 for this host.
    ${name}-metadata:
      rule: "Host(\`${host}\`) && PathPrefix(\`${METADATA_PATH}\`)"
      entryPoints: [websecure]
      tls: {}
      service: ${name}-gate
  middlewares:
    # An empty value removes a header. The client's own are removed in the spellings that other programs read alike.
    ${name}-remove:
      headers:
        customRequestHeaders:
${lines(removed, (header) => `          ${header}: ""`)}
${secret ? secretSet(name) : ""}    ${name}-gate:
      forwardAuth:
        address: http://${gate}/auth/traefik
        trustForwardHeader: false
        authRequestHeaders: [Authorization${secret ? `, ${SECRET_HEADER}` : ""}]
        authResponseHeaders:
${lines(IDENTITY_HEADERS, (header) => `          - ${header}`)}
${secret ? secretRemoved(name) : ""}  services:
    ${name}-app:
      loadBalancer: { servers: [{ url: "http://${app}" }] }
    ${name}-gate:
      loadBalancer: { servers: [{ url: "http://${gate}" }] }
`
  return [{ path: `/etc/traefik/dynamic/${host}.yaml`, text }]
}

const secretSet = (
  name: string,
) => `    # The shared secret is in the environment of Traefik. The app never gets it.
    ${name}-secret:
      headers:
        customRequestHeaders:
          ${SECRET_HEADER}: '{{ env "LATCHKEY_GATE_SECRET" }}'
`
const secretRemoved = (name: string) => `    ${name}-secret-remove:
      headers:
        customRequestHeaders:
          ${SECRET_HEADER}: ""
`
