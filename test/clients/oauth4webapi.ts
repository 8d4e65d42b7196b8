/** Tests oauth4webapi, which checks every response against the RFCs and does nothing automatically. */
import assert from "node:assert/strict"
import * as oauth from "oauth4webapi"
import { decide } from "../support/connect.ts"
import { type App, type Client, type Decision, type Held, withRefusals, type Way } from "./client.ts"
import { type Deployment, REDIRECT_URIS, SCOPE, SERVICE_ACCOUNT } from "./deployment.ts"

const [REDIRECT_URI] = REDIRECT_URIS

export const oauth4webapi: Client = {
  name: "oauth4webapi",
  needs: {},
  ways: ["public", "basic", "post", "key", "registered"],
  can: ["discovery", "registration", "refresh", "revocation", "device"],
  open: (deployment, way) => opened(deployment, way),
  more: {
    "DISC-1, DISC-2, DISC-4: the metadata pass its checks and lead from the API to the service": async (
      deployment,
    ) => {
      const resource = new URL(deployment.url)
      const response = await oauth.resourceDiscoveryRequest(resource, over(deployment))
      const metadata = await oauth.processResourceDiscoveryResponse(resource, response)
      assert.deepEqual(metadata.authorization_servers, [deployment.url])
      const service = await discovered(deployment)
      assert.equal(service.issuer, deployment.url)
      assert.equal(service.authorization_response_iss_parameter_supported, true)
      assert.deepEqual(service.code_challenge_methods_supported, ["S256"])
    },
    "ERR-12, AUTHZ-4: an answer with another issuer, without one, or with another state is not taken": async (
      deployment,
    ) => {
      const app = await opened(deployment, "public")
      const asked = await app.asked()
      const returned = await decide(deployment.alice, asked.address, "authorize")
      const alterations: ((parameters: URLSearchParams) => void)[] = [
        (parameters) => parameters.set("iss", "https://id.example"),
        (parameters) => parameters.delete("iss"),
        (parameters) => parameters.set("state", "other"),
      ]
      for (const alter of alterations) {
        const altered = new URL(returned)
        alter(altered.searchParams)
        assert.throws(() => app.checked(altered, asked.state), oauth.OperationProcessingError)
      }
      assert.doesNotThrow(() => app.checked(returned, asked.state))
    },
    "AUTH-5, ERR-2: a code with another verifier is its own error": async (deployment) => {
      const app = await opened(deployment, "public")
      const asked = await app.asked()
      const returned = await decide(deployment.alice, asked.address, "authorize")
      const wrong = { ...asked, verifier: oauth.generateRandomCodeVerifier() }
      await assert.rejects(app.exchanged(wrong, returned), { code: "invalid_grant" })
    },
    "ERR-1: a wrong secret is its own error": async (deployment) => {
      const app = await opened(deployment, "basic", "lks_wrong")
      const error = await app.connect("authorize").catch((caught: unknown) => caught)
      assert.ok(error instanceof oauth.WWWAuthenticateChallengeError)
      assert.equal(error.status, 401)
    },
    "SERVICE-3, SERVICE-6, SERVICE-9: a program acts as a service account, by secret and by key": async (
      deployment,
    ) => {
      for (const way of ["basic", "post", "key"] as const) {
        const app = await opened(deployment, way)
        const [token, other] = [await app.ownToken(), await app.ownToken()]
        assert.equal(token.refresh_token, undefined)
        const heard = await deployment.introspected(token.access_token)
        assert.deepEqual([heard["username"], heard["account_type"]], [SERVICE_ACCOUNT, "service"])
        assert.equal(heard["client_id"], app.clientId)
        assert.equal(heard["scope"], token.scope)
        await app.revoke({ accessToken: "", refreshToken: token.access_token })
        assert.deepEqual(await deployment.introspected(token.access_token), { active: false })
        assert.equal((await deployment.introspected(other.access_token))["active"], true)
      }
      const refused = opened(deployment, "public").then((app) => app.ownToken())
      await assert.rejects(refused, { code: "unauthorized_client" })
    },
    "REG-2: an address that cannot be registered is its own error": async (deployment) => {
      const service = await discovered(deployment)
      const about = { client_name: "Self-made", redirect_uris: ["http://[::1]/callback"] }
      const response = await oauth.dynamicClientRegistrationRequest(service, about, over(deployment))
      const processed = withRefusals(oauth.processDynamicClientRegistrationResponse(response), codeOf)
      await assert.rejects(processed, { code: "invalid_redirect_uri" })
    },
  },
}

type Asked = { readonly address: URL; readonly state: string; readonly verifier: string }

class WebApiApp implements App {
  readonly #deployment: Deployment
  readonly #service: oauth.AuthorizationServer
  readonly #client: oauth.Client
  readonly #authentication: oauth.ClientAuth

  constructor(
    deployment: Deployment,
    service: oauth.AuthorizationServer,
    client: oauth.Client,
    authentication: oauth.ClientAuth,
  ) {
    this.#deployment = deployment
    this.#service = service
    this.#client = client
    this.#authentication = authentication
  }

  get clientId(): string {
    return this.#client.client_id
  }

  async asked(): Promise<Asked> {
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const address = new URL(this.#service.authorization_endpoint ?? "")
    address.search = new URLSearchParams({
      client_id: this.clientId,
      response_type: "code",
      redirect_uri: REDIRECT_URI,
      scope: SCOPE,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }).toString()
    return { address, state, verifier }
  }

  checked(returned: URL, state: string): URLSearchParams {
    return oauth.validateAuthResponse(this.#service, this.#client, returned, state)
  }

  async exchanged({ state, verifier }: Asked, returned: URL): Promise<Held> {
    const response = await oauth.authorizationCodeGrantRequest(
      this.#service,
      this.#client,
      this.#authentication,
      await withRefusals(
        Promise.resolve().then(() => this.checked(returned, state)),
        codeOf,
      ),
      REDIRECT_URI,
      verifier,
      over(this.#deployment),
    )
    return held(oauth.processAuthorizationCodeResponse(this.#service, this.#client, response))
  }

  async connect(decision: Decision): Promise<Held> {
    const asked = await this.asked()
    return this.exchanged(asked, await decide(this.#deployment.alice, asked.address, decision))
  }

  async refresh({ refreshToken }: Held): Promise<Held> {
    const response = await oauth.refreshTokenGrantRequest(
      this.#service,
      this.#client,
      this.#authentication,
      refreshToken,
      over(this.#deployment),
    )
    return held(oauth.processRefreshTokenResponse(this.#service, this.#client, response))
  }

  /** Gets a token by `client_credentials`. */
  async ownToken(): Promise<oauth.TokenEndpointResponse> {
    assert.ok(this.#service.grant_types_supported?.includes("client_credentials"))
    const response = await oauth.clientCredentialsGrantRequest(
      this.#service,
      this.#client,
      this.#authentication,
      new URLSearchParams(),
      over(this.#deployment),
    )
    return withRefusals(oauth.processClientCredentialsResponse(this.#service, this.#client, response), codeOf)
  }

  async revoke({ refreshToken }: Held): Promise<void> {
    const [service, client, authentication] = [this.#service, this.#client, this.#authentication]
    const response = await oauth.revocationRequest(
      service,
      client,
      authentication,
      refreshToken,
      over(this.#deployment),
    )
    await oauth.processRevocationResponse(response)
  }

  async device(decision: Decision): Promise<Held> {
    const [service, client, authentication] = [this.#service, this.#client, this.#authentication]
    const parameters = new URLSearchParams({ scope: SCOPE })
    const options = over(this.#deployment)
    const answer = await oauth.deviceAuthorizationRequest(
      service,
      client,
      authentication,
      parameters,
      options,
    )
    const grant = await oauth.processDeviceAuthorizationResponse(service, client, answer)
    const poll = async () => {
      const { device_code: code } = grant
      const response = await oauth.deviceCodeGrantRequest(service, client, authentication, code, options)
      return held(oauth.processDeviceCodeResponse(service, client, response))
    }
    await assert.rejects(poll(), { code: "authorization_pending" })
    await assert.rejects(poll(), { code: "slow_down" })
    await this.#deployment.answer(grant.user_code, decision)
    return poll()
  }
}

async function opened(deployment: Deployment, way: Way, wrong?: string): Promise<WebApiApp> {
  const service = await discovered(deployment)
  const { client, secret } =
    way === "registered" ? await registered(deployment, service) : known(deployment, way)
  const { signer } = deployment
  const authentication = {
    public: oauth.None,
    basic: () => oauth.ClientSecretBasic(wrong ?? secret),
    post: () => oauth.ClientSecretPost(secret),
    key: () => oauth.PrivateKeyJwt({ key: signer.privateKey, kid: signer.kid }),
    // A registration that names no method gets this one.
    registered: () => oauth.ClientSecretBasic(secret),
  }[way]()
  return new WebApiApp(deployment, service, client, authentication)
}

function known(deployment: Deployment, way: Exclude<Way, "registered">) {
  const { clientId, secret } = deployment.app(way)
  return { client: { client_id: clientId }, secret: secret ?? "" }
}

async function registered(deployment: Deployment, service: oauth.AuthorizationServer) {
  const about = { client_name: "Self-made", redirect_uris: [REDIRECT_URI], scope: SCOPE }
  const response = await oauth.dynamicClientRegistrationRequest(service, about, over(deployment))
  const client = await oauth.processDynamicClientRegistrationResponse(response)
  return { client, secret: String(client["client_secret"]) }
}

async function discovered(deployment: Deployment): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(deployment.url)
  const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...over(deployment) })
  return oauth.processDiscoveryResponse(issuer, response)
}

/** Plain http is allowed, because the server is on loopback. No other check is relaxed. */
function over({ url }: Deployment) {
  return { [oauth.allowInsecureRequests]: url.startsWith("http:") }
}

async function held(processed: Promise<oauth.TokenEndpointResponse>): Promise<Held> {
  const { access_token, refresh_token = "" } = await withRefusals(processed, codeOf)
  return { accessToken: access_token, refreshToken: refresh_token }
}

function codeOf(error: unknown): string | null {
  const isProtocolError =
    error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError
  return isProtocolError ? error.error : null
}
