// Runs better-auth with its OAuth provider on an empty database: two people, two apps, and one consent whose refresh token
// was used once. Prints the tables, and what the app and the people know. test/admin/moving-in/better-auth.json has its output:
//
//   npm install --legacy-peer-deps better-auth@1.7.25 @better-auth/oauth-provider@1.7.5
//   node make-better-auth.js
import { createHash, randomBytes } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import { oauthProvider } from "@better-auth/oauth-provider"
import { betterAuth } from "better-auth"
import { getMigrations } from "better-auth/db/migration"
import { jwt, username } from "better-auth/plugins"

const base = "http://localhost:3999"
const redirect_uri = "https://app.example/callback"
const password = "correct horse battery"
const database = new DatabaseSync(":memory:")
const options = {
  baseURL: base,
  secret: randomBytes(32).toString("hex"),
  database,
  emailAndPassword: { enabled: true },
  plugins: [
    username(),
    jwt(),
    oauthProvider({
      loginPage: "/sign-in",
      consentPage: "/consent",
      scopes: ["openid", "offline_access", "files:read", "account:read"],
      silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
    }),
  ],
}
await (await getMigrations(options)).runMigrations()
const auth = betterAuth(options)

const call = async (path, body, cookie = "", type = "application/json") => {
  const headers = { "content-type": type, origin: base, cookie }
  const text = type === "application/json" ? JSON.stringify(body) : new URLSearchParams(body).toString()
  const init = body === undefined ? { headers: { cookie } } : { method: "POST", body: text, headers }
  const answer = await auth.handler(new Request(`${base}/api/auth${path}`, init))
  if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer
}
const json = async (...args) => (await call(...args)).json()

const ada = await call("/sign-up/email", { email: "ada@example.org", password, name: "Ada", username: "ada" })
await call("/sign-up/email", { email: "bob@example.org", password, name: "Bob" })
const cookie = ada.headers
  .getSetCookie()
  .map((line) => line.split(";")[0])
  .join("; ")
const app = (client_name, token_endpoint_auth_method) =>
  json(
    "/oauth2/create-client",
    {
      client_name,
      redirect_uris: [redirect_uri],
      scope: "openid offline_access files:read account:read",
      token_endpoint_auth_method,
    },
    cookie,
  )
const { client_id, client_secret } = await app("Old app", "client_secret_post")
await app("Old public app", "none")

const code_verifier = randomBytes(32).toString("base64url")
const asked = new URLSearchParams({
  response_type: "code",
  client_id,
  redirect_uri,
  scope: "openid offline_access account:read",
  code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
  code_challenge_method: "S256",
  state: "state",
})
const page = (await call(`/oauth2/authorize?${asked}`, undefined, cookie)).headers.get("location")
const oauth_query = page.split("?")[1]
const { url } = await json("/oauth2/consent", { accept: true, oauth_query }, cookie)
const code = new URL(url).searchParams.get("code")
const token = (more) =>
  json("/oauth2/token", { client_id, client_secret, ...more }, "", "application/x-www-form-urlencoded")
const first = await token({ grant_type: "authorization_code", code, redirect_uri, code_verifier })
const second = await token({ grant_type: "refresh_token", refresh_token: first.refresh_token })

const tables = ["user", "account", "oauthClient", "oauthRefreshToken", "oauthAccessToken"]
const rows = tables.map((name) => [name, database.prepare(`SELECT * FROM "${name}"`).all()])
const known = { password, client_secret, used: first.refresh_token, live: second.refresh_token }
console.log(JSON.stringify({ tables: Object.fromEntries(rows), known }, null, 2))
process.exit(0)
