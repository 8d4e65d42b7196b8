/** HAProxy with a short Lua action, because HAProxy has no forward authentication of its own. */
import { IDENTITY_HEADERS } from "../identity.rules.ts"
import {
  METADATA_PATH,
  REFUSAL_HEADERS,
  SECRET_HEADER,
  type SnippetFile,
  type SnippetOptions,
} from "./snippet.rules.ts"

const LUA = "/etc/haproxy/latchkey-gate.lua"

export function haproxySnippet(options: SnippetOptions): readonly SnippetFile[] {
  return [
    { path: "/etc/haproxy/haproxy.cfg", text: configuration(options) },
    { path: LUA, text: action(options) },
  ]
}

function configuration({ gate, app, host }: SnippetOptions): string {
  return `# HAProxy 2.6 or newer, built with Lua.
global
    log stdout format raw local0
    lua-load ${LUA}

defaults
    mode http
    log global
    option httplog
    timeout connect 2s
    timeout client 35s
    timeout server 60s
    timeout http-request 15s

frontend latchkey_public
    bind :443 ssl crt /etc/haproxy/certificate.pem alpn h2,http/1.1

    # Headers whose name has anything but letters, digits and hyphens: other programs read an underscore or a period as
    # a hyphen. Then the headers that only the gate may set, and those from which some apps take another path or method.
    http-request del-header [^a-z0-9-] -m reg
    http-request del-header ^latchkey- -m reg
    http-request del-header ^x-(original|forwarded|rewrite)- -m reg
    http-request del-header ^x-(http-)?method -m reg
    # After an upgrade to HTTP/2, all further requests would go to the app past the gate. Only a WebSocket is an upgrade.
    acl latchkey_websocket req.fhdr(upgrade) -m str -i websocket
    http-request set-header Upgrade websocket if latchkey_websocket
    http-request del-header Upgrade unless latchkey_websocket
    http-request del-header HTTP2-Settings
    http-request set-header X-Forwarded-For %[src]
    http-request set-header X-Forwarded-Proto https if { ssl_fc }
    http-request set-header X-Forwarded-Proto http unless { ssl_fc }
    http-request set-header X-Forwarded-Host %[req.hdr(host)]

    # The gate publishes the metadata of RFC 9728 for ${host}.
    acl latchkey_metadata path_beg ${METADATA_PATH}
    http-request lua.latchkey_gate unless latchkey_metadata
    # The action sets this as its last step. A request that it failed on stops here.
    http-request return status 503 content-type application/json string '{"error":{"code":503,"status":"UNAVAILABLE","message":"The access token cannot be checked right now."}}' hdr Retry-After 1 unless latchkey_metadata || { var(txn.latchkey_allowed) -m str yes }
    # The app gets the form of the request line that the gate saw.
    http-request set-uri %[pathq]

    use_backend latchkey_gate if latchkey_metadata
    default_backend latchkey_app

backend latchkey_gate
    server gate ${gate}

backend latchkey_app
    server app ${app}
`
}

function action({ gate, secret }: SnippetOptions): string {
  return `-- Asks the Latchkey gate about a request. HAProxy 2.6 or newer.
local gate = "http://${gate}/auth/haproxy"
-- HAProxy asks up to four times. The gate answers 503 within some five seconds, to a repeated question too.
local milliseconds = 2600
local identity = { ${IDENTITY_HEADERS.map((header) => `"${header.toLowerCase()}"`).join(", ")} }
local refusal = { ${REFUSAL_HEADERS.map((header) => `"${header.toLowerCase()}"`).join(", ")} }
${secret ? SECRET : ""}
-- Returns the first value of a header of a request or a response. Lists of HAProxy begin at 0 or at 1.
local function first(headers, name)
  local values = headers[name]
  return values and (values[0] or values[1])
end

local function ask(txn)
  local received = txn.http:req_get_headers()
  local headers = {
    ["x-original-method"] = { txn.f:method() },
    ["x-original-uri"] = { txn.f:pathq() },
    ["x-original-host"] = { first(received, "host") or "" },
  }
  local authorization = first(received, "authorization")
  if authorization then headers["authorization"] = { authorization } end
${secret ? `  headers["${SECRET_HEADER.toLowerCase()}"] = { secret }\n` : ""}  return core.httpclient():get{ url = gate, headers = headers, timeout = milliseconds }
end

local function refuse(txn, answer)
  local headers = {}
  for _, name in ipairs(refusal) do
    local value = answer.headers and first(answer.headers, name)
    if value then headers[name] = { value } end
  end
  txn:done(txn:reply{ status = answer.status, headers = headers, body = answer.body })
end

core.register_action("latchkey_gate", { "http-req" }, function(txn)
  local answer = ask(txn)
  -- The configuration answers 503 for anything else: no answer, or a fault in this file.
  if not answer then return end
  if answer.status == 401 or answer.status == 403 or answer.status == 503 then return refuse(txn, answer) end
  if answer.status ~= 200 then return end
  for _, name in ipairs(identity) do
    txn.http:req_set_header(name, first(answer.headers, name) or "")
  end
  -- HAProxy leaves out a header for which its buffer has no room beside the client's own.
  local set = txn.http:req_get_headers()
  for _, name in ipairs(identity) do
    if first(set, name) ~= (first(answer.headers, name) or "") then return end
  end
  txn:set_var("txn.latchkey_allowed", "yes")
end, 0)
`
}

const SECRET = `-- HAProxy reads this file once, before it gives up its rights.
local file = assert(io.open("/etc/haproxy/latchkey-gate-secret", "r"))
local secret = assert(file:read("l"), "the file of the shared secret is empty")
file:close()
`
