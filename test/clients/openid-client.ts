/** Tests openid-client, which also checks every response. */
import assert from "node:assert/strict"
import * as openid from "openid-client"
import { decide } from "../support/connect.ts"
import { type App, type Client, type Decision, type Held, withRefusals, type Way } from "./client.ts"
import { type Deployment, REDIRECT_URIS, SCOPE, SERVICE_ACCOUNT } from "./deployment.ts"

const [REDIRECT_URI] = REDIRECT_URIS

export const openidClient: Client = {
  name: "openid-client",
  needs: {},
  ways: ["public", "basic", "post", "key", "registered"],
  can: ["discovery", "registration", "refresh", "revocation", "device"],
  open: async (deployment, way) => new OpenidApp(deployment, await configured(deployment, way)),
  more: {
    "ERR-12, AUTHZ-4: an answer of another issuer or with another state is not taken": async (deployment) => {
      const app = new OpenidApp(deployment, await configured(deployment, "public"))
      const { returned, checks } = await app.returned("authorize")
      for (const [name, value] of [["iss", "https://id.example"] as const, ["state", "other"] as const]) {
        const altered = new URL(returned)
        altered.searchParams.set(name, value)
        await assert.rejects(openid.authorizationCodeGrant(app.config, altered, checks), openid.ClientError)
      }
      const tokens = await openid.authorizationCodeGrant(app.config, returned, checks)
      assert.equal(tokens["username"], "alice")
      // The library counts down from the arrival of the response.
      assert.ok((tokens.expiresIn() ?? 0) > 3590)
    },
    "SERVICE-3, SERVICE-4, SERVICE-9: a program acts as a service account, by secret and by key": async (
      deployment,
    ) => {
      for (const way of ["basic", "post", "key"] as const) {
        const config = await configured(deployment, way)
        const token = await openid.clientCredentialsGrant(config, { scope: "account:read" })
        assert.deepEqual([token.scope, token.refresh_token], ["account:read", undefined])
        assert.ok((token.expiresIn() ?? 0) > 3590)
        const heard = await deployment.introspected(token.access_token)
        assert.deepEqual([heard["username"], heard["account_type"]], [SERVICE_ACCOUNT, "service"])
        const account = new URL(`${deployment.url}/api/account`)
        const answer = await openid.fetchProtectedResource(config, token.access_token, account, "GET")
        assert.equal(answer.status, 200)
        await openid.tokenRevocation(config, token.access_token)
        assert.deepEqual(await deployment.introspected(token.access_token), { active: false })
        const wide = openid.clientCredentialsGrant(config, { scope: "account:write" })
        await assert.rejects(withRefusals(wide, codeOf), { code: "invalid_scope" })
      }
    },
    "REV-1: a resource server introspects, and a revoked token is only inactive": async (deployment) => {
      const app = new OpenidApp(deployment, await configured(deployment, "public"))
      const got = await app.connect("authorize")
      const { clientId, secret } = deployment.resourceServer
      const resourceServer = await openid.discovery(
        new URL(deployment.url),
        clientId,
        secret ?? "",
        undefined,
        over(deployment),
      )
      const heard = await openid.tokenIntrospection(resourceServer, got.accessToken)
      assert.deepEqual([heard.active, heard.client_id], [true, app.clientId])
      const account = new URL(`${deployment.url}/api/account`)
      const calls = () => openid.fetchProtectedResource(app.config, got.accessToken, account, "GET")
      assert.equal((await calls()).status, 200)
      await app.revoke(got)
      assert.deepEqual(await openid.tokenIntrospection(resourceServer, got.accessToken), { active: false })
      await assert.rejects(calls(), openid.WWWAuthenticateChallengeError)
    },
  },
}

class OpenidApp implements App {
  readonly config: openid.Configuration
  readonly #deployment: Deployment

  constructor(deployment: Deployment, config: openid.Configuration) {
    this.#deployment = deployment
    this.config = config
  }

  get clientId(): string {
    return this.config.clientMetadata().client_id
  }

  async returned(decision: Decision) {
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const expectedState = openid.randomState()
    const address = openid.buildAuthorizationUrl(this.config, {
      redirect_uri: REDIRECT_URI,
      scope: SCOPE,
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    })
    const returned = await decide(this.#deployment.alice, address, decision)
    return { returned, checks: { pkceCodeVerifier, expectedState } }
  }

  async connect(decision: Decision): Promise<Held> {
    const { returned, checks } = await this.returned(decision)
    return held(await withRefusals(openid.authorizationCodeGrant(this.config, returned, checks), codeOf))
  }

  async refresh({ refreshToken }: Held): Promise<Held> {
    return held(await withRefusals(openid.refreshTokenGrant(this.config, refreshToken), codeOf))
  }

  async revoke({ accessToken }: Held): Promise<void> {
    await openid.tokenRevocation(this.config, accessToken)
  }

  async device(decision: Decision): Promise<Held> {
    const grant = await openid.initiateDeviceAuthorization(this.config, { scope: SCOPE })
    const polled = withRefusals(openid.pollDeviceAuthorizationGrant(this.config, grant), codeOf)
    const [tokens] = await Promise.all([polled, this.#deployment.answer(grant.user_code, decision)])
    return held(tokens)
  }
}

function configured(deployment: Deployment, way: Way): Promise<openid.Configuration> {
  const server = new URL(deployment.url)
  if (way === "registered") {
    const about = { client_name: "Self-made", redirect_uris: [REDIRECT_URI], scope: SCOPE }
    return openid.dynamicClientRegistration(server, about, undefined, over(deployment))
  }
  const { clientId, secret } = deployment.app(way)
  const { signer } = deployment
  const authentication = {
    public: openid.None,
    basic: () => openid.ClientSecretBasic(secret ?? ""),
    key: () => openid.PrivateKeyJwt({ key: signer.privateKey, kid: signer.kid }),
    // The library uses this method by default.
    post: () => undefined,
  }[way]()
  return openid.discovery(server, clientId, secret ?? undefined, authentication, over(deployment))
}

/** Plain http is allowed, because the server is on loopback. No other check is relaxed. */
function over({ url }: Deployment): openid.DiscoveryRequestOptions {
  const isPlain = url.startsWith("http:")
  return { algorithm: "oauth2", ...(isPlain && { execute: [openid.allowInsecureRequests] }) }
}

function held({ access_token, refresh_token = "" }: openid.TokenEndpointResponse): Held {
  return { accessToken: access_token, refreshToken: refresh_token }
}

function codeOf(error: unknown): string | null {
  const isProtocolError =
    error instanceof openid.AuthorizationResponseError || error instanceof openid.ResponseBodyError
  return isProtocolError ? error.error : null
}
