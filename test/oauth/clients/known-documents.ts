/**
 * Documents of well-known clients. They are rebuilt from public reports of 2026-08 and 2026-09, written down on
 * 2026-11-23. They were not fetched, so they may have changed since then.
 */
export type KnownDocument = { readonly client_id: string } & Readonly<Record<string, unknown>>

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
const DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"

export const knownDocuments: readonly KnownDocument[] = [
  {
    client_id: "https://claude.ai/oauth/claude-code-client-metadata",
    client_name: "Claude Code",
    client_uri: "https://claude.ai",
    redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  },
  {
    client_id: "https://claude.ai/oauth/mcp-oauth-client-metadata",
    client_name: "Claude",
    client_uri: "https://claude.ai",
    redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
    grant_types: ["authorization_code", "refresh_token", JWT_BEARER],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  },
  {
    client_id: "https://vscode.dev/oauth/client-metadata.json",
    client_name: "Visual Studio Code",
    client_uri: "https://vscode.dev/product",
    logo_uri: "https://code.visualstudio.com/assets/branding/code-stable.png",
    application_type: "native",
    redirect_uris: ["http://127.0.0.1:33418/", "https://vscode.dev/redirect"],
    grant_types: ["authorization_code", "refresh_token", DEVICE_CODE],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  },
  {
    client_id: "https://chatgpt.com/oauth/codex/client.json",
    client_name: "Codex",
    client_uri: "https://chatgpt.com/",
    redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  },
  {
    client_id: "https://zed.dev/oauth/client-metadata.json",
    client_name: "Zed",
    client_uri: "https://zed.dev",
    logo_uri: "https://zed.dev/img/logo.png",
    redirect_uris: ["http://127.0.0.1/callback"],
    grant_types: ["authorization_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    scope: "mcp:*",
  },
  {
    client_id: "https://opencode.ai/oauth/opencode/client.json",
    client_name: "OpenCode",
    client_uri: "https://opencode.ai",
    redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  },
]

/** This client prefers a key and also lists `none`. */
export const chatGpt: KnownDocument = {
  client_id: "https://chatgpt.com/oauth/client.json",
  client_name: "ChatGPT",
  client_uri: "https://chatgpt.com/",
  logo_uri: "https://persistent.oaistatic.com/sonic/misc/openai-logo.png",
  redirect_uris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "private_key_jwt",
  token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
  token_endpoint_auth_signing_alg: "RS256",
  jwks_uri: "https://chatgpt.com/oauth/jwks.json",
}
