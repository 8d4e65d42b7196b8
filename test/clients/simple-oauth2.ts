/** Tests simple-oauth2. It does not support PKCE but passes on the parameters. */
import { createHash, randomBytes } from "node:crypto"
import { type AccessToken, AuthorizationCode } from "simple-oauth2"
import { decide } from "../support/connect.ts"
import { type App, type Client, type Decision, type Held, Refused, withRefusals, type Way } from "./client.ts"
import { type Deployment, REDIRECT_URIS, SCOPE } from "./deployment.ts"

const [redirectUri] = REDIRECT_URIS
const scope = SCOPE

export const simpleOauth2: Client = {
  name: "simple-oauth2",
  needs: {},
  ways: ["public", "basic", "post"],
  can: ["refresh", "revocation"],
  open: (deployment, way) => Promise.resolve(opened(deployment, way)),
}

function opened(deployment: Deployment, way: Way): App {
  const { clientId, secret } = deployment.app(way === "registered" ? "public" : way)
  const clientSecret = secret ?? ""
  const base = deployment.url
  const authorizationMethod = way === "basic" ? "header" : "body"
  const client = new AuthorizationCode({
    client: { id: clientId, secret: clientSecret },
    auth: { tokenHost: base },
    options: { authorizationMethod },
  })
  return {
    clientId,
    connect: async (decision: Decision) => {
      const { address, codeVerifier, state } = begun(client)
      const returned = (await decide(deployment.alice, new URL(address), decision)).searchParams
      if (returned.get("state") !== state) throw new Error("not an answer to what was asked")
      if (returned.has("error")) throw new Refused(returned.get("error"))
      return held(await withRefusals(finished(client, returned.get("code") ?? "", codeVerifier), codeOf))
    },
    refresh: async ({ refreshToken }) => {
      const known = client.createToken({ refresh_token: refreshToken })
      return held(await withRefusals(known.refresh(), codeOf))
    },
    revoke: async ({ accessToken, refreshToken }) => {
      const known = client.createToken({ access_token: accessToken, refresh_token: refreshToken })
      await known.revokeAll()
    },
  }
}

function begun(client: AuthorizationCode) {
  const state = randomBytes(16).toString("base64url")
  const codeVerifier = randomBytes(32).toString("base64url")
  const pkce = {
    code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
  }
  const address = client.authorizeURL({ redirect_uri: redirectUri, scope, state, ...pkce })
  return { address, codeVerifier, state }
}

async function finished(client: AuthorizationCode, code: string, codeVerifier: string): Promise<AccessToken> {
  const proof = { code_verifier: codeVerifier }
  const accessToken = await client.getToken({ code, redirect_uri: redirectUri, ...proof })
  return accessToken
}

function held({ token }: AccessToken): Held {
  return { accessToken: String(token["access_token"]), refreshToken: String(token["refresh_token"]) }
}

/** Errors of Boom contain the response. */
function codeOf(error: unknown): string | undefined {
  return (error as { data?: { payload?: { error?: string } } }).data?.payload?.error
}
