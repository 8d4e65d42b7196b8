/** The Gateway API of Kubernetes with its experimental ExternalAuth filter. */
import { IDENTITY_HEADERS } from "../identity.rules.ts"
import {
  identifierOf,
  lines,
  METADATA_PATH,
  SECRET_HEADER,
  type SnippetFile,
  type SnippetOptions,
} from "./snippet.rules.ts"
import { aliasesOf } from "./traefik.rules.ts"

/** One filter removes at most 16 headers, and a rule has one. The identity itself is replaced by that of the gate. */
const REMOVED = [...IDENTITY_HEADERS.flatMap(aliasesOf), SECRET_HEADER]
export function gatewayApiSnippet({ gate, app, host }: SnippetOptions): readonly SnippetFile[] {
  const text = `# Gateway API 1.4 or newer, experimental channel. The gate must trust the addresses of the gateway. The gateway must
# not pass on "Upgrade: h2c": after an upgrade to HTTP/2, all further requests would go to the app past the gate.
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: latchkey-${identifierOf(host).replaceAll("_", "-")}
spec:
  parentRefs:
    - name: gateway
  hostnames: ["${host}"]
  rules:
    # The gate publishes the metadata of RFC 9728 for this host.
    - matches:
        - path: { type: PathPrefix, value: ${METADATA_PATH} }
      backendRefs:
        - ${backend(gate)}
    - matches:
        - path: { type: PathPrefix, value: / }
      filters:
        # Other programs read an underscore or a period as a hyphen.
        - type: RequestHeaderModifier
          requestHeaderModifier:
            remove:
${lines(REMOVED, (header) => `              - ${header}`)}
        # Only 200 lets a request through.
        - type: ExternalAuth
          externalAuth:
            protocol: HTTP
            backendRef: ${backend(gate)}
            http:
              path: /auth/envoy
              allowedResponseHeaders:
${lines(IDENTITY_HEADERS, (header) => `                - ${header}`)}
      backendRefs:
        - name: ${nameOf(app)}
          port: ${portOf(app)}
          # The gate does not read these. The filter above has no room for them.
          filters:
            - type: RequestHeaderModifier
              requestHeaderModifier:
                remove: [X-Original-URL, X-Rewrite-URL, X-HTTP-Method-Override]
`
  return [{ path: `${host}.yaml`, text }]
}

const nameOf = (address: string) => address.slice(0, address.lastIndexOf(":"))
const portOf = (address: string) => address.slice(address.lastIndexOf(":") + 1)
const backend = (address: string) => `{ name: ${nameOf(address)}, port: ${portOf(address)} }`
