/** The pages of sign-in providers, with ordinary input and malicious input. */
import type { ClientId, Permission } from "../src/kernel/ids.ts"
import { samplePage } from "../test/support/page-input.ts"
import { renderProve } from "../src/accounts/guards/reauthenticate.view.ts"
import { renderBackToApplication } from "../src/accounts/providers/application/back.view.ts"
import { renderChooseName } from "../src/accounts/providers/choose-name.view.ts"
import { renderContinue } from "../src/accounts/providers/continue.view.ts"
import { renderProviders } from "../src/admin/providers/providers.view.ts"
import { renderProviderProblem } from "../src/accounts/providers/problem.view.ts"
import { failureInWords, noAccountInWords, refusedInWords } from "../src/accounts/providers/provider-words.ts"
import { renderSecurity } from "../src/accounts/security/security.view.ts"
import { renderSignIn, type SignInInput } from "../src/accounts/factors/sign-in.view.ts"

const page = samplePage()
const csrf = "csrf"
const march = 1_773_300_000
const person = { ...page, csrf, username: "ada", admin: false }

/** A square of 20 by 20 pixels with a disc. */
const icon =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
const google = { name: "google", label: "Google", icon }
const microsoft = { name: "entra", label: "Microsoft", icon }
const staff = { name: "staff", label: "Analytical Engine Company", icon: null }
const hostile = { name: "x", label: `\u202e<b>evil</b> ${"AAAAAAAAAAAAAAAA".repeat(6)}`, icon: null }

const passkey = { options: "{}", challenge: "sealed", script: "/assets/passkey.js?v=1" }
const signIn: SignInInput = {
  ...page,
  csrf,
  continueTo: "sealed",
  app: null,
  isServiceEmpty: false,
  providers: [google, microsoft, staff],
  username: "",
  passkey,
  offersRecovery: true,
  problem: null,
}
const atGoogle = { preset: "google", label: "Google" } as const
const requestId = "0195d2c3f1a47c2e8b6f1d0a9e3c5b71"
const back = (label: string, kind: Parameters<typeof failureInWords>[2]["kind"]) =>
  renderBackToApplication({
    ...page,
    name: "shop",
    label,
    text: failureInWords(page.texts, { preset: "application", label }, { kind }).text,
    csrf,
    continueTo: "sealed",
    requestId,
  })
const unproven = (gap: "no-time" | "not-recent" | "too-weak") =>
  renderProviderProblem({
    ...person,
    title: page.texts.plain("provider.failed.prove"),
    text: refusedInWords(page.texts, { preset: "application", label: "Notebook Shop" }, gap).text,
    requestId,
  })
const failed = (text: ReturnType<typeof failureInWords>["text"]) =>
  renderSignIn({ ...signIn, problem: { problem: "provider", text } })
const failure = (kind: Parameters<typeof failureInWords>[2]["kind"]) =>
  failureInWords(page.texts, atGoogle, { kind }).text

const security = {
  ...person,
  browsers: 3,
  factors: [],
  recovery: null,
  offersPasskeys: true,
  hasPassword: true,
  email: "ada@example.org",
  connections: {
    connections: [
      {
        identityHash: "one",
        label: "Google",
        shownName: "ada.lovelace@example.org",
        linkedAt: march,
        isOffered: true,
      },
      { identityHash: "two", label: "former", shownName: null, linkedAt: march, isOffered: false },
    ],
    providers: [microsoft, staff],
  },
}
const url =
  "https://accounts.google.com/o/oauth2/v2/auth?response_type=code&client_id=1234.apps.googleusercontent.com"
const named = { ...page, csrf, action: "/sign-in/with/google/username", ticket: "ticket", continueTo: null }
const prove = {
  ...person,
  prompt: {
    action: "set a password",
    place: { area: "account", here: "/account/security" },
    back: "/account/security",
  },
  action: "/account/prove",
  carried: { name: "continue", value: "sealed" },
  providers: [google],
  continueTo: "sealed",
  proof: { passkey: null, problem: null, accepts: { totp: false, recovery: false, password: false } },
} as const

const record = {
  name: "google",
  preset: "google",
  label: "Google",
  issuer: "https://accounts.google.com",
  client_id: "1234.apps.googleusercontent.com",
  scopes: "openid profile email",
  creates_accounts: true,
  authoritative_domains: ["example.org", "mathematics.example.org"],
  gives_administration: false,
  gives_groups: [],
  assertions: null,
  redirect_uri: "https://id.example.org/sign-in/with/google/callback",
} as const
const consolePage = {
  ...person,
  admin: true,
  providers: [
    record,
    {
      ...record,
      name: "staff",
      preset: null,
      label: "Analytical Engine Company",
      issuer: "https://identity.analytical-engine.example.org/realms/staff",
      creates_accounts: false,
      authoritative_domains: [],
      gives_administration: true,
      gives_groups: ["analysts", "on-call"],
      assertions: {
        clients: ["https://agent.example/client.json", "01k3v7m2q8xj5c9d4e6f7g8h9j"] as ClientId[],
        permissions: ["notes:read", "notes:write"] as Permission[],
      },
      redirect_uri: "https://id.example.org/sign-in/with/staff/callback",
    },
  ],
  checked: null,
  done: null,
}
const shop = {
  name: "shop",
  preset: "application",
  label: "Notebook Shop",
  issuer: "shop",
  url: "https://shop.example.org/oauth-login",
  keys: "file",
  only: true,
  session_minutes: 10,
  manager: null,
  creates_accounts: true,
  authoritative_domains: [],
  gives_administration: false,
  gives_groups: [],
  assertions: null,
  redirect_uri: "https://id.example.org/sign-in/with/shop/callback",
} as const

export const providerPages: Readonly<Record<string, string>> = {
  "providers-sign-in": renderSignIn(signIn),
  "providers-sign-in-one": renderSignIn({ ...signIn, providers: [google], passkey: null }),
  "providers-sign-in-app": renderSignIn({
    ...signIn,
    app: { clientId: "01k2notebooks", name: "Notebook Sync", verified: false, iconUrl: null },
  }),
  "providers-sign-in-hostile": renderSignIn({ ...signIn, providers: [hostile, google] }),
  "providers-unreachable": failed(failure("unreachable")),
  "providers-busy": failed(failure("busy")),
  "providers-canceled": failed(failure("canceled")),
  "providers-refused": failed(failure("refused")),
  "providers-misconfigured": failed(failure("misconfigured")),
  "providers-invalid": failed(failure("invalid")),
  "providers-no-account": failed(
    noAccountInWords(page.texts, "Google", "off", "ada.lovelace@example.org").text,
  ),
  "providers-no-account-domain": failed(noAccountInWords(page.texts, "Google", "domain", hostile.label).text),
  "providers-address-held": failed(refusedInWords(page.texts, atGoogle, "address-held").text),
  "providers-stale": failed(refusedInWords(page.texts, atGoogle, "stale").text),
  "providers-disabled": failed(refusedInWords(page.texts, atGoogle, "disabled").text),
  "providers-not-set-up": failed(refusedInWords(page.texts, atGoogle, "not-set-up").text),
  "application-stale": back("Notebook Shop", "stale"),
  "application-invalid": back("Notebook Shop", "invalid"),
  "application-unreachable": back("Notebook Shop", "unreachable"),
  "application-canceled": back("Notebook Shop", "canceled"),
  "application-hostile": back(hostile.label, "stale"),
  "providers-continue": renderContinue({ ...page, label: "Google", url }),
  "providers-continue-hostile": renderContinue({ ...page, label: hostile.label, url }),
  "providers-choose-name": renderChooseName({ ...named, username: "ada", problem: null }),
  "providers-choose-name-app": renderChooseName({ ...named, username: "ada", problem: null, wayOut: "app" }),
  "providers-choose-name-taken": renderChooseName({
    ...named,
    username: "ada",
    problem: "This username is taken. Choose another one.",
  }),
  "providers-connected": renderSecurity(security),
  "providers-not-connected": renderSecurity({
    ...security,
    hasPassword: false,
    connections: { connections: [], providers: [google, microsoft, staff] },
  }),
  "providers-connected-hostile": renderSecurity({
    ...security,
    connections: {
      connections: [
        {
          identityHash: "x",
          label: hostile.label,
          shownName: hostile.label,
          linkedAt: march,
          isOffered: true,
        },
      ],
      providers: [hostile],
    },
  }),
  "providers-connect-problem": renderProviderProblem({
    ...person,
    title: "Not connected",
    text: "Another account here is connected to it already.",
    requestId,
  }),
  "providers-no-time": unproven("no-time"),
  "providers-not-recent": unproven("not-recent"),
  "providers-too-weak": unproven("too-weak"),
  "providers-prove": renderProve(prove),
  "providers-prove-none": renderProve({ ...prove, providers: [] }),
  "providers-prove-password": renderProve({
    ...prove,
    prompt: { ...prove.prompt, action: "change your password" },
    proof: { ...prove.proof, accepts: { totp: false, recovery: false, password: true } },
  }),
  "console-providers": renderProviders({ ...consolePage, providers: [...consolePage.providers, shop] }),
  "console-providers-checked": renderProviders({
    ...consolePage,
    checked: {
      label: "Google",
      findings: [
        { check: "metadata", state: "fine", seen: "The issuer is https://accounts.google.com." },
        { check: "keys", state: "fine", seen: "2 keys at https://www.googleapis.com/oauth2/v3/certs." },
        {
          check: "redirect URI",
          state: "problem",
          seen: `The sign-in page does not open: The host answered with status 400. The usual cause is the redirect URI. Register exactly ${record.redirect_uri} there.`,
        },
        { check: "claims", state: "warning", seen: "The domains need the scope email." },
      ],
    },
  }),
}
