/** All clients in the table. */
import type { Client } from "./client.ts"
import { browserApp } from "./browser-app.ts"
import { curl } from "./curl.ts"
import { gitCredentialOauth } from "./git-credential-oauth.ts"
import { mcpSdk } from "./mcp-sdk.ts"
import { oauth4webapi } from "./oauth4webapi.ts"
import { openidClient } from "./openid-client.ts"
import { passportOauth2 } from "./passport-oauth2.ts"
import { pythonClient } from "./python.ts"
import { simpleOauth2 } from "./simple-oauth2.ts"

const authlib = pythonClient("Authlib", {
  module: "authlib",
  program: "with_authlib.py",
  ways: ["public", "basic", "post", "key"],
  can: ["discovery", "refresh", "revocation", "device"],
})
const requestsOauthlib = pythonClient("requests-oauthlib", {
  module: "requests_oauthlib",
  program: "with_requests_oauthlib.py",
  ways: ["public", "basic", "post"],
  can: ["refresh", "revocation", "device"],
})

export const clients: readonly Client[] = [
  openidClient,
  oauth4webapi,
  simpleOauth2,
  passportOauth2,
  authlib,
  requestsOauthlib,
  mcpSdk,
  gitCredentialOauth,
  curl,
  browserApp,
]
