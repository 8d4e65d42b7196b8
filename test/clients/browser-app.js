// An app that consists of one page on another origin.

/** Returns the response as JSON. Throws if the service refuses. */
async function call(address, parameters) {
  const body = new URLSearchParams(parameters)
  const response = await fetch(address, { method: "POST", body })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error)
  return answer
}

/** Returns the endpoints of the service and its `issuer`. */
async function discover(base) {
  const response = await fetch(`${base}/.well-known/oauth-authorization-server`)
  return response.json()
}

/** Registers the app. Returns the `client_id` to keep. */
async function register(service, redirectUri) {
  const about = { client_name: "My page", redirect_uris: [redirectUri], token_endpoint_auth_method: "none" }
  const headers = { "content-type": "application/json" }
  const body = JSON.stringify(about)
  const response = await fetch(service.registration_endpoint, { method: "POST", headers, body })
  return (await response.json()).client_id
}

/** Redirects the browser to the service. */
async function leave(service, clientId, redirectUri, scope) {
  const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)))
  const pending = { verifier: random(), state: random() }
  sessionStorage.setItem("pending", JSON.stringify(pending))
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(pending.verifier))
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state: pending.state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: "S256",
  })
  location.assign(`${service.authorization_endpoint}?${query}`)
}

/** Runs on the page to which the browser returns. Returns the tokens. */
async function arrive(service, clientId, redirectUri) {
  const { verifier, state } = JSON.parse(sessionStorage.getItem("pending"))
  sessionStorage.removeItem("pending")
  const returned = new URLSearchParams(location.search)
  history.replaceState(null, "", location.pathname)
  if (returned.get("state") !== state || returned.get("iss") !== service.issuer)
    throw new Error("not an answer to what was asked")
  if (returned.has("error")) throw new Error(returned.get("error"))
  return call(service.token_endpoint, {
    grant_type: "authorization_code",
    client_id: clientId,
    code: returned.get("code"),
    code_verifier: verifier,
    redirect_uri: redirectUri,
  })
}

function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")
}

// The buttons of the page call these functions.
globalThis.app = { discover, register, leave, arrive, call }
