/** Every route of the service. */
import { BODY_BYTES_AT_MOST, ICON_BYTES_AT_MOST } from "./kernel/limits.ts"
import { passkeyScriptFile } from "./accounts/factors/assets.endpoint.ts"
import { signInPage, submitSignIn } from "./accounts/sign-in/sign-in.endpoint.ts"
import { isFromAccount } from "./admin/api/sender.ts"
import { END_SESSION_PATH, REGISTRATION_PATH } from "./model/refusals/endpoints.rules.ts"
import { authorize } from "./oauth/authorize/authorize.endpoint.ts"
import { consent } from "./oauth/consent/consent.endpoint.ts"
import { introspectStream } from "./oauth/credential/introspect-stream.endpoint.ts"
import { introspect } from "./oauth/credential/introspect.endpoint.ts"
import { revoke } from "./oauth/credential/revoke.endpoint.ts"
import { authorizationServer, protectedResource } from "./oauth/discovery/metadata.endpoint.ts"
import { deviceAuthorization } from "./oauth/device/device-authorization.endpoint.ts"
import { stepUp } from "./oauth/step-up/step-up.endpoint.ts"
import { token } from "./oauth/token/token.endpoint.ts"
import type { Endpoint } from "./platform/http/endpoint.ts"
import type { Settings } from "./model/setting.rules.ts"
import { favicon } from "./platform/http/endpoints/favicon.endpoint.ts"
import { health } from "./platform/http/endpoints/health.endpoint.ts"
import { home } from "./platform/http/endpoints/home.endpoint.ts"
import { lazyModule, loadOnce } from "./platform/http/lazy-module.ts"
import type { LazyRoutes, Route } from "./platform/http/route.ts"

// What apps and resource servers call is imported above, and so is the sign-in. The first request to another endpoint
// loads its module, so that the start is fast.
const activity = lazyModule(() => import("./accounts/activity/activity.endpoint.ts"))
const email = lazyModule(() => import("./accounts/email/email.endpoint.ts"))
const signInWith = lazyModule(() => import("./accounts/providers/sign-in-with.endpoint.ts"))
const leaveForOnly = loadOnce(
  async () => (await import("./accounts/providers/sign-in-with.endpoint.ts")).leaveForOnly,
)
const providerCallback = lazyModule(() => import("./oauth/step-up/provider-proof.ts"))
const chooseName = lazyModule(() => import("./accounts/providers/choose-name.endpoint.ts"))
const connections = lazyModule(() => import("./accounts/providers/connections.endpoint.ts"))
const invitation = lazyModule(() => import("./accounts/invitations/invitation.endpoint.ts"))
const invitedWith = lazyModule(() => import("./accounts/providers/invited.endpoint.ts"))
const recovery = lazyModule(() => import("./accounts/recovery/recovery.endpoint.ts"))
const browsers = lazyModule(() => import("./accounts/security/browsers.endpoint.ts"))
const factor = lazyModule(() => import("./accounts/security/factor.endpoint.ts"))
const newPasskey = lazyModule(() => import("./accounts/security/new-passkey.endpoint.ts"))
const newPassword = lazyModule(() => import("./accounts/security/new-password.endpoint.ts"))
const reauthenticate = lazyModule(() => import("./accounts/security/reauthenticate.endpoint.ts"))
const recoveryCodes = lazyModule(() => import("./accounts/security/recovery-codes.endpoint.ts"))
const security = lazyModule(() => import("./accounts/security/security.endpoint.ts"))
const signOut = lazyModule(() => import("./accounts/security/sign-out.endpoint.ts"))
const language = lazyModule(() => import("./accounts/language/language.endpoint.ts"))
const totp = lazyModule(() => import("./accounts/security/totp.endpoint.ts"))
const setUp = lazyModule(() => import("./accounts/set-up/set-up.endpoint.ts"))
const secondStep = lazyModule(() => import("./accounts/sign-in/second-step.endpoint.ts"))
const icon = lazyModule(() => import("./apps/icon/icon.endpoint.ts"))
const logo = lazyModule(() => import("./platform/http/endpoints/logo.endpoint.ts"))
const endAccess = lazyModule(() => import("./apps/installations/end-access.endpoint.ts"))
const installations = lazyModule(() => import("./apps/installations/installations.endpoint.ts"))
const blocked = lazyModule(() => import("./apps/installations/blocked.endpoint.ts"))
const remembered = lazyModule(() => import("./apps/installations/remembered.endpoint.ts"))
const registration = lazyModule(() => import("./apps/registration/register.endpoint.ts"))
const userinfo = lazyModule(() => import("./oauth/openid/userinfo.endpoint.ts"))
const endSession = lazyModule(() => import("./oauth/end-session/end-session.endpoint.ts"))
const authorizeByForm = lazyModule(() => import("./oauth/authorize/authorize-by-form.endpoint.ts"))
const configuration = lazyModule(() => import("./oauth/discovery/openid-configuration.endpoint.ts"))
const webfinger = lazyModule(() => import("./oauth/discovery/webfinger.endpoint.ts"))
const jwks = lazyModule(() => import("./oauth/keys/jwks.endpoint.ts"))
const device = lazyModule(async () => {
  const { devicePage } = await import("./oauth/device/device.endpoint.ts")
  const { showStepUp } = await import("./oauth/step-up/step-up-pages.ts")
  return { devicePage: devicePage(showStepUp) }
})

const hasOpenid = ({ openid }: Settings) => openid

/** The maximum size of a form with an image. */
const ICON_FORM_BYTES = ICON_BYTES_AT_MOST + BODY_BYTES_AT_MOST

type Methods = Pick<Route, "get" | "post" | "put" | "patch" | "delete" | "bodyBytes" | "hasSecretUrl">

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
 * Returns all routes except `lazyRoutes`. `basePath` is the path of the base URL. The discovery documents are also served at their path
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

    {
      ...page("/oauth/authorize", { get: authorize, post: authorizeByForm("authorizeByForm") }),
      isPostEnabled: hasOpenid,
    },
    page("/oauth/consent", { post: consent }),
    page("/oauth/device", { get: device("devicePage") }),
    counted("/oauth/device-authorization", { post: deviceAuthorization }),
    counted("/oauth/token", { post: token }),
    counted("/oauth/revoke", { post: revoke }),
    counted("/oauth/step-up", { post: stepUp }),
    // Only pages of this service show icons, so no other origin needs them.
    { ...counted("/oauth/apps/:client_id/icon", { get: icon("appIcon") }), hasCors: false },
    { ...counted("/appearance/logo", { get: logo("logo") }), hasCors: false },
    { ...counted("/appearance/logo-dark", { get: logo("logoDark") }), hasCors: false },
    {
      ...open("/oauth/userinfo", { get: userinfo("userinfo"), post: userinfo("userinfo") }),
      isEnabled: hasOpenid,
    },
    {
      ...page(END_SESSION_PATH, { get: endSession("endSession"), post: endSession("submitEndSession") }),
      isEnabled: hasOpenid,
    },
    {
      ...open("/oauth/jwks", { get: jwks("jwks") }),
      isEnabled: ({ openid }, { resources }) => openid || resources.algorithms.size > 0,
    },
    { ...open("/.well-known/webfinger", { get: webfinger("webfinger") }), isEnabled: hasOpenid },
    ...discovery("/.well-known/openid-configuration", configuration("configuration")).map((route) => ({
      ...route,
      isEnabled: hasOpenid,
    })),
    open("/oauth/introspect", { post: introspect }),
    open("/oauth/introspect/stream", { get: introspectStream }),
    {
      ...counted(REGISTRATION_PATH, { post: registration("register") }),
      isEnabled: ({ openRegistration }) => openRegistration,
    },

    page("/", { get: home }),
    page("/setup", { get: setUp("showSetUp"), post: setUp("submitSetUp"), hasSecretUrl: true }),
    page("/sign-in", { get: signInPage(async (...of) => (await leaveForOnly())(...of)), post: submitSignIn }),
    page("/sign-in/code", { get: secondStep("leaveSecondStep"), post: secondStep("submitSecondStep") }),
    page("/sign-in/passkey", { get: secondStep("leaveSecondStep"), post: secondStep("submitPasskeySignIn") }),
    page("/sign-in/with/:name", { get: signInWith("leaveSignInWith"), post: signInWith("submitSignInWith") }),
    page("/sign-in/with/:name/callback", { get: providerCallback("returnWithProof"), hasSecretUrl: true }),
    page("/sign-in/with/:name/username", {
      get: signInWith("leaveSignInWith"),
      post: chooseName("submitChooseName"),
    }),
    page("/language", { get: language("showLanguage"), post: language("submitLanguage") }),
    page("/sign-out", { post: signOut("submitSignOut") }),
    page("/account", { get: installations("accountPage") }),
    page("/account/end-access", { get: endAccess("askEndAccess"), post: endAccess("endAccess") }),
    { ...page("/account/ask-again", { post: remembered("askAgain") }), isEnabled: hasOpenid },
    page("/account/allow-again", { post: blocked("allowAgain") }),
    page("/account/activity", { get: activity("showActivity") }),
    page("/account/email", { get: email("showEmail"), post: email("submitEmail") }),
    page("/invitation", {
      get: invitation("showInvitation"),
      post: invitation("submitInvitation"),
      hasSecretUrl: true,
    }),
    page("/invitation/with", { post: invitedWith("submitInvitedWith") }),
    page("/recover", { get: recovery("showRecover"), post: recovery("submitRecover"), hasSecretUrl: true }),
    page("/email/confirm", { get: email("showConfirm"), post: email("submitConfirm"), hasSecretUrl: true }),
    page("/email/restore", { get: email("showRestore"), post: email("submitRestore"), hasSecretUrl: true }),
    page("/account/prove", { get: reauthenticate("leaveProof"), post: reauthenticate("submitProof") }),
    page("/account/prove/with", { get: reauthenticate("leaveProof"), post: connections("submitProveWith") }),
    page("/account/security/connect", {
      get: reauthenticate("leaveProof"),
      post: connections("submitConnect"),
    }),
    page("/account/security/disconnect", {
      get: reauthenticate("leaveProof"),
      post: connections("submitDisconnect"),
    }),
    page("/account/security", { get: security("showSecurity") }),
    page("/account/security/browsers", { get: browsers("showBrowsers"), post: browsers("submitBrowsers") }),
    page("/account/security/factor", { get: factor("showFactor") }),
    page("/account/security/rename", { get: reauthenticate("leaveProof"), post: factor("renameFactorForm") }),
    page("/account/security/remove", { get: reauthenticate("leaveProof"), post: factor("removeFactorForm") }),
    page("/account/security/totp", { get: totp("showTotp"), post: totp("submitTotp") }),
    page("/account/security/passkey", {
      get: newPasskey("showNewPasskey"),
      post: newPasskey("submitNewPasskey"),
    }),
    page("/account/security/recovery", {
      get: recoveryCodes("showRecoveryCodes"),
      post: recoveryCodes("submitRecoveryCodes"),
    }),
    page("/account/security/password", {
      get: newPassword("showNewPassword"),
      post: newPassword("submitNewPassword"),
    }),
    page("/assets/passkey.js", { get: passkeyScriptFile }),
    page("/favicon.svg", { get: favicon }),

    { ...page("/health", { get: health }), family: "oauth" },
  ]
  return all.map(withKnownSender)
}

/** The routes whose tables are loaded with the first request to one of them. */
export const lazyRoutes: readonly LazyRoutes[] = [
  {
    below: "/api",
    load: async () => {
      const { apiRoutes } = await import("./admin/operations.ts")
      return apiRoutes().map(({ path, ...methods }) => withKnownSender(api(path, methods)))
    },
  },
  {
    below: "/console",
    load: async () => {
      const { consoleNotFound, consoleRoutes } = await import("./admin/pages.ts")
      return [...consoleRoutes, consoleNotFound].map((row) => withKnownSender(formOrPage(row)))
    },
  },
  {
    below: "/account/apps",
    load: async () => {
      const { ownerPages } = await import("./apps/pages/owner-pages.ts")
      return ownerPages.map((row) => withKnownSender(formOrPage(row)))
    },
  },
]

/** Only a known sender may send a body above the usual size. */
function withKnownSender(route: Route): Route {
  return route.bodyBytes === undefined ? route : { ...route, isKnownSender: isFromAccount }
}
