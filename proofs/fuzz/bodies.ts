/** Builds one valid body for each endpoint that apps call. */
import { CODE_VERIFIER_LENGTH } from "../../src/kernel/limits.ts"
import { type Body, pairsOf } from "./draft.ts"
import { icon } from "./icon.ts"
import { REDIRECT_URI, type World } from "./world.ts"

const app = {
  client_name: "Sent",
  redirect_uris: ["https://sent.example/callback", "http://127.0.0.1/callback"],
  scope: "account:read",
  step_up: true,
}

const JSON_BODIES: Readonly<Record<string, (world: World) => object>> = {
  "PATCH /api/account": ({ ada }) => ({ username: ada.username }),
  "POST /api/apps": () => ({ ...app, client_type: "public" }),
  "PATCH /api/apps/:client_id": () => ({ ...app, enabled: true }),
  "POST /api/admin/accounts": () => ({ username: "added", password: "added password", admin: false }),
  "PATCH /api/admin/accounts/:user_id": () => ({ username: "renamed", admin: false, enabled: true }),
  "POST /api/admin/apps": () => ({
    ...app,
    client_type: "public",
    verified: true,
    resource_server: false,
    owner: null,
  }),
  "PATCH /api/admin/apps/:client_id": () => ({ ...app, enabled: true, verified: false, owner: null }),
  "PUT /api/admin/settings/:key": () => ({ value: "3600" }),
  "POST /oauth/register": () => ({
    client_name: "Registered",
    redirect_uris: ["https://sent.example/callback"],
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    scope: "account:read",
    contacts: ["a@example.org"],
    logo_uri: "https://sent.example/logo.png",
    software_id: "x",
  }),
}

/** Builds the body. `authenticates` is true if a header already authenticates the app. */
export function bodyOf(world: World, route: string, method: string, authenticates: boolean): Body {
  if (route.endsWith("/icon")) return { kind: "bytes", bytes: icon }
  const json = JSON_BODIES[`${method} ${route}`]
  if (json !== undefined) return { kind: "json", value: json(world) }
  if (route.startsWith("/api/"))
    return method === "DELETE" ? { kind: "none" } : { kind: "json", value: { password: "a new password" } }
  const client = authenticates ? {} : { client_id: world.app.clientId }
  const { refresh_token: token } = world.own
  switch (route) {
    case "/oauth/token":
      return form({ ...client, ...NO_GRANT })
    case "/oauth/device-authorization":
      return form({ ...client, scope: "account:read", installation_name: "Desk" })
    case "/oauth/revoke":
      return form({
        ...client,
        token: authenticates ? token : `lkr_${"A".repeat(80)}`,
        token_type_hint: "refresh_token",
      })
    case "/oauth/introspect":
      return form({ token: world.own.access_token })
    case "/oauth/userinfo":
      return authenticates ? form({}) : form({ access_token: `lka_01${"h".repeat(24)}${"A".repeat(49)}` })
    case "/oauth/step-up":
      return form({ reason: "To remove an app" })
    default:
      return form(client)
  }
}

/** These bodies have the right form but can never give a token, whatever is changed in them. */
const NO_GRANT = {
  grant_type: "authorization_code",
  code: `lkc_01${"h".repeat(24)}${"A".repeat(49)}`,
  code_verifier: "v".repeat(CODE_VERIFIER_LENGTH.least),
  redirect_uri: REDIRECT_URI,
  refresh_token: `lkr_01${"h".repeat(24)}${"A".repeat(60)}`,
  device_code: `lkd_01${"h".repeat(24)}${"A".repeat(49)}`,
  scope: "account:read",
}

function form(fields: Readonly<Record<string, string>>): Body {
  return { kind: "form", pairs: pairsOf(fields) }
}
