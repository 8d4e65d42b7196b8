/** nginx with `auth_request`. */
import { IDENTITY_HEADERS } from "../identity.rules.ts"
import {
  GATE_SECONDS,
  identifierOf,
  lines,
  METADATA_PATH,
  ROUTING_HEADERS,
  SECRET_HEADER,
  type SnippetFile,
  type SnippetOptions,
} from "./snippet.rules.ts"

export function nginxSnippet({ gate, app, host, secret }: SnippetOptions): readonly SnippetFile[] {
  const name = identifierOf(host)
  const text = `# nginx 1.22 or newer, with its module auth_request. Include this file inside "http".
#
# auth_request is set for the whole server, so that a location that you add is guarded too. A location with a
# proxy_set_header of its own inherits none: repeat all of them there.

${upstream(`latchkey_gate_${name}`, gate)}
${upstream(`latchkey_app_${name}`, app)}
server {
    listen 443 ssl http2;
    server_name ${host};
    ssl_certificate     /etc/nginx/certificate/fullchain.pem;
    ssl_certificate_key /etc/nginx/certificate/privkey.pem;

    # A header such as Latchkey_Account or Latchkey.Account is dropped. These are the defaults of nginx. Where several
    # servers share an address, those of the default server count: do not change them there.
    underscores_in_headers off;
    ignore_invalid_headers on;

${CHECK}
${HEADERS_TO_THE_APP}
    location / {
        # Without a path here, the app gets the path exactly as the gate did. For event streams, add
        # "proxy_buffering off;".
        proxy_pass http://latchkey_app_${name};
    }

${question(name, secret)}
${metadata(name)}
${REFUSALS}}
`
  return [{ path: `/etc/nginx/conf.d/${host}.conf`, text }]
}

function upstream(name: string, address: string): string {
  return `upstream ${name} {
    server ${address};
    keepalive 64;
}
`
}

function variable(header: string): string {
  return header.toLowerCase().replaceAll("-", "_")
}

const CHECK = `    auth_request /_latchkey;
${lines(IDENTITY_HEADERS, (header) => `    auth_request_set $${variable(header)} $upstream_http_${variable(header)};`)}
    auth_request_set $latchkey_challenge $upstream_http_www_authenticate;
    auth_request_set $latchkey_elevation $upstream_http_service_elevation_required;
    auth_request_set $latchkey_retry_after $upstream_http_retry_after;

    # nginx passes neither the body of a refusal nor the challenge of a 403, and makes 500 of everything but 401 and
    # 403. These are its own errors: a status that the app sends is passed on as it is.
    error_page 401 @latchkey_unauthenticated;
    error_page 403 @latchkey_forbidden;
    error_page 500 =503 @latchkey_unavailable;
`

const HEADERS_TO_THE_APP = `    # nginx passes on no upgrade. For WebSockets, set Upgrade to "websocket" and never to $http_upgrade: after an upgrade
    # to HTTP/2, all further requests would go to the app past the gate.
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Forwarded-Host $host;
    # The identity that the gate found replaces what the client sent. nginx sends no header without a value.
${lines(IDENTITY_HEADERS, (header) => `    proxy_set_header ${header} $${variable(header)};`)}
    proxy_set_header ${SECRET_HEADER} "";
    # Some apps take another path or method from these.
${lines(ROUTING_HEADERS, (header) => `    proxy_set_header ${header} "";`)}
`

function question(name: string, secret: boolean): string {
  return `    location = /_latchkey {
        internal;
        auth_request off;
        proxy_pass http://latchkey_gate_${name}/auth/nginx;
        proxy_pass_request_body off;
        proxy_pass_request_headers off;
        proxy_connect_timeout 2s;
        proxy_read_timeout ${GATE_SECONDS}s;
        # An answer has no body, but a token can have many permissions.
        proxy_buffer_size 32k;
        proxy_buffers 4 32k;
        proxy_set_header Connection "";
        proxy_set_header Content-Length "";
        proxy_set_header Authorization $http_authorization;
        proxy_set_header X-Original-Method $request_method;
        proxy_set_header X-Original-URI $request_uri;
        proxy_set_header X-Original-Host $host;
${secret ? SECRET : ""}    }
`
}

const SECRET = `        # This file has one line: proxy_set_header ${SECRET_HEADER} "the shared secret";
        include /etc/nginx/latchkey-gate-secret.conf;
`

function metadata(name: string): string {
  return `    # The gate publishes the metadata of RFC 9728 for this host.
    location ^~ ${METADATA_PATH} {
        auth_request off;
        proxy_pass http://latchkey_gate_${name};
        proxy_connect_timeout 2s;
        proxy_read_timeout ${GATE_SECONDS}s;
        proxy_set_header Connection "";
        proxy_set_header Host $host;
    }
`
}

const REFUSALS = `    # For a 401, nginx adds the challenge itself.
    location @latchkey_unauthenticated {
        auth_request off;
        default_type application/json;
        add_header Cache-Control no-store always;
        return 401 '{"error":{"code":401,"status":"UNAUTHENTICATED","message":"This needs a valid access token."}}';
    }

    location @latchkey_forbidden {
        auth_request off;
        default_type application/json;
        add_header WWW-Authenticate $latchkey_challenge always;
        add_header Service-Elevation-Required $latchkey_elevation always;
        add_header Cache-Control no-store always;
        if ($latchkey_elevation) {
            return 403 '{"error":{"code":403,"status":"FAILED_PRECONDITION","message":"This needs a factor proven recently."}}';
        }
        return 403 '{"error":{"code":403,"status":"PERMISSION_DENIED","message":"This request is not allowed."}}';
    }

    location @latchkey_unavailable {
        auth_request off;
        default_type application/json;
        add_header Retry-After $latchkey_retry_after always;
        add_header Cache-Control no-store always;
        return 503 '{"error":{"code":503,"status":"UNAVAILABLE","message":"The access token cannot be checked right now."}}';
    }
`
