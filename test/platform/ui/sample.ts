/** Plain input for every page. Tests copy it and change what matters for them. */
import { samplePage } from "../../support/page-input.ts"
import { defaultSwitches } from "../../../src/model/clients/app-switches.rules.ts"
import { defaultOpenid } from "../../../src/model/clients/openid-members.rules.ts"
import type { AccountInput } from "../../../src/apps/installations/installations.view.ts"
import type { KnownApp } from "../../../src/platform/ui/app-line.ts"
import type { ActivityInput } from "../../../src/accounts/activity/activity.view.ts"
import type { BrowsersInput } from "../../../src/accounts/sessions/browsers.view.ts"
import type { EndAccessInput } from "../../../src/apps/installations/end-access.view.ts"
import type { AccessView } from "../../../src/apps/installations/installation.view.ts"
import type { ConsentInput } from "../../../src/oauth/authorize/consent.view.ts"
import type { FactorInput } from "../../../src/accounts/security/factor.view.ts"
import type { SignedInInput } from "../../../src/platform/ui/account-frame.ts"
import type { NewPasskeyInput } from "../../../src/accounts/security/new-passkey.view.ts"
import type { NewPasswordInput } from "../../../src/accounts/security/new-password.view.ts"
import type { AppInput } from "../../../src/apps/pages/app.view.ts"
import { type AppFormInput, type AppPreviewInput, ownersLosses } from "../../../src/apps/pages/form.view.ts"
import { ownerFrame } from "../../../src/apps/pages/owner-frame.ts"
import type { TypedApp } from "../../../src/apps/app-problems.rules.ts"
import type { PasskeyView } from "../../../src/accounts/factors/passkey.view.ts"
import type { PermissionView } from "../../../src/platform/ui/permission-list.ts"
import type { ProveInput } from "../../../src/accounts/guards/reauthenticate.view.ts"
import type { SecondStepInput } from "../../../src/accounts/sign-in/second-step.view.ts"
import type { SecurityInput } from "../../../src/accounts/security/security.view.ts"
import type { SetupInput } from "../../../src/accounts/set-up/set-up.view.ts"
import type { SignInInput } from "../../../src/accounts/factors/sign-in.view.ts"
import type { TotpInput } from "../../../src/accounts/security/totp.view.ts"

/** Tries to break out of text, of attributes in either quote, of comments and of the style sheet. */
export const HOSTILE = `"'\`></title></style></bdi>--><script>alert(1)</script><img src=x onerror=alert(2) style=a>&lt;`

export function permission(name: string, more: Partial<PermissionView> = {}): PermissionView {
  return {
    name,
    title: `Title of ${name}`,
    description: `Description of ${name}.`,
    group: "Files",
    admin: name.startsWith("admin:"),
    implied: false,
    ...more,
  }
}

export const app = { clientId: "01client", name: "Notebook Sync", verified: false, iconUrl: null } as const

export const consent: ConsentInput = {
  ...samplePage(),
  app: { ...app, registeredBy: "administrator", ownerName: null },
  username: "ada",
  installationName: "Ada's laptop",
  granted: [permission("files:read", { implied: true }), permission("files:write")],
  refusedToAccount: [],
  origin: { from: "browser", returnsTo: { kind: "web", host: "notebook.example.com" } },
  lastsSeconds: 365 * 86_400,
  continueTo: "sealed-continuation",
  ticket: "sealed-ticket",
  csrf: "csrf-value",
}

export const setup: SetupInput = {
  ...samplePage(),
  csrf: "csrf-value",
  link: "link-secret",
  username: "",
  service: "",
  problems: [],
}

export const passkey: PasskeyView = {
  options: '{"challenge":"c"}',
  challenge: "sealed",
  script: "/assets/passkey.js?v=1",
}

export const signIn: SignInInput = {
  ...samplePage(),
  csrf: "csrf-value",
  continueTo: null,
  app: null,
  isServiceEmpty: false,
  providers: [],
  username: "",
  passkey,
  problem: null,
}

export const person: SignedInInput = { ...samplePage(), username: "ada", admin: true, csrf: "csrf-value" }

export const access: AccessView = {
  tokenId: "01token",
  installationName: "Ada's laptop",
  permissions: [
    { title: "See your files", admin: false },
    { title: "Change the settings", admin: true },
  ],
  consentedAt: 1_773_300_000,
  usedAt: 1_773_300_000 + 3 * 86_400,
  usedFrom: "192.0.2.7",
  elsewhere: null,
  endsAt: 1_773_300_000 + 365 * 86_400,
  isIdleEnd: false,
}

export const knownApp: KnownApp = { ...app, registeredBy: "administrator", ownerName: null, enabled: true }

export const account: AccountInput = {
  ...person,
  now: 1_773_300_000 + 3 * 86_400 + 7200,
  groups: [{ app: knownApp, installations: 1, access: [access] }],
  installations: 1,
  isOfOneApp: false,
  older: null,
  isLater: false,
  done: null,
}

export const endAccess: EndAccessInput = {
  ...person,
  now: account.now,
  ended: { of: "installation", app: knownApp, access },
}

export const browsers: BrowsersInput = {
  ...person,
  now: account.now,
  browsers: [
    {
      reference: "this",
      isThisOne: true,
      userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      address: "192.0.2.7",
      since: 1_773_300_000,
      seenAt: account.now,
    },
    {
      reference: "other",
      isThisOne: false,
      userAgent: "curl/8",
      address: "2001:db8::1",
      since: 1_773_300_000,
      seenAt: account.now - 86_400,
    },
  ],
  more: 0,
}

export const typed: TypedApp = {
  type: null,
  name: "Notebook",
  redirectUris: ["app.example:/a", "app.example:/b"],
  permissions: ["files:read"],
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

export const ownAppForm: AppFormInput = {
  ...mine,
  of: { ticket: "01ticket" },
  typed,
  offered: [
    {
      group: "Files",
      permissions: ["files:read", "files:write"].map((name) => ({
        ...permission(name),
        implies: ["Something else"],
      })),
    },
  ],
  problems: [],
  problem: null,
}

export const connection = {
  issuer: "https://id.example.org",
  metadata: "https://id.example.org/.well-known/oauth-authorization-server",
  openid: "https://id.example.org/.well-known/openid-configuration",
}

export const about = { ...mine, clientId: "01client", name: "Notebook Sync" } as const

export const ownApp: AppInput = {
  ...mine,
  app,
  client: {
    type: "confidential",
    enabled: true,
    disabledByOwner: false,
    binding: null,
    ...defaultSwitches,
    ...defaultOpenid,
    stepUp: true,
    issuedAt: 1_773_300_000,
    redirectUris: ["app.example:/back"],
  },
  permissions: [{ name: "files:read", title: "See your files", admin: false }],
  usedBy: { installations: 52, accounts: 37, isWhole: true },
  health: { issued: 61, refreshes: 12_345, replays: 402, reuses: 2, codeReplays: 1, errorCount: 31 },
  findings: [
    {
      finding: "sends-refresh-tokens-twice",
      weight: 1,
      sentence: "It sends tokens twice.",
      advice: "Send them once.",
    },
  ],
  refusals: [
    {
      at: 1_773_300_000,
      reason: "parameterMissing",
      parameter: "code_verifier",
      requestId: "0123456789abcdef",
    },
    { at: 1_773_299_990, reason: "scopeOverCeiling", parameter: null, requestId: "fedcba9876543210" },
  ],
  days: 30,
  connection,
  keys: null,
  problem: null,
  administration: null,
}

export const ceilingPreview: AppPreviewInput = {
  ...about,
  effects: ownersLosses(
    samplePage().texts,
    [
      { title: "See your files", accounts: 37 },
      { title: "Change your files", accounts: 0 },
    ],
    3,
  ),
  typed,
  confirmed: "digest",
  changesPermissions: true,
}

export const activity: ActivityInput = {
  ...person,
  rows: [
    {
      what: "event",
      at: 1_773_300_000,
      kind: "refresh-token-reused",
      appName: "Notebook Sync",
      detail: null,
      installationName: "Ada's laptop",
      isByAdministrator: false,
      address: "192.0.2.7",
    },
    { what: "used-app", at: 1_773_300_000, kind: "app-changed", appName: "Notebook Sync" },
    {
      what: "ended",
      at: 1_773_200_000,
      because: "app-removed",
      appName: null,
      installationName: "Ada's laptop",
    },
  ],
  isAnyAppGone: true,
  older: "?after=7&before=9",
  isLater: true,
}

const proof = { accepts: { totp: true, recovery: true, password: false }, passkey, problem: null }

export const secondStep: SecondStepInput = {
  ...samplePage(),
  csrf: "csrf-value",
  ticket: "sealed-ticket",
  continueTo: null,
  proof,
}

export const prove: ProveInput = {
  ...person,
  prompt: {
    action: "add an account",
    place: { area: "console", here: "accounts" },
    back: "/console/accounts",
  },
  action: "/account/prove",
  carried: { name: "continue", value: "sealed" },
  providers: [],
  continueTo: "sealed",
  proof: { ...proof, accepts: { totp: false, recovery: false, password: true }, passkey: null },
}

const factorView = {
  factorId: "01factor",
  kind: "totp" as const,
  name: "Ada's phone",
  addedAt: 1_773_300_000,
  usedAt: null,
}

export const security: SecurityInput = {
  ...person,
  browsers: 2,
  factors: [factorView, { ...factorView, factorId: "02factor", kind: "passkey", usedAt: 1_773_300_000 }],
  recovery: { left: 9, madeAt: 1_773_300_000 },
  offersPasskeys: true,
  hasPassword: true,
  connections: { connections: [], providers: [] },
}

export const factor: FactorInput = {
  ...person,
  factor: factorView,
  isLast: true,
  problem: null,
}

export const totp: TotpInput = {
  ...person,
  ticket: "sealed-ticket",
  secret: "JBSWY3DPEHPK3PXP",
  uri: "otpauth://totp/ada?secret=JBSWY3DPEHPK3PXP",
  qr: [
    [true, true, false],
    [false, true, false],
    [true, false, true],
  ],
  name: "",
  problem: null,
}

export const newPasskey: NewPasskeyInput = {
  ...person,
  passkey,
  name: "",
  problem: null,
}

export const newPassword: NewPasswordInput = {
  ...person,
  problem: null,
}
