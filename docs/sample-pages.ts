/** What `screenshots.ts` takes pictures of: every page with input as it comes, and with input that means harm. */
import { renderAccount } from "../src/page/account.ts"
import { type ConsentInput, renderConsent } from "../src/page/consent.ts"
import { renderError } from "../src/page/error.ts"
import type { PermissionView } from "../src/page/permission-list.ts"
import { renderSetup, renderSetupGone } from "../src/page/setup.ts"
import { renderSignIn } from "../src/page/sign-in.ts"
import { renderSignedOut } from "../src/page/signed-out.ts"

const basePath = ""
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
  basePath,
  csrf,
  continueTo: "continuation",
  ticket: "ticket",
  app: { ...notebook, registeredBy: "administrator", ownerName: null },
  username: "ada",
  installationName: "Ada’s laptop",
  granted: [...files, account],
  refusedToAccount: [],
  returnsTo: { kind: "web", host: "notebook.example.com" },
  lastsSeconds: 365 * 86_400,
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
    returnsTo: { kind: "loopback", host: "127.0.0.1:51034" },
  }),
  "consent-refused-part": renderConsent({
    ...consent,
    app: { ...consent.app, clientId: "cursor", name: "Cursor", registeredBy: "itself" },
    installationName: null,
    refusedToAccount: administration,
    returnsTo: { kind: "private", host: "cursor" },
  }),
  "consent-nothing": renderConsent({ ...consent, granted: [], refusedToAccount: administration }),
  "consent-many": renderConsent({ ...consent, granted: [...many, ...administration] }),
  "consent-icon": renderConsent({
    ...consent,
    app: { ...consent.app, verified: true, iconUrl: "/oauth/apps/01k2notebook/icon" },
  }),
  "consent-hostile": renderConsent({
    ...consent,
    app: { ...consent.app, name: hostileName, registeredBy: "user", ownerName: zalgo },
    username: "x".repeat(64),
    installationName: `${zalgo} \u202e${"long label ".repeat(12)}`,
    granted: [{ ...account, title: "<b>bold</b>".repeat(12), description: "d".repeat(300) }],
    returnsTo: { kind: "web", host: `${"very-long-label.".repeat(12)}example.com` },
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

const setup = { basePath, csrf, link: "link", username: "", problems: [], passwordLengthAtLeast: 12 }
const signIn = { basePath, csrf, continueTo: "sealed", app: null, username: "", problem: null }

const march = 1_773_300_000
const held = {
  tokenId: "01token",
  app: notebook,
  installationName: "Ada’s laptop",
  permissions: [...files, account],
  consentedAt: march,
  refreshedAt: march + 3 * 86_400,
  endsAt: march + 365 * 86_400,
}

const error = (kind: Parameters<typeof renderError>[0]["error"]) => renderError({ basePath, error: kind })

export const samplePages: Readonly<Record<string, string>> = {
  ...consentPages,
  setup: renderSetup(setup),
  "setup-problem": renderSetup({
    ...setup,
    username: "ada",
    problems: [{ field: "password", message: "Use at least 12 characters." }],
  }),
  "setup-gone": renderSetupGone({ basePath }),
  "sign-in": renderSignIn(signIn),
  "sign-in-app": renderSignIn({ ...signIn, app: notebook }),
  "sign-in-wrong": renderSignIn({ ...signIn, username: "ada", problem: { problem: "wrong" } }),
  "sign-in-throttled": renderSignIn({
    ...signIn,
    app: { ...notebook, name: hostileName },
    username: "ada",
    problem: { problem: "throttled", retryAfterSeconds: 400 },
  }),
  "signed-out": renderSignedOut({ basePath }),
  account: renderAccount({
    basePath,
    csrf,
    username: "ada",
    admin: true,
    access: [
      held,
      {
        ...held,
        app: {
          clientId: "01k2console",
          name: "Fleet Console",
          verified: true,
          iconUrl: "/oauth/apps/f/icon",
        },
        installationName: null,
        permissions: [account, ...administration],
        refreshedAt: null,
      },
      {
        ...held,
        app: { ...notebook, clientId: "x", name: hostileName },
        installationName: zalgo,
        permissions: many,
      },
      { ...held, app: { ...notebook, clientId: "cursor", name: "Cursor" }, permissions: [] },
    ],
  }),
  "account-empty": renderAccount({ basePath, csrf, username: "grace", admin: false, access: [] }),
  "error-app": error({ kind: "appUnknown" }),
  "error-return": error({ kind: "returnAddressUnknown" }),
  "error-answered": error({ kind: "consentAnswered" }),
  "error-stale": error({ kind: "consentStale" }),
  "error-404": error({ kind: "notFound" }),
  "error-400": error({ kind: "formUnread" }),
  "error-429": error({ kind: "throttled", retryAfterSeconds: 50 }),
  "error-500": error({ kind: "fault", requestId: "01k5c6gz7w3v9xq2m8t4n0r1be" }),
}
