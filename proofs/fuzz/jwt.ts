/** Requests with JWT access tokens: where they count, where they must not, and one that others ended. */
import { type Draft, FORM, type Pair, pairsOf } from "./draft.ts"
import type { World } from "./world.ts"

/** How often a request with a JWT is chosen, so that forged ones are not rare among all requests. */
const WEIGHT = 3
/** A right revocation ends the token for all that follow. */
const FATAL_WEIGHT = 0.02

export function jwtRequests(world: World): readonly Draft[] {
  const { resourceServer, app } = world
  const basic = `Basic ${btoa(`${resourceServer.clientId}:${resourceServer.secret}`)}`
  return world.jwts.flatMap((token) => [
    post("/oauth/introspect", { token }, [["Authorization", basic]]),
    post("/oauth/introspect", { token, token_type_hint: "access_token" }, [["Authorization", basic]]),
    { ...post("/oauth/revoke", { token, client_id: app.clientId }), weight: FATAL_WEIGHT },
    post("/oauth/userinfo", { access_token: token }),
    post("/oauth/step-up", { reason: "To remove an app" }, [["Authorization", `Bearer ${token}`]]),
    get("/oauth/userinfo", token),
    get("/api/account", token),
    get("/api/credential", token),
    get("/api/admin/accounts", token),
  ])
}

function post(path: string, fields: Readonly<Record<string, string>>, headers: readonly Pair[] = []): Draft {
  return {
    ...of("POST", path),
    headers: [...headers, ["Content-Type", FORM]],
    body: { kind: "form", pairs: pairsOf(fields) },
  }
}

function get(path: string, token: string): Draft {
  return { ...of("GET", path), headers: [["Authorization", `Bearer ${token}`]] }
}

function of(method: string, path: string): Draft {
  return {
    name: `a JWT: ${method} ${path}`,
    method,
    path,
    query: [],
    cookies: [],
    headers: [],
    body: { kind: "none" },
    isChunked: false,
    version: "1.1",
    weight: WEIGHT,
  }
}
