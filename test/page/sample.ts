/** Plain input for every page. Tests spread it and change what they are about. */
import type { AccountInput } from "../../src/page/account.ts"
import type { KnownApp } from "../../src/page/account/app-line.ts"
import type { BrowsersInput } from "../../src/page/account/browsers.ts"
import type { EndAccessInput } from "../../src/page/account/end-access.ts"
import type { AccessView } from "../../src/page/account/installation.ts"
import type { ConsentInput } from "../../src/page/consent.ts"
import type { FactorInput } from "../../src/page/factor.ts"
import type { SignedInInput } from "../../src/page/frame-signed-in.ts"
import type { NewPasskeyInput } from "../../src/page/new-passkey.ts"
import type { NewPasswordInput } from "../../src/page/new-password.ts"
import type { PasskeyView } from "../../src/page/passkey.ts"
import type { PermissionView } from "../../src/page/permission-list.ts"
import type { ProveInput } from "../../src/page/prove.ts"
import type { SecondStepInput } from "../../src/page/second-step.ts"
import type { SecurityInput } from "../../src/page/security.ts"
import type { SetupInput } from "../../src/page/setup.ts"
import type { SignInInput } from "../../src/page/sign-in.ts"
import type { TotpInput } from "../../src/page/totp.ts"

/** Breaks out of text, of attributes in either quote, of comments and of the style sheet, where anything lets it. */
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
  basePath: "",
  app: { ...app, registeredBy: "administrator", ownerName: null },
  username: "ada",
  installationName: "Ada's laptop",
  granted: [permission("files:read", { implied: true }), permission("files:write")],
  refusedToAccount: [],
  asker: { from: "browser", returnsTo: { kind: "web", host: "notebook.example.com" } },
  lastsSeconds: 365 * 86_400,
  continueTo: "sealed-continuation",
  ticket: "sealed-ticket",
  csrf: "csrf-value",
}

export const setup: SetupInput = {
  basePath: "",
  csrf: "csrf-value",
  link: "link-secret",
  username: "",
  problems: [],
  passwordLengthAtLeast: 12,
}

export const passkey: PasskeyView = {
  options: '{"challenge":"c"}',
  challenge: "sealed",
  script: "/assets/passkey.js?v=1",
}

export const signIn: SignInInput = {
  basePath: "",
  csrf: "csrf-value",
  continueTo: null,
  app: null,
  username: "",
  passkey,
  problem: null,
}

export const person: SignedInInput = { basePath: "", username: "ada", admin: true, csrf: "csrf-value" }

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

const proof = { accepts: { totp: true, recovery: true, password: false }, passkey, problem: null }

export const secondStep: SecondStepInput = {
  basePath: "",
  csrf: "csrf-value",
  ticket: "sealed-ticket",
  continueTo: null,
  proof,
}

export const prove: ProveInput = {
  basePath: "",
  csrf: "csrf-value",
  username: "ada",
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
}

export const factor: FactorInput = {
  basePath: "",
  csrf: "csrf-value",
  factor: factorView,
  isLast: true,
  problem: null,
}

export const totp: TotpInput = {
  basePath: "",
  csrf: "csrf-value",
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
  basePath: "",
  csrf: "csrf-value",
  passkey,
  name: "",
  problem: null,
}

export const newPassword: NewPasswordInput = {
  basePath: "",
  csrf: "csrf-value",
  username: "ada",
  problem: null,
  passwordLengthAtLeast: 8,
}
