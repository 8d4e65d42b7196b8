/** Caddy with `forward_auth`. */
import { IDENTITY_HEADERS } from "../identity.rules.ts"
import {
  GATE_SECONDS,
  lines,
  METADATA_PATH,
  ROUTING_HEADERS,
  SECRET_HEADER,
  type SnippetFile,
  type SnippetOptions,
} from "./snippet.rules.ts"

export function caddySnippet({ gate, app, host, secret }: SnippetOptions): readonly SnippetFile[] {
  const text = `# Caddy 2.6 or newer.

${host} {
	# "route" keeps this order: first the client's own headers are removed, then the gate is asked, then the app.
	route {
		# A header that Connection names is removed on the way, also one that the gate set.
		@latchkey_connection header_regexp Connection (?i)latchkey|forwarded|authorization
		respond @latchkey_connection 400

		# After an upgrade to HTTP/2, all further requests would go to the app past the gate. Only a WebSocket is an upgrade.
		@latchkey_websocket header_regexp Upgrade (?i)^websocket$
		@latchkey_no_websocket not header_regexp Upgrade (?i)^websocket$
		request_header @latchkey_websocket Upgrade websocket
		request_header @latchkey_no_websocket -Upgrade
		request_header -HTTP2-Settings

		# In any spelling, such as latchkey_account or Latchkey.Account.
		request_header -Latchkey*
		# Other programs read an underscore or a period as a hyphen.
		request_header -*_*
		request_header -*.*
		# Some apps take another path or method from these.
${lines(ROUTING_HEADERS, (header) => `\t\trequest_header -${header}`)}

		# The gate publishes the metadata of RFC 9728 for this host.
		handle ${METADATA_PATH}* {
			reverse_proxy ${gate}
		}

		handle {
			# Only a status of 2xx lets a request through. A refusal goes to the client as the gate wrote it.
			forward_auth ${gate} {
				uri /auth/caddy
${secret ? SECRET : ""}				copy_headers {
${lines(IDENTITY_HEADERS, (header) => `\t\t\t\t\t${header}`)}
				}
				transport http {
					dial_timeout 2s
					response_header_timeout ${GATE_SECONDS}s
				}
			}
			reverse_proxy ${app}
		}
	}
}
`
  return [{ path: "/etc/caddy/Caddyfile", text }]
}

const SECRET = `				# The shared secret is in the environment of Caddy. The app never gets it.
				header_up ${SECRET_HEADER} {$LATCHKEY_GATE_SECRET}
`
