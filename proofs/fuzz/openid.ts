/** Valid requests of OpenID Connect, with every parameter, and id_tokens in places where they must not count. */
import { type Body, pairsOf, utf8 } from "./draft.ts"
import type { Parts } from "./valid.ts"
import { REDIRECT_URI, type World } from "./world.ts"

const PROMPTS = ["none", "login", "consent", "select_account"]

const NO_BODY: Body = { kind: "none" }

type Fields = Readonly<Record<string, string>>

export function openidRequests(world: World): readonly Parts[] {
  const plain = Object.fromEntries(new URL(world.authorizeUrl, "http://localhost").searchParams)
  const hints = [world.idToken, forged(world.idToken, "none"), forged(world.idToken, "HS256")]
  const asked = PROMPTS.map((prompt, nth): Fields => ({
    ...plain,
    scope: "openid profile email groups",
    prompt,
    nonce: "n-0S6_WzA2Mj",
    max_age: "3600",
    login_hint: world.ada.username,
    id_token_hint: hints[nth % hints.length] ?? "",
    ui_locales: "de en",
    claims: '{"userinfo":{"email":{"essential":true}}}',
    acr_values: "2",
    display: "page",
  }))
  const ended = hints.map((hint): Fields => ({
    id_token_hint: hint,
    client_id: world.app.clientId,
    post_logout_redirect_uri: REDIRECT_URI,
    state: "s",
    logout_hint: world.ada.username,
    ui_locales: "de",
  }))
  return [
    ...asked.flatMap((fields) => [get("/oauth/authorize", fields), post("/oauth/authorize", fields)]),
    get("/oauth/authorize", { ...plain, scope: "openid", request: world.idToken }),
    get("/oauth/authorize", { ...plain, scope: "openid", request_uri: "https://own.example/request" }),
    ...ended.flatMap((fields) => [get("/oauth/end-session", fields), post("/oauth/end-session", fields)]),
    get("/.well-known/webfinger", { resource: `acct:${world.ada.username}@localhost`, rel: ISSUER }),
    get("/.well-known/openid-configuration", {}),
    get("/oauth/jwks", {}),
    ...hints.flatMap((access_token) => [
      post("/oauth/userinfo", { access_token }),
      post("/oauth/revoke", { token: access_token, client_id: world.app.clientId }),
    ]),
  ]
}

const ISSUER = "http://openid.net/specs/connect/1.0/issuer"

function get(path: string, fields: Fields): Parts {
  return { name: `GET ${path}, OpenID`, method: "GET", path, query: pairsOf(fields), body: NO_BODY }
}

function post(path: string, fields: Fields): Parts {
  const body: Body = { kind: "form", pairs: pairsOf(fields) }
  return { name: `POST ${path}, OpenID`, method: "POST", path, query: [], body }
}

/** The same claims with another algorithm, and a signature that verifies with no key. */
function forged(idToken: string, alg: string): string {
  const [head = "", claims = "", signature = ""] = idToken.split(".")
  const header = JSON.parse(Buffer.from(head, "base64url").toString("utf8")) as object
  const changed = Buffer.from(utf8(JSON.stringify({ ...header, alg }))).toString("base64url")
  return [changed, claims, alg === "none" ? "" : signature].join(".")
}
