/** Every route of the service. */
import { BODY_BYTES_AT_MOST, ICON_BYTES_AT_MOST } from "./kernel/limits.ts"
import { apiRoutes } from "./admin/operations.ts"
import { showActivity } from "./accounts/activity/activity.endpoint.ts"
import { accountPage } from "./apps/installations/installations.endpoint.ts"
import { showBrowsers, submitBrowsers } from "./accounts/security/browsers.endpoint.ts"
import { askEndAccess, endAccess } from "./apps/installations/end-access.endpoint.ts"
import { ownerPages } from "./apps/pages/owner-pages.ts"
import { passkeyScriptFile } from "./accounts/factors/assets.endpoint.ts"
import { confirmPage, restorePage, showEmail, submitEmail } from "./accounts/email/email.endpoint.ts"
import { authorize } from "./oauth/authorize/authorize.endpoint.ts"
import { consent } from "./oauth/consent/consent.endpoint.ts"
import { consoleNotFound, consoleRoutes } from "./console-routes.ts"
import { deviceAuthorization } from "./oauth/device/device-authorization.endpoint.ts"
import { devicePage } from "./oauth/device/device.endpoint.ts"
import type { Endpoint } from "./platform/http/endpoint.ts"
import { favicon } from "./platform/http/endpoints/favicon.endpoint.ts"
import { health } from "./platform/http/endpoints/health.endpoint.ts"
import { appIcon } from "./apps/icon/icon.endpoint.ts"
import { home } from "./platform/http/endpoints/home.endpoint.ts"
import { introspectStream } from "./oauth/credential/introspect-stream.endpoint.ts"
import { introspect } from "./oauth/credential/introspect.endpoint.ts"
import { authorizationServer, protectedResource } from "./oauth/discovery/metadata.endpoint.ts"
import { register } from "./apps/registration/register.endpoint.ts"
import { showStepUp } from "./oauth/step-up/step-up-pages.ts"
import { stepUp } from "./oauth/step-up/step-up.endpoint.ts"
import { revoke } from "./oauth/credential/revoke.endpoint.ts"
import {
  leaveSecondStep,
  submitPasskeySignIn,
  submitSecondStep,
} from "./accounts/sign-in/second-step.endpoint.ts"
import { removeFactorForm, renameFactorForm, showFactor } from "./accounts/security/factor.endpoint.ts"
import { showNewPasskey, submitNewPasskey } from "./accounts/security/new-passkey.endpoint.ts"
import { showNewPassword, submitNewPassword } from "./accounts/security/new-password.endpoint.ts"
import { leaveProof, submitProof } from "./accounts/security/reauthenticate.endpoint.ts"
import { showRecoveryCodes, submitRecoveryCodes } from "./accounts/security/recovery-codes.endpoint.ts"
import { showSecurity } from "./accounts/security/security.endpoint.ts"
import { showTotp, submitTotp } from "./accounts/security/totp.endpoint.ts"
import { showRecover, submitRecover } from "./accounts/recovery/recovery.endpoint.ts"
import { showSetUp, submitSetUp } from "./accounts/set-up/set-up.endpoint.ts"
import { showSignInPage, submitSignIn } from "./accounts/sign-in/sign-in.endpoint.ts"
import { submitSignOut } from "./accounts/security/sign-out.endpoint.ts"
import { returnFromProvider } from "./accounts/providers/callback.endpoint.ts"
import {
  submitConnect,
  submitDisconnect,
  submitProveWith,
} from "./accounts/providers/connections.endpoint.ts"
import { submitChooseName } from "./accounts/providers/choose-name.endpoint.ts"
import { leaveSignInWith, submitSignInWith } from "./accounts/providers/sign-in-with.endpoint.ts"
import { token } from "./oauth/token/token.endpoint.ts"
import type { Route } from "./platform/http/route.ts"
import { isFromAccount } from "./admin/api/sender.ts"
import { REGISTRATION_PATH } from "./model/refusals/endpoints.rules.ts"

/** The maximum size of a form with an image. */
const ICON_FORM_BYTES = ICON_BYTES_AT_MOST + BODY_BYTES_AT_MOST

type Methods = Pick<Route, "get" | "post" | "put" | "patch" | "delete" | "bodyBytes">

const page = (path: string, methods: Methods): Route => ({
  path,
  family: "page",
  hasCors: false,
  isRateLimited: false,
  ...methods,
})
const formOrPage = ({
  path,
  takesPicture,
  ...methods
}: Methods & { readonly path: string; readonly takesPicture?: boolean }): Route =>
  page(path, { ...methods, ...(takesPicture && { bodyBytes: ICON_FORM_BYTES }) })
const open = (path: string, methods: Methods): Route => ({
  ...page(path, methods),
  family: "oauth",
  hasCors: true,
})
const counted = (path: string, methods: Methods): Route => ({ ...open(path, methods), isRateLimited: true })
const api = (path: string, methods: Methods): Route => ({ ...open(path, methods), family: "api" })

/**
 * Returns all routes. `basePath` is the path of the base URL. The discovery documents are also served at their path
 * with `basePath` appended. RFC 8414 §3.
 */
export function routes(basePath: string): readonly Route[] {
  const discovery = (path: string, get: Endpoint) => [
    open(path, { get }),
    ...(basePath === "" ? [] : [open(path + basePath, { get })]),
  ]
  const all: readonly Route[] = [
    ...discovery("/.well-known/oauth-authorization-server", authorizationServer),
    ...discovery("/.well-known/oauth-protected-resource", protectedResource),

    page("/oauth/authorize", { get: authorize }),
    page("/oauth/consent", { post: consent }),
    page("/oauth/device", { get: devicePage(showStepUp) }),
    counted("/oauth/device-authorization", { post: deviceAuthorization }),
    counted("/oauth/token", { post: token }),
    counted("/oauth/revoke", { post: revoke }),
    counted("/oauth/step-up", { post: stepUp }),
    // Only pages of this service show icons, so no other origin needs them.
    { ...counted("/oauth/apps/:client_id/icon", { get: appIcon }), hasCors: false },
    open("/oauth/introspect", { post: introspect }),
    open("/oauth/introspect/stream", { get: introspectStream }),
    {
      ...counted(REGISTRATION_PATH, { post: register }),
      isEnabled: ({ openRegistration }) => openRegistration,
    },

    ...apiRoutes().map(({ path, ...methods }) => api(path, methods)),

    page("/", { get: home }),
    page("/setup", { get: showSetUp, post: submitSetUp }),
    page("/sign-in", { get: showSignInPage, post: submitSignIn }),
    page("/sign-in/code", { get: leaveSecondStep, post: submitSecondStep }),
    page("/sign-in/passkey", { get: leaveSecondStep, post: submitPasskeySignIn }),
    page("/sign-in/with/:name", { get: leaveSignInWith, post: submitSignInWith }),
    page("/sign-in/with/:name/callback", { get: returnFromProvider }),
    page("/sign-in/with/:name/username", { get: leaveSignInWith, post: submitChooseName }),
    page("/sign-out", { post: submitSignOut }),
    page("/account", { get: accountPage }),
    page("/account/end-access", { get: askEndAccess, post: endAccess }),
    page("/account/activity", { get: showActivity }),
    ...ownerPages.map(formOrPage),
    page("/account/email", { get: showEmail, post: submitEmail }),
    page("/recover", { get: showRecover, post: submitRecover }),
    page("/email/confirm", confirmPage),
    page("/email/restore", restorePage),
    page("/account/prove", { get: leaveProof, post: submitProof }),
    page("/account/prove/with", { get: leaveProof, post: submitProveWith }),
    page("/account/security/connect", { get: leaveProof, post: submitConnect }),
    page("/account/security/disconnect", { get: leaveProof, post: submitDisconnect }),
    page("/account/security", { get: showSecurity }),
    page("/account/security/browsers", { get: showBrowsers, post: submitBrowsers }),
    page("/account/security/factor", { get: showFactor }),
    page("/account/security/rename", { get: leaveProof, post: renameFactorForm }),
    page("/account/security/remove", { get: leaveProof, post: removeFactorForm }),
    page("/account/security/totp", { get: showTotp, post: submitTotp }),
    page("/account/security/passkey", { get: showNewPasskey, post: submitNewPasskey }),
    page("/account/security/recovery", { get: showRecoveryCodes, post: submitRecoveryCodes }),
    page("/account/security/password", { get: showNewPassword, post: submitNewPassword }),
    ...consoleRoutes.map(formOrPage),
    page("/console/*", { get: consoleNotFound, post: consoleNotFound }),
    page("/assets/passkey.js", { get: passkeyScriptFile }),
    page("/favicon.svg", { get: favicon }),

    { ...page("/health", { get: health }), family: "oauth" },
  ]
  return all.map((route) =>
    route.bodyBytes === undefined ? route : { ...route, isKnownSender: isFromAccount },
  )
}
