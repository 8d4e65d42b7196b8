/** oauth4webapi, which checks every answer against the RFCs and does nothing by itself. */
import assert from "node:assert/strict"
import * as oauth from "oauth4webapi"
import { decide } from "../support/connect.ts"
import { type App, type Client, type Decision, type Held, told, type Way } from "./client.ts"
import { type Place, REDIRECT_URIS, SCOPE } from "./place.ts"

const [REDIRECT_URI] = REDIRECT_URIS

export const oauth4webapi: Client = {
  name: "oauth4webapi",
  needs: {},
  ways: ["public", "basic", "post", "registered"],
  can: ["discovery", "registration", "refresh", "revocation", "device"],
  open: (place, way) => opened(place, way),
  more: {
    "DISC-1, DISC-2, DISC-4: the metadata pass its checks and lead from the API to the service": async (
      place,
    ) => {
      const resource = new URL(place.url)
      const response = await oauth.resourceDiscoveryRequest(resource, over(place))
      const metadata = await oauth.processResourceDiscoveryResponse(resource, response)
      assert.deepEqual(metadata.authorization_servers, [place.url])
      const service = await discovered(place)
      assert.equal(service.issuer, place.url)
      assert.equal(service.authorization_response_iss_parameter_supported, true)
      assert.deepEqual(service.code_challenge_methods_supported, ["S256"])
    },
    "ERR-12, AUTHZ-4: an answer with another issuer, without one, or with another state is not taken": async (
      place,
    ) => {
      const app = await opened(place, "public")
      const asked = await app.asked()
      const returned = await decide(place.alice, asked.address, "authorize")
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
    "AUTH-5, ERR-2: a code with another verifier is its own error": async (place) => {
      const app = await opened(place, "public")
      const asked = await app.asked()
      const returned = await decide(place.alice, asked.address, "authorize")
      const wrong = { ...asked, verifier: oauth.generateRandomCodeVerifier() }
      await assert.rejects(app.exchanged(wrong, returned), { code: "invalid_grant" })
    },
    "ERR-1: a wrong secret is its own error": async (place) => {
      const app = await opened(place, "basic", "lks_wrong")
      const error = await app.connect("authorize").catch((caught: unknown) => caught)
      assert.ok(error instanceof oauth.WWWAuthenticateChallengeError)
      assert.equal(error.status, 401)
    },
    "REG-2: an address that cannot be registered is its own error": async (place) => {
      const service = await discovered(place)
      const about = { client_name: "Self-made", redirect_uris: ["http://[::1]/callback"] }
      const response = await oauth.dynamicClientRegistrationRequest(service, about, over(place))
      const processed = told(oauth.processDynamicClientRegistrationResponse(response), codeOf)
      await assert.rejects(processed, { code: "invalid_redirect_uri" })
    },
  },
}

type Asked = { readonly address: URL; readonly state: string; readonly verifier: string }

class WebApiApp implements App {
  readonly #place: Place
  readonly #service: oauth.AuthorizationServer
  readonly #client: oauth.Client
  readonly #authentication: oauth.ClientAuth

  constructor(
    place: Place,
    service: oauth.AuthorizationServer,
    client: oauth.Client,
    authentication: oauth.ClientAuth,
  ) {
    this.#place = place
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
      await told(
        Promise.resolve().then(() => this.checked(returned, state)),
        codeOf,
      ),
      REDIRECT_URI,
      verifier,
      over(this.#place),
    )
    return held(oauth.processAuthorizationCodeResponse(this.#service, this.#client, response))
  }

  async connect(decision: Decision): Promise<Held> {
    const asked = await this.asked()
    return this.exchanged(asked, await decide(this.#place.alice, asked.address, decision))
  }

  async refresh({ refreshToken }: Held): Promise<Held> {
    const response = await oauth.refreshTokenGrantRequest(
      this.#service,
      this.#client,
      this.#authentication,
      refreshToken,
      over(this.#place),
    )
    return held(oauth.processRefreshTokenResponse(this.#service, this.#client, response))
  }

  async revoke({ refreshToken }: Held): Promise<void> {
    const [service, client, authentication] = [this.#service, this.#client, this.#authentication]
    const response = await oauth.revocationRequest(
      service,
      client,
      authentication,
      refreshToken,
      over(this.#place),
    )
    await oauth.processRevocationResponse(response)
  }

  async device(decision: Decision): Promise<Held> {
    const [service, client, authentication] = [this.#service, this.#client, this.#authentication]
    const parameters = new URLSearchParams({ scope: SCOPE })
    const options = over(this.#place)
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
    await this.#place.answer(grant.user_code, decision)
    return poll()
  }
}

async function opened(place: Place, way: Way, wrong?: string): Promise<WebApiApp> {
  const service = await discovered(place)
  const { client, secret } = way === "registered" ? await registered(place, service) : known(place, way)
  const authentication = {
    public: oauth.None,
    basic: () => oauth.ClientSecretBasic(wrong ?? secret),
    post: () => oauth.ClientSecretPost(secret),
    // What is registered where nothing else is asked for.
    registered: () => oauth.ClientSecretBasic(secret),
  }[way]()
  return new WebApiApp(place, service, client, authentication)
}

function known(place: Place, way: Exclude<Way, "registered">) {
  const { clientId, secret } = place.app(way)
  return { client: { client_id: clientId }, secret: secret ?? "" }
}

async function registered(place: Place, service: oauth.AuthorizationServer) {
  const about = { client_name: "Self-made", redirect_uris: [REDIRECT_URI], scope: SCOPE }
  const response = await oauth.dynamicClientRegistrationRequest(service, about, over(place))
  const client = await oauth.processDynamicClientRegistrationResponse(response)
  return { client, secret: String(client["client_secret"]) }
}

async function discovered(place: Place): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(place.url)
  const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...over(place) })
  return oauth.processDiscoveryResponse(issuer, response)
}

/** The one relaxation: plain http, because the server is on loopback. */
function over({ url }: Place) {
  return { [oauth.allowInsecureRequests]: url.startsWith("http:") }
}

async function held(processed: Promise<oauth.TokenEndpointResponse>): Promise<Held> {
  const { access_token, refresh_token = "" } = await told(processed, codeOf)
  return { accessToken: access_token, refreshToken: refresh_token }
}

function codeOf(error: unknown): string | null {
  const isTold = error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError
  return isTold ? error.error : null
}
