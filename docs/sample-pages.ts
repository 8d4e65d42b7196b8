/** The pages that `screenshots.ts` takes pictures of. Each has ordinary input and malicious input. */
import { Languages } from "../src/platform/languages/languages.ts"
import { samplePage } from "../test/support/page-input.ts"
import { defaultSwitches } from "../src/model/clients/app-switches.rules.ts"
import { defaultOpenid } from "../src/model/clients/openid-members.rules.ts"
import { renderDevice } from "../src/oauth/device/device.view.ts"
import { renderEndSession } from "../src/oauth/end-session/end-session.view.ts"
import { renderDeviceConfirm } from "../src/oauth/device/device-confirm.view.ts"
import { renderDeviceDone } from "../src/oauth/device/device-done.view.ts"
import { renderStepUp } from "../src/oauth/step-up/step-up.view.ts"
import type { EventKind } from "../src/model/event.rules.ts"
import { renderActivity } from "../src/accounts/activity/activity.view.ts"
import { renderBrowsers } from "../src/accounts/sessions/browsers.view.ts"
import { renderEndAccess } from "../src/apps/installations/end-access.view.ts"
import { renderAccount } from "../src/apps/installations/installations.view.ts"
import { type ConsentInput, renderConsent } from "../src/oauth/authorize/consent.view.ts"
import { renderError } from "../src/platform/ui/error.ts"
import { renderFactor } from "../src/accounts/security/factor.view.ts"
import { renderNewPasskey } from "../src/accounts/security/new-passkey.view.ts"
import { renderNewPassword } from "../src/accounts/security/new-password.view.ts"
import { renderApp } from "../src/apps/pages/app.view.ts"
import { ownersLosses, renderAppForm, renderAppPreview } from "../src/apps/pages/form.view.ts"
import { renderIcon } from "../src/apps/pages/icon.view.ts"
import { renderOwnApps } from "../src/apps/pages/list.view.ts"
import { ownerFrame } from "../src/apps/pages/owner-frame.ts"
import { renderQuestion } from "../src/apps/pages/question.view.ts"
import { renderSecret } from "../src/apps/pages/secret.view.ts"
import type { PermissionView } from "../src/platform/ui/permission-list.ts"
import { renderProve } from "../src/accounts/guards/reauthenticate.view.ts"
import { renderAskRecovery, renderRecoveryCodes } from "../src/accounts/security/recovery-codes.view.ts"
import { renderSecondStep } from "../src/accounts/sign-in/second-step.view.ts"
import { renderSecurity } from "../src/accounts/security/security.view.ts"
import { renderSetup, renderSetupGone } from "../src/accounts/set-up/set-up.view.ts"
import { mailPages } from "./sample-mail-pages.ts"
import { providerPages } from "./sample-provider-pages.ts"
import { renderSignIn } from "../src/accounts/factors/sign-in.view.ts"
import { renderStartAgain } from "../src/accounts/guards/start-again.view.ts"
import { renderSignedOut } from "../src/accounts/sessions/signed-out.view.ts"
import { renderTotp } from "../src/accounts/security/totp.view.ts"
import { qrModules } from "../src/accounts/factors/qr.ts"
import { consolePages } from "./sample-console.ts"

const page = samplePage()
const csrf = "csrf"

function permission(
  name: string,
  title: string,
  description: string,
  group: string,
  implied = false,
): PermissionView {
  return { name, title, description, group, implied, admin: name.startsWith("admin:") }
}

const files = [
  permission("files:read", "See your files", "Open and download anything you keep here.", "Files", true),
  permission("files:write", "Change your files", "Add, edit and delete files and folders.", "Files"),
]
const account = permission(
  "account:read",
  "See your account",
  "Your username and when you joined.",
  "Account",
)
const administration = [
  permission("admin:accounts", "Manage all accounts", "Make, disable and remove accounts.", "Administration"),
  permission("admin:settings", "Change the settings", "Change how this service behaves.", "Administration"),
]
const many = Array.from({ length: 40 }, (_, at) =>
  permission(
    `area${at % 5}:power${at}`,
    `Use power number ${at + 1}`,
    at % 3 === 0 ? "" : "One sentence that says in plain words what this lets the app do on your behalf.",
    ["Calendar", "Contacts", "Files", "Messages", "Photos"][at % 5] ?? "",
    at % 4 === 3,
  ),
).toSorted((a, b) => a.group.localeCompare(b.group))

const notebook = { clientId: "01k2notebooks", name: "Notebook Sync", verified: false, iconUrl: null }

const consent: ConsentInput = {
  ...page,
  csrf,
  continueTo: "continuation",
  ticket: "ticket",
  app: { ...notebook, registeredBy: "administrator", ownerName: null },
  username: "ada",
  installationName: "Ada’s laptop",
  granted: [...files, account],
  refusedToAccount: [],
  origin: { from: "browser", returnsTo: { kind: "web", host: "notebook.example.com" } },
  lastsSeconds: 365 * 86_400,
}

/** A logo that an operator could have. */
export const sampleLogo = `<svg xmlns="http://www.w3.org/2000/svg" width="150" height="40"><g fill="#7c2d92"><circle cx="13" cy="24" r="11"/><circle cx="27" cy="24" r="11"/><path d="M20 13q0-10 11-11q0 10-11 11"/></g><text x="48" y="30" font-family="Liberation Sans, Arial, sans-serif" font-size="26" font-weight="700" fill="#2b1233">Obsthof</text></svg>`

/** The page of a service with its own look, in German. */
const branded: ConsentInput = {
  ...consent,
  texts: new Languages().textsOf("de"),
  look: {
    ...{ name: "Obsthof", color: "#7c2d92", logo: "logo", logoDark: "logo" },
    ...{
      support: "mailto:hilfe@obsthof.example",
      terms: null,
      privacy: "https://obsthof.example/datenschutz",
    },
  },
  self: "/",
  app: { ...consent.app, name: "Erntekalender" },
  installationName: null,
  granted: [
    permission("harvest:read", "Ihre Ernte ansehen", "Sorten, Mengen und Termine.", "Hof", true),
    permission("harvest:write", "Ihre Ernte ändern", "Einträge anlegen, ändern und löschen.", "Hof"),
    permission("account:read", "Ihr Konto ansehen", "Ihr Benutzername und wie Sie sich anmelden.", "Konto"),
  ],
  origin: { from: "browser", returnsTo: { kind: "web", host: "erntekalender.example" } },
}

const hostileName = `\u202eevil <script>alert(1)</script> "Notebook" & sons${"AAAAAAAAAAAAAAAAAAAAAAAAAAAA".repeat(4)}`
const zalgo = `Z${"\u0301\u0316\u034f\u0488".repeat(20)}algo`

const consentPages = {
  consent: renderConsent(consent),
  "consent-admin": renderConsent({
    ...consent,
    app: {
      ...consent.app,
      clientId: "01k2console",
      name: "Fleet Console",
      registeredBy: "user",
      ownerName: "grace",
    },
    granted: [account, ...administration],
    origin: { from: "browser", returnsTo: { kind: "loopback", host: "127.0.0.1:51034" } },
  }),
  "consent-refused-part": renderConsent({
    ...consent,
    app: { ...consent.app, clientId: "cursor", name: "Cursor", registeredBy: "itself" },
    notice: { isLocal: true, changed: [] },
    installationName: null,
    refusedToAccount: administration,
    origin: { from: "browser", returnsTo: { kind: "private", host: "cursor" } },
  }),
  "consent-document": renderConsent({
    ...consent,
    app: {
      ...consent.app,
      clientId: "https://claude.ai/oauth/claude-code-client-metadata",
      name: "Claude Code",
      registeredBy: "document",
    },
    notice: { isLocal: true, changed: ["redirect_uris"] },
    origin: { from: "browser", returnsTo: { kind: "loopback", host: "127.0.0.1:51204" } },
  }),
  "consent-nothing": renderConsent({ ...consent, granted: [], refusedToAccount: administration }),
  "consent-groups-part": renderConsent({
    ...consent,
    refusedByGroups: [permission("crew:rota", "See the rota", "Who works when.", "Crew")],
    refusedToAccount: administration,
  }),
  "consent-groups-nothing": renderConsent({
    ...consent,
    granted: [],
    refusedByGroups: [permission("crew:rota", "See the rota", "Who works when.", "Crew")],
  }),
  "consent-for-others": renderConsent({ ...consent, granted: [], isForAccount: false }),
  "consent-many": renderConsent({ ...consent, granted: [...many, ...administration] }),
  "consent-icon": renderConsent({
    ...consent,
    app: { ...consent.app, verified: true, iconUrl: "/oauth/apps/01k2notebook/icon" },
  }),
  "consent-brand": renderConsent(branded),
  "consent-hostile": renderConsent({
    ...consent,
    app: { ...consent.app, name: hostileName, registeredBy: "user", ownerName: zalgo },
    username: "x".repeat(64),
    installationName: `${zalgo} \u202e${"long label ".repeat(12)}`,
    granted: [{ ...account, title: "<b>bold</b>".repeat(12), description: "d".repeat(300) }],
    origin: {
      from: "browser",
      returnsTo: { kind: "web", host: `${"very-long-label.".repeat(12)}example.com` },
    },
  }),
  "consent-rtl": renderConsent({
    ...consent,
    app: { ...consent.app, clientId: "rtl", name: "דפדפן הקבצים" },
    installationName: "מחשב נייד",
  }),
  "consent-emoji": renderConsent({
    ...consent,
    app: { ...consent.app, clientId: "emoji", name: "👩‍👩‍👧‍👦 Family", registeredBy: "itself" },
  }),
  "consent-nameless": renderConsent({
    ...consent,
    app: { ...consent.app, clientId: "none", name: "\u200b\u3164" },
  }),
}

const setup = {
  ...page,
  csrf,
  link: "link",
  username: "",
  service: "",
  problems: [],
}
const passkey = { options: "{}", challenge: "sealed", script: "/assets/passkey.js?v=1" }
const signIn = {
  ...page,
  csrf,
  continueTo: "sealed",
  app: null,
  isServiceEmpty: false,
  providers: [],
  username: "",
  passkey,
  problem: null,
}

const march = 1_773_300_000
const now = march + 5 * 86_400
const person = { ...page, csrf, username: "ada", admin: false }
const known = { ...notebook, registeredBy: "administrator" as const, ownerName: null, enabled: true }
const held = {
  tokenId: "01token",
  installationName: "Ada’s laptop",
  permissions: [...files, account],
  consentedAt: march,
  usedAt: now - 3 * 3600,
  usedFrom: "203.0.113.7",
  elsewhere: null,
  endsAt: march + 365 * 86_400,
  isIdleEnd: false,
}
const accountPage = {
  ...person,
  now,
  groups: [],
  installations: 0,
  isOfOneApp: false,
  older: null,
  isLater: false,
  done: null,
}
const fewApps = [
  {
    app: known,
    installations: 2,
    access: [
      held,
      {
        ...held,
        installationName: "Ada’s phone",
        usedFrom: "2001:db8:4f1a:c9::1c2e",
        consentedAt: march - 60 * 86_400,
        usedAt: now - 40 * 86_400,
        elsewhere: { at: now - 9 * 86_400, from: "203.0.113.7", firstFrom: "2001:db8:4f1a:c9::1c2e" },
        endsAt: now + 50 * 86_400,
        isIdleEnd: true,
      },
    ],
  },
  {
    app: {
      ...known,
      clientId: "01k2console",
      name: "Fleet Console",
      verified: true,
      iconUrl: "/oauth/apps/f/icon",
    },
    installations: 1,
    access: [{ ...held, installationName: null, permissions: [account, ...administration], usedFrom: null }],
  },
]
const accountPages = {
  "account-few": renderAccount({ ...accountPage, installations: 3, groups: fewApps }),
  account: renderAccount({
    ...accountPage,
    admin: true,
    installations: 20,
    done: "ended",
    groups: [
      ...fewApps,
      {
        app: { ...known, clientId: "x", name: hostileName, registeredBy: "user", ownerName: zalgo },
        installations: 15,
        access: [{ ...held, installationName: zalgo, permissions: many }],
      },
      {
        app: { ...known, clientId: "cursor", name: "Cursor", registeredBy: "itself", enabled: false },
        installations: 2,
        access: [
          { ...held, permissions: [] },
          { ...held, tokenId: "02token", permissions: [], consentedAt: march + 61, usedFrom: null },
        ],
      },
    ],
    older: "?after=01token",
    remembered: [
      { app: known, endsAt: march },
      { app: { ...known, clientId: "x", name: hostileName }, endsAt: march },
    ],
  }),
  "account-empty": renderAccount({ ...accountPage, username: "grace", done: "all-ended" }),
  "end-access": renderEndAccess({ ...person, now, ended: { of: "installation", app: known, access: held } }),
  "end-access-app": renderEndAccess({ ...person, now, ended: { of: "app", app: known, installations: 12 } }),
  "end-access-all": renderEndAccess({
    ...person,
    now,
    ended: { of: "everything", installations: 19, apps: 4 },
  }),
  browsers: renderBrowsers({
    ...person,
    now,
    browsers: [
      "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
      "curl/8.14.1",
    ].map((userAgent, at) => ({
      reference: `browser ${at}`,
      isThisOne: at === 0,
      userAgent,
      address: ["203.0.113.7", "2001:db8:4f1a:c9::1c2e", "198.51.100.20"][at] ?? "",
      since: march,
      seenAt: now - at * 90_000,
    })),
    more: 0,
  }),
}

const event = (hoursAgo: number, kind: EventKind, more: object = {}) => ({
  what: "event" as const,
  at: now - hoursAgo * 3600,
  kind,
  appName: "Notebook Sync",
  detail: null,
  installationName: null,
  isByAdministrator: false,
  address: "203.0.113.7",
  ...more,
})
const activityPages = {
  activity: renderActivity({
    ...person,
    rows: [
      event(1, "signed-in", { detail: "passkey" }),
      event(2, "refresh-token-reused"),
      {
        what: "ended",
        at: now - 3 * 3600,
        because: "idle",
        appName: "Cursor",
        installationName: "Ada’s phone",
      },
      {
        what: "ended",
        at: now - 4 * 3600,
        because: "app-removed",
        appName: null,
        installationName: "Ada’s desk",
      },
      event(20, "credential-revoked", { detail: "administrator", isByAdministrator: true, address: null }),
      { what: "used-app", at: now - 22 * 3600, kind: "app-changed", appName: "Notebook Sync" },
      event(30, "sign-in-refused", { address: "2001:db8:4f1a:c9::1c2e" }),
      event(31, "factor-added", { detail: `passkey: ${hostileName}` }),
      event(32, "consented", { appName: hostileName }),
      event(33, "code-exchanged", { installationName: "Ada’s laptop" }),
      event(50, "account-disabled", { isByAdministrator: true, address: null }),
      event(51, "app-removed", { appName: null, detail: "Paperclip" }),
    ],
    isAnyAppGone: true,
    older: "?after=7&before=1",
    isLater: false,
  }),
  "activity-none": renderActivity({
    ...person,
    rows: [],
    isAnyAppGone: false,
    older: null,
    isLater: false,
  }),
}

const ownAppView = { ...notebook, clientId: "01k2c6gz7w3v9xq2m8t4n0r1be" }
const offered = Array.from(
  Map.groupBy(many.slice(0, 6), ({ group }) => group),
  ([group, permissions]) => ({
    group,
    permissions: permissions.map(({ name, title, description }) => ({
      name,
      title,
      description,
      implies: name === "area0:power0" ? ["Use power number 6"] : [],
    })),
  }),
)
const typed = {
  type: null,
  name: "",
  redirectUris: [],
  permissions: [],
  groups: [],
  ...defaultSwitches,
  ...defaultOpenid,
  jwks: "",
  jwksUri: "",
  workload: { issuer: "", audience: "", subject: "" },
  owner: "",
  serviceAccount: "",
}
const mine = ownerFrame(person)
const ownAppForm = { ...mine, of: { ticket: "ticket" }, typed, offered, problems: [], problem: null }
const connection = {
  issuer: "https://id.example.org",
  metadata: "https://id.example.org/.well-known/oauth-authorization-server",
}
const about = { ...mine, clientId: ownAppView.clientId, name: ownAppView.name }
const ownClient = {
  type: "confidential" as const,
  enabled: true,
  disabledByOwner: false,
  binding: null,
  ...defaultSwitches,
  ...defaultOpenid,
  stepUp: true,
  issuedAt: march,
  redirectUris: ["https://notebook.example.com/callback", "http://127.0.0.1/callback"],
}
const ownApp = {
  ...mine,
  app: ownAppView,
  client: ownClient,
  permissions: files,
  usedBy: { installations: 52, accounts: 37, isWhole: true },
  health: { issued: 61, refreshes: 12_345, replays: 402, reuses: 2, codeReplays: 0, errorCount: 31 },
  refusals: [
    {
      at: march + 100,
      reason: "redirectUriUnregistered" as const,
      parameter: null,
      requestId: "9f1c0d2e3b4a5968",
    },
    {
      at: march + 60,
      reason: "parameterMissing" as const,
      parameter: "code_verifier",
      requestId: "0123456789abcdef",
    },
    { at: march, reason: "refreshTokenReused" as const, parameter: null, requestId: "x".repeat(64) },
  ],
  findings: [
    {
      finding: "sends-refresh-tokens-twice" as const,
      weight: 1 as const,
      sentence: "3.2% of all refreshes were sent twice.",
      advice: "Keep one refresh under way at a time, and let the others wait for its answer.",
    },
  ],
  days: 30,
  connection,
  keys: null,
  problem: null,
  administration: null,
}
const ownAppPages = {
  "own-apps": renderOwnApps({
    ...mine,
    admin: false,
    apps: [
      { app: ownAppView, type: "confidential", enabled: true, registeredAt: march },
      {
        app: { ...notebook, clientId: "x", name: hostileName },
        type: "public",
        enabled: false,
        registeredAt: march,
      },
    ],
    older: "?after=x",
  }),
  "own-apps-none": renderOwnApps({ ...mine, admin: true, apps: [], older: null }),
  "own-app": renderApp(ownApp),
  "own-app-first": renderApp({
    ...ownApp,
    ...ownerFrame(person, "registered"),
    client: { ...ownClient, type: "public" },
    usedBy: { installations: 0, accounts: 0, isWhole: true },
    findings: [],
    refusals: [],
  }),
  "own-app-disabled": renderApp({
    ...ownApp,
    app: { ...ownAppView, name: hostileName },
    client: {
      ...ownClient,
      enabled: false,
      redirectUris: [`https://${"very-long-label.".repeat(12)}example.com/callback`],
    },
    usedBy: { installations: 0, accounts: 0, isWhole: true },
    findings: [],
    problem: "An administrator disabled this app.",
  }),
  "own-app-new": renderAppForm(ownAppForm),
  "own-app-edit": renderAppForm({
    ...ownAppForm,
    of: { clientId: ownAppView.clientId, name: ownAppView.name },
    typed: {
      ...typed,
      type: "public",
      name: "Notebook",
      redirectUris: ["https://a.example/#x"],
      permissions: ["area0:power0"],
    },
    problems: [
      {
        field: "redirect_uris",
        message:
          "Line 1: The address has a fragment (#), even if it is empty.\nLine 3: The address has no host.",
      },
      { field: "name", message: "The name of an app is empty." },
    ],
  }),
  "own-app-secret-ask": renderQuestion({ ...about, action: "secret", use: null, ticket: "ticket" }),
  "own-app-secret": renderSecret({
    ...about,
    secret: "lks_Zx3Vw0q7mB4tYc1nR8sKd5fGh2jLp9aEu6iOoT3xQvW1bNaM",
    isNewApp: true,
    connection,
  }),
  "own-app-secret-again": renderSecret({ ...about, secret: null, isNewApp: false, connection }),
  "own-app-preview": renderAppPreview({
    ...about,
    effects: ownersLosses(
      page.texts,
      [
        { title: "See your files", accounts: 37 },
        { title: "Change your files", accounts: 0 },
      ],
      3,
    ),
    typed: { ...typed, name: "Notebook Sync" },
    confirmed: "digest",
    changesPermissions: true,
  }),
  "own-app-disable": renderQuestion({
    ...about,
    action: "disable",
    use: "No account uses it now.",
    ticket: null,
  }),
  "own-app-remove": renderQuestion({
    ...about,
    action: "remove",
    use: "It is used by about 35 accounts.",
    ticket: null,
  }),
  "own-app-icon": renderIcon({ ...about, verified: false, icon: null, problem: null }),
  "own-app-icon-stored": renderIcon({
    ...about,
    verified: true,
    icon: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    problem: "That file is not a picture.",
  }),
}

const phone = {
  factorId: "01k2phone",
  kind: "totp" as const,
  name: "My phone",
  addedAt: march,
  usedAt: march + 5 * 86_400,
}
const key = {
  ...phone,
  factorId: "01k2key",
  kind: "passkey" as const,
  name: "Blue security key",
  usedAt: null,
}
const accepts = { totp: true, recovery: true, password: false }
const proof = { accepts, passkey: null, problem: null }
const secondStep = { ...page, csrf, ticket: "ticket", continueTo: null, proof }
const uri =
  "otpauth://totp/Latchkey%20(id.example.org):ada?issuer=Latchkey%20(id.example.org)&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30"
const totp = {
  ...person,
  ticket: "ticket",
  secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  uri,
  qr: qrModules(uri),
  name: "",
  problem: null,
}
const security = {
  ...person,
  browsers: 3,
  factors: [phone, key],
  recovery: { left: 8, madeAt: march },
  offersPasskeys: true,
  hasPassword: true,
  connections: { connections: [], providers: [] },
}

const origin = {
  from: "device",
  userCode: "WDJB-MJHT",
  address: "203.0.113.7",
  askedAt: 1_767_225_600,
  askedSecondsAgo: 95,
} as const
const stepUp = {
  ...page,
  csrf,
  ticket: "ticket",
  app: notebook,
  username: "ada",
  installationName: "Ada’s laptop",
  reason: "Delete the shared folder “Spring 2026” for all members",
  userCode: "WDJB-MJHT",
  address: "203.0.113.7",
  askedSecondsAgo: 20,
  windowSeconds: 900,
  proof: { ...proof, accepts: { totp: true, recovery: false, password: false } },
  providers: [],
}

const devicePages = {
  device: renderDevice({ ...page, csrf, username: "ada", typed: "", problem: null }),
  "device-none": renderDevice({
    ...page,
    csrf,
    username: "ada",
    typed: "BCDF-GHJX",
    problem: { problem: "none" },
  }),
  "device-wait": renderDevice({
    ...page,
    csrf,
    username: "ada",
    typed: "BCDF-GHJX",
    problem: { problem: "throttled", retryAfterSeconds: 300 },
  }),
  "device-consent": renderConsent({ ...consent, origin }),
  "device-consent-admin": renderConsent({
    ...consent,
    origin,
    granted: [...files, account, ...administration],
  }),
  "device-confirm": renderDeviceConfirm({
    ...page,
    csrf,
    appName: "Notebook Sync",
    username: "ada",
    userCode: "WDJB-MJHT",
    administration,
    ticket: "ticket",
  }),
  "device-approved": renderDeviceDone({ ...page, outcome: "approved" }),
  "device-elevated": renderDeviceDone({ ...page, outcome: "elevated" }),
  "device-denied": renderDeviceDone({ ...page, outcome: "denied" }),
  "end-session": renderEndSession({
    ...page,
    csrf,
    appName: "Notebook Sync",
    username: "ada",
    path: "/oauth/end-session",
  }),
  "end-session-unknown": renderEndSession({
    ...page,
    csrf,
    appName: null,
    username: "ada",
    path: "/oauth/end-session",
  }),
  "step-up": renderStepUp(stepUp),
  "step-up-password": renderStepUp({
    ...stepUp,
    reason: null,
    proof: { ...proof, accepts: { totp: false, recovery: false, password: true } },
  }),
  "step-up-passkey": renderStepUp({ ...stepUp, proof: { ...stepUp.proof, passkey } }),
  "step-up-provider": renderStepUp({
    ...stepUp,
    proof: { ...proof, accepts: { totp: false, recovery: false, password: false } },
    providers: [{ name: "staff", label: "Example Staff", icon: null }],
  }),
}

const securityPages = {
  "second-step": renderSecondStep(secondStep),
  "second-step-app": renderSecondStep({ ...secondStep, wayOut: "app" }),
  "second-step-passkey": renderSecondStep({ ...secondStep, proof: { ...proof, passkey } }),
  "second-step-only-passkey": renderSecondStep({
    ...secondStep,
    proof: { ...proof, accepts: { ...accepts, totp: false }, passkey },
  }),
  "second-step-wrong": renderSecondStep({
    ...secondStep,
    proof: { ...proof, problem: { problem: "wrong" } },
  }),
  "prove-password": renderProve({
    ...person,
    prompt: {
      action: "change your password",
      place: { area: "account", here: "/account/security" },
      back: "/account/security",
    },
    action: "/account/prove",
    carried: { name: "continue", value: "sealed" },
    providers: [],
    continueTo: "sealed",
    proof: { ...proof, accepts: { totp: false, recovery: false, password: true } },
  }),
  security: renderSecurity(security),
  "security-none": renderSecurity({ ...security, factors: [], recovery: null }),
  "security-no-codes": renderSecurity({ ...security, recovery: null, offersPasskeys: false }),
  "security-hostile": renderSecurity({
    ...security,
    factors: [
      { ...phone, name: hostileName },
      { ...key, name: zalgo },
    ],
  }),
  totp: renderTotp(totp),
  "totp-problem": renderTotp({ ...totp, problem: { field: "code", message: "That code is not valid." } }),
  "new-passkey": renderNewPasskey({ ...person, passkey, name: "", problem: null }),
  "new-passkey-none": renderNewPasskey({ ...person, passkey: null, name: "", problem: null }),
  factor: renderFactor({ ...person, factor: phone, isLast: true, problem: null }),
  "recovery-ask": renderAskRecovery({ ...person, replaces: true }),
  "recovery-codes": renderRecoveryCodes({
    ...person,
    host: "id.example.org",
    codes: Array.from({ length: 10 }, (_, n) => `k3v${n}-9qx2-m7hd-4tzp`),
  }),
  "new-password": renderNewPassword({
    ...person,
    problem: null,
  }),
}

const error = (kind: Parameters<typeof renderError>[0]["error"]) =>
  renderError({ ...page, error: kind, requestId: "7f3a09c1d2e84b56" })

export const samplePages: Readonly<Record<string, string>> = {
  ...consentPages,
  ...devicePages,
  ...securityPages,
  ...accountPages,
  ...ownAppPages,
  ...activityPages,
  ...consolePages,
  ...mailPages,
  ...providerPages,
  setup: renderSetup(setup),
  "setup-problem": renderSetup({
    ...setup,
    username: "ada",
    problems: [{ field: "password", message: "Use at least 12 characters." }],
  }),
  "setup-gone": renderSetupGone(page),
  "sign-in": renderSignIn(signIn),
  "sign-in-first": renderSignIn({ ...signIn, isServiceEmpty: true }),
  "sign-in-app": renderSignIn({ ...signIn, app: notebook }),
  "sign-in-forgot": renderSignIn({ ...signIn, offersRecovery: true }),
  "sign-in-wrong": renderSignIn({ ...signIn, username: "ada", problem: { problem: "wrong" } }),
  "sign-in-throttled": renderSignIn({
    ...signIn,
    app: { ...notebook, name: hostileName },
    username: "ada",
    problem: { problem: "throttled", retryAfterSeconds: 400 },
  }),
  "signed-out": renderSignedOut(page),
  "start-again": renderStartAgain({ ...page, username: "ada", next: "/account" }),
  "error-app": error({ kind: "appUnknown" }),
  "error-return": error({
    kind: "returnAddressUnknown",
    address: `https://app.example/${"callback".repeat(20)}`,
  }),
  "error-answered": error({ kind: "consentAnswered" }),
  "error-stale": error({ kind: "consentStale" }),
  "error-404": error({ kind: "notFound" }),
  "error-400": error({ kind: "formUnread" }),
  "error-429": error({ kind: "throttled", retryAfterSeconds: 50 }),
  "error-500": error({ kind: "fault" }),
}
