/** Envoy with `ext_authz` over HTTP. */
import { IDENTITY_HEADERS } from "../identity.rules.ts"
import {
  GATE_SECONDS,
  identifierOf,
  lines,
  METADATA_PATH,
  REFUSAL_HEADERS,
  SECRET_HEADER,
  type SnippetFile,
  type SnippetOptions,
} from "./snippet.rules.ts"

export function envoySnippet(options: SnippetOptions): readonly SnippetFile[] {
  return [{ path: "/etc/envoy/envoy.yaml", text: configuration(options) }]
}

function configuration({ gate, app, host, secret }: SnippetOptions): string {
  const question = check(gate, secret)
  const filters = secret ? [REMOVE, SECRET_SET, question, SECRET_REMOVED, ROUTER] : [REMOVE, question, ROUTER]
  return `# Envoy 1.33 or newer.
static_resources:
  listeners:
    - name: latchkey_public
      address: { socket_address: { address: 0.0.0.0, port_value: 443 } }
      filter_chains:
        - transport_socket:
            name: envoy.transport_sockets.tls
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext
              common_tls_context:
                alpn_protocols: [h2, http/1.1]
                tls_certificates:
                  - certificate_chain: { filename: /etc/envoy/certificate/fullchain.pem }
                    private_key: { filename: /etc/envoy/certificate/privkey.pem }
          filters:
            - name: envoy.filters.network.http_connection_manager
              typed_config:
                "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
                stat_prefix: latchkey
                # Requests come from anywhere: what the client says about its connection does not count.
                use_remote_address: true
                # The gate and the app both get the path as the client sent it. The gate refuses what is ambiguous.
                normalize_path: false
                merge_slashes: false
                path_with_escaped_slashes_action: KEEP_UNCHANGED
${routes(host)}
                http_filters:
${filters.join("")}  clusters:
${cluster("latchkey_gate", gate)}
${cluster("latchkey_app", app)}
`
}

function routes(host: string): string {
  return `                route_config:
                  virtual_hosts:
                    - name: latchkey_${identifierOf(host)}
                      domains: ["${host}", "${host}:*"]
                      routes:
                        # The gate publishes the metadata of RFC 9728 for this host.
                        - match: { prefix: "${METADATA_PATH}" }
                          route: { cluster: latchkey_gate }
                          typed_per_filter_config:
                            envoy.filters.http.ext_authz:
                              "@type": type.googleapis.com/envoy.extensions.filters.http.ext_authz.v3.ExtAuthzPerRoute
                              disabled: true
                        - match: { prefix: "/" }
                          route: { cluster: latchkey_app }`
}

/** Expressions of the names of headers that are removed. They match whole names. */
const REMOVED = [
  "[^a-z0-9:-].*|[a-z0-9-]+[^a-z0-9-].*",
  "latchkey-.*",
  "x-(original|rewrite)-.*",
  "x-forwarded-(method|uri|prefix|host|port|server)",
  "x-(http-)?method.*",
  "x-envoy-original-.*",
]

const REMOVE = `                  # Headers whose name has anything but letters, digits and hyphens: other programs read an underscore
                  # or a period as a hyphen. Then the headers that only the gate may set, and those from which some
                  # apps take another path or method.
                  - name: latchkey_remove
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.filters.http.header_mutation.v3.HeaderMutation
                      mutations:
                        request_mutations:
${lines(REMOVED, (regex) => `                          - remove_on_match: { key_matcher: { safe_regex: { regex: "${regex}" } } }`)}
                          - append: { append_action: OVERWRITE_IF_EXISTS_OR_ADD, header: { key: x-forwarded-for, value: "%DOWNSTREAM_DIRECT_REMOTE_ADDRESS_WITHOUT_PORT%" } }
                          - append: { append_action: OVERWRITE_IF_EXISTS_OR_ADD, header: { key: x-forwarded-host, value: "%REQ(:AUTHORITY)%" } }
`

function check(gate: string, secret: boolean): string {
  return `                  - name: envoy.filters.http.ext_authz
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.filters.http.ext_authz.v3.ExtAuthz
                      transport_api_version: V3
                      # Without the gate nothing passes, and the client sees an outage rather than a missing permission.
                      failure_mode_allow: false
                      status_on_error: { code: ServiceUnavailable }
                      allowed_headers:
                        patterns:
                          - { exact: authorization }
${secret ? `                          - { exact: ${SECRET_HEADER.toLowerCase()} }\n` : ""}                      http_service:
                        server_uri: { uri: "http://${gate}", cluster: latchkey_gate, timeout: ${GATE_SECONDS}s }
                        path_prefix: /auth/envoy
                        authorization_response:
                          allowed_upstream_headers:
                            patterns:
${exactly(IDENTITY_HEADERS)}
                          allowed_client_headers:
                            patterns:
${exactly(REFUSAL_HEADERS)}
`
}

const ROUTER = `                  - name: envoy.filters.http.router
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router
`

const mutationOf = (name: string, mutation: string) => `                  - name: ${name}
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.filters.http.header_mutation.v3.HeaderMutation
                      mutations:
                        request_mutations:
                          - ${mutation}
`
const SECRET_SET =
  "                  # The shared secret is in the environment of Envoy. It is removed before the app.\n" +
  mutationOf(
    "latchkey_secret",
    `append: { append_action: OVERWRITE_IF_EXISTS_OR_ADD, header: { key: ${SECRET_HEADER.toLowerCase()}, value: "%ENVIRONMENT(LATCHKEY_GATE_SECRET)%" } }`,
  )
const SECRET_REMOVED = mutationOf("latchkey_secret_removed", `remove: ${SECRET_HEADER.toLowerCase()}`)

function exactly(names: readonly string[]): string {
  return lines(names, (name) => `                              - { exact: ${name.toLowerCase()} }`)
}

function cluster(name: string, address: string): string {
  const at = address.lastIndexOf(":")
  return `    - name: ${name}
      type: STRICT_DNS
      connect_timeout: 2s
      # An idle connection ends here first. The gate ends one after 75 seconds.
      typed_extension_protocol_options:
        envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
          "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
          common_http_protocol_options: { idle_timeout: 60s }
          explicit_http_config: { http_protocol_options: {} }
      load_assignment:
        cluster_name: ${name}
        endpoints:
          - lb_endpoints:
              - endpoint: { address: { socket_address: { address: "${address.slice(0, at)}", port_value: ${address.slice(at + 1)} } } }`
}
