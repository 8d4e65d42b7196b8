/** simple-oauth2, which knows no PKCE but passes on what it is given. */
import { createHash, randomBytes } from "node:crypto"
import { AuthorizationCode } from "simple-oauth2"
import { decide } from "../support/connect.ts"
import { type Client, type Decision, Refused, told, type Way } from "./client.ts"
import { type Place, REDIRECT_URIS, SCOPE } from "./place.ts"

const [REDIRECT_URI] = REDIRECT_URIS

export const simpleOauth2: Client = {
  name: "simple-oauth2",
  needs: {},
  ways: ["public", "basic", "post"],
  can: ["revocation"],
  open: (place, way) => Promise.resolve(opened(place, way)),
}

function opened(place: Place, way: Way) {
  const { clientId, secret } = place.app(way === "registered" ? "public" : way)
  const client = configured(place.url, clientId, secret ?? "", way)
  const held = (token: Record<string, unknown>) => ({
    accessToken: String(token["access_token"]),
    refreshToken: String(token["refresh_token"]),
    token,
  })
  return {
    clientId,
    connect: async (decision: Decision) => {
      const { address, codeVerifier, state } = begun(client, REDIRECT_URI)
      const { searchParams: returned } = await decide(place.alice, new URL(address), decision)
      if (returned.get("state") !== state) throw new Error("this is the answer to another request")
      // The library does not look at what comes back.
      if (returned.has("error")) throw new Refused(returned.get("error"))
      const code = returned.get("code") ?? ""
      return held(await told(finished(client, { code, codeVerifier, redirectUri: REDIRECT_URI }), codeOf))
    },
    refresh: async ({ refreshToken }: { refreshToken: string }) => {
      const known = client.createToken({ refresh_token: refreshToken })
      return held((await told(known.refresh(), codeOf)).token)
    },
    revoke: async ({ accessToken, refreshToken }: { accessToken: string; refreshToken: string }) => {
      const known = client.createToken({ access_token: accessToken, refresh_token: refreshToken })
      await known.revokeAll()
    },
  }
}

function configured(base: string, clientId: string, clientSecret: string, way: Way): AuthorizationCode {
  return new AuthorizationCode({
    client: { id: clientId, secret: clientSecret },
    auth: { tokenHost: base },
    options: { authorizationMethod: way === "basic" ? "header" : "body" },
  })
}

function begun(client: AuthorizationCode, redirectUri: string) {
  const state = randomBytes(16).toString("base64url")
  const codeVerifier = randomBytes(32).toString("base64url")
  const pkce = {
    code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
  }
  const address = client.authorizeURL({ redirect_uri: redirectUri, scope: SCOPE, state, ...pkce })
  return { address, codeVerifier, state }
}

async function finished(
  client: AuthorizationCode,
  { code, codeVerifier, redirectUri }: { code: string; codeVerifier: string; redirectUri: string },
): Promise<Record<string, unknown>> {
  const pkce = { code_verifier: codeVerifier }
  const { token } = await client.getToken({ code, redirect_uri: redirectUri, ...pkce })
  return token
}

/** Boom errors carry the answer. */
function codeOf(error: unknown): string | undefined {
  return (error as { data?: { payload?: { error?: string } } }).data?.payload?.error
}
