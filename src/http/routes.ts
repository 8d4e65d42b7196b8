/** Every address of the service, in one table. */
import { getAccount } from "./api/account.ts"
import { deleteCredential, getCredential, listCredentials } from "./api/credential.ts"
import { accountPage, endAccess } from "./endpoint/account-page.ts"
import { authorize } from "./endpoint/authorize.ts"
import { consent } from "./endpoint/consent.ts"
import { deviceAuthorization } from "./endpoint/device-authorization.ts"
import { devicePage } from "./endpoint/device.ts"
import type { Endpoint } from "./endpoint/endpoint.ts"
import { favicon } from "./endpoint/favicon.ts"
import { health } from "./endpoint/health.ts"
import { home } from "./endpoint/home.ts"
import { introspect } from "./endpoint/introspect.ts"
import { authorizationServer, protectedResource } from "./endpoint/metadata.ts"
import { stepUp } from "./endpoint/step-up.ts"
import { revoke } from "./endpoint/revoke.ts"
import { showSetUp, submitSetUp } from "./endpoint/set-up.ts"
import { showSignInPage, submitSignIn } from "./endpoint/sign-in.ts"
import { submitSignOut } from "./endpoint/sign-out.ts"
import { token } from "./endpoint/token.ts"

/**
 * Who an address is for, which decides the shape of its errors:
 * `page` a browser, `oauth` an app (RFC 6749 §5.2), `api` an app with a credential.
 */
export type Family = "page" | "oauth" | "api"

export type Route = {
  readonly path: string
  readonly family: Family
  readonly get?: Endpoint
  readonly post?: Endpoint
  readonly delete?: Endpoint
  /** Any origin may call it (docs/choices.md, "CORS"); never true of a page. */
  readonly isOpen: boolean
  /** It draws on the shared anonymous budget. RATE-1. */
  readonly isCounted: boolean
}

type Methods = Pick<Route, "get" | "post" | "delete">

const page = (path: string, methods: Methods): Route => ({
  path,
  family: "page",
  isOpen: false,
  isCounted: false,
  ...methods,
})
const open = (path: string, methods: Methods): Route => ({
  ...page(path, methods),
  family: "oauth",
  isOpen: true,
})
const counted = (path: string, methods: Methods): Route => ({ ...open(path, methods), isCounted: true })
const api = (path: string, methods: Methods): Route => ({ ...open(path, methods), family: "api" })

/** `basePath` is the path of the base address: the discovery documents also live where it is inserted. RFC 8414 §3. */
export function routes(basePath: string): readonly Route[] {
  const discovery = (path: string, get: Endpoint) => [
    open(path, { get }),
    ...(basePath === "" ? [] : [open(path + basePath, { get })]),
  ]
  return [
    ...discovery("/.well-known/oauth-authorization-server", authorizationServer),
    ...discovery("/.well-known/oauth-protected-resource", protectedResource),

    page("/oauth/authorize", { get: authorize }),
    page("/oauth/consent", { post: consent }),
    page("/oauth/device", { get: devicePage }),
    counted("/oauth/device-authorization", { post: deviceAuthorization }),
    counted("/oauth/token", { post: token }),
    counted("/oauth/revoke", { post: revoke }),
    counted("/oauth/step-up", { post: stepUp }),
    open("/oauth/introspect", { post: introspect }),

    api("/api/account", { get: getAccount }),
    api("/api/credential", { get: getCredential }),
    api("/api/credentials", { get: listCredentials }),
    api("/api/credentials/:id", { delete: deleteCredential }),

    page("/", { get: home }),
    page("/setup", { get: showSetUp, post: submitSetUp }),
    page("/sign-in", { get: showSignInPage, post: submitSignIn }),
    page("/sign-out", { post: submitSignOut }),
    page("/account", { get: accountPage }),
    page("/account/end-access", { post: endAccess }),
    page("/favicon.svg", { get: favicon }),

    { ...page("/health", { get: health }), family: "oauth" },
  ]
}
