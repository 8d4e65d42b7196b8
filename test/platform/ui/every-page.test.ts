/** Tests what must hold for all pages, with plain and with hostile input. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { samplePage } from "../../support/page-input.ts"
import { renderAccount } from "../../../src/apps/installations/installations.view.ts"
import { eventKinds } from "../../../src/model/event.rules.ts"
import { renderActivity } from "../../../src/accounts/activity/activity.view.ts"
import { renderBrowsers } from "../../../src/accounts/sessions/browsers.view.ts"
import { renderEndAccess } from "../../../src/apps/installations/end-access.view.ts"
import { renderConsent } from "../../../src/oauth/authorize/consent.view.ts"
import { type ErrorKind, renderError } from "../../../src/platform/ui/error.ts"
import { renderFactor } from "../../../src/accounts/security/factor.view.ts"
import { renderInvitation, renderInvitedPasskey } from "../../../src/accounts/invitations/invitation.view.ts"
import { renderNewPasskey } from "../../../src/accounts/security/new-passkey.view.ts"
import { renderNewPassword } from "../../../src/accounts/security/new-password.view.ts"
import { renderApp } from "../../../src/apps/pages/app.view.ts"
import { ownersLosses, renderAppForm, renderAppPreview } from "../../../src/apps/pages/form.view.ts"
import { renderIcon } from "../../../src/apps/pages/icon.view.ts"
import { renderOwnApps } from "../../../src/apps/pages/list.view.ts"
import { ownerFrame } from "../../../src/apps/pages/owner-frame.ts"
import { renderQuestion } from "../../../src/apps/pages/question.view.ts"
import { renderSecret } from "../../../src/apps/pages/secret.view.ts"
import { renderProve } from "../../../src/accounts/guards/reauthenticate.view.ts"
import { renderStartAgain } from "../../../src/accounts/guards/start-again.view.ts"
import { renderAskRecovery, renderRecoveryCodes } from "../../../src/accounts/security/recovery-codes.view.ts"
import { renderSecondStep } from "../../../src/accounts/sign-in/second-step.view.ts"
import { renderSecurity } from "../../../src/accounts/security/security.view.ts"
import { renderSetup, renderSetupGone } from "../../../src/accounts/set-up/set-up.view.ts"
import { renderSignIn } from "../../../src/accounts/factors/sign-in.view.ts"
import { renderEndSession } from "../../../src/oauth/end-session/end-session.view.ts"
import { renderSignedOut } from "../../../src/accounts/sessions/signed-out.view.ts"
import { renderTotp } from "../../../src/accounts/security/totp.view.ts"
import { accountStyle } from "../../../src/platform/ui/account-frame.ts"
import { style } from "../../../src/platform/ui/style/style.ts"
import { formsOf, tagsOf } from "./markup.ts"
import {
  about,
  access,
  account,
  activity,
  app,
  browsers,
  ceilingPreview,
  connection,
  consent,
  endAccess,
  factor,
  HOSTILE,
  newPassword,
  newPasskey,
  ownApp,
  ownAppForm,
  permission,
  person,
  prove,
  secondStep,
  security,
  setup,
  signIn,
  totp,
  typed,
} from "./sample.ts"

const kinds: Readonly<Record<ErrorKind["kind"], ErrorKind>> = {
  appUnknown: { kind: "appUnknown" },
  appGone: { kind: "appGone" },
  documentUnavailable: { kind: "documentUnavailable" },
  documentChanged: { kind: "documentChanged" },
  documentNotAllowed: { kind: "documentNotAllowed" },
  returnAddressUnknown: { kind: "returnAddressUnknown" },
  requestMalformed: { kind: "requestMalformed" },
  signOutMalformed: { kind: "signOutMalformed" },
  formUnread: { kind: "formUnread" },
  consentAnswered: { kind: "consentAnswered" },
  consentStale: { kind: "consentStale" },
  formForeign: { kind: "formForeign" },
  consentAnsweredByAnother: { kind: "consentAnsweredByAnother" },
  administrationWithdrawn: { kind: "administrationWithdrawn" },
  groupsWithdrawn: { kind: "groupsWithdrawn" },
  requestChanged: { kind: "requestChanged" },
  connectionEnded: { kind: "connectionEnded" },
  stepUpWithdrawn: { kind: "stepUpWithdrawn" },
  notFound: { kind: "notFound" },
  throttled: { kind: "throttled", retryAfterSeconds: 61 },
  busy: { kind: "busy" },
  locked: { kind: "locked" },
  unavailable: { kind: "unavailable" },
  fault: { kind: "fault" },
}

const ownAppLine = { app, type: "public", enabled: false, registeredAt: 1_773_300_000 } as const
const wrongFields = [
  { field: "name", message: "The name is empty." },
  { field: "redirect_uris", message: "Line 2: no." },
  { field: "permission", message: "No such permission." },
] as const
const endSession = { csrf: "csrf-value", appName: "Notes", username: "ada", path: "/oauth/end-session?a=b" }

const plain: readonly (readonly [string, string])[] = [
  ["set-up", renderSetup(setup)],
  ["set-up gone", renderSetupGone({ ...samplePage() })],
  ["sign-in", renderSignIn(signIn)],
  ["sign-in for an app", renderSignIn({ ...signIn, app, continueTo: "sealed" })],
  ["consent", renderConsent(consent)],
  ["signed out", renderSignedOut({ ...samplePage() })],
  ["end session", renderEndSession({ ...samplePage(), ...endSession })],
  ["start again", renderStartAgain({ ...samplePage(), username: "ada", next: "/account" })],
  ["account", renderAccount(account)],
  ["account without apps", renderAccount({ ...account, groups: [], installations: 0 })],
  ["end access", renderEndAccess(endAccess)],
  ["browsers", renderBrowsers(browsers)],
  ["activity", renderActivity(activity)],
  ["my apps", renderOwnApps({ ...about, admin: true, apps: [ownAppLine], older: "?after=01client" })],
  ["no apps", renderOwnApps({ ...about, admin: false, apps: [], older: null })],
  ["an app of mine", renderApp(ownApp)],
  [
    "an app of mine, disabled",
    renderApp({ ...ownApp, client: { ...ownApp.client, enabled: false, disabledByOwner: true } }),
  ],
  ["a new app", renderAppForm(ownAppForm)],
  ["an app to change", renderAppForm({ ...ownAppForm, of: about, problems: wrongFields })],
  ["a new secret", renderQuestion({ ...about, action: "secret", use: null, ticket: "01ticket" })],
  ["a secret", renderSecret({ ...about, secret: "lks_secret", isNewApp: true, connection })],
  ["what a change takes", renderAppPreview(ceilingPreview)],
  ["an app to remove", renderQuestion({ ...about, action: "remove", use: "It is used.", ticket: null })],
  ["an app to disable", renderQuestion({ ...about, action: "disable", use: "It is used.", ticket: null })],
  ["an icon", renderIcon({ ...about, verified: true, icon: null, problem: null })],
  ["second step", renderSecondStep(secondStep)],
  ["prove", renderProve(prove)],
  ["security", renderSecurity(security)],
  ["security without factors", renderSecurity({ ...security, factors: [], offersPasskeys: false })],
  ["security without codes", renderSecurity({ ...security, recovery: null })],
  ["authenticator app", renderTotp(totp)],
  ["new passkey", renderNewPasskey(newPasskey)],
  ["new passkey at a bare number", renderNewPasskey({ ...newPasskey, passkey: null })],
  ["factor", renderFactor(factor)],
  ["recovery", renderAskRecovery({ ...person, replaces: true })],
  ["recovery codes", renderRecoveryCodes({ ...person, host: "id.example.org", codes: ["aaaa-bbbb"] })],
  ["new password", renderNewPassword(newPassword)],
  ...Object.values(kinds).map((error) => [error.kind, renderError({ ...samplePage(), error })] as const),
]

const badPasskey = { options: HOSTILE, challenge: HOSTILE, script: `/${HOSTILE}` }
const badProof = {
  accepts: { totp: true, recovery: true, password: true },
  passkey: badPasskey,
  problem: { problem: "wrong" },
} as const
const badFactor = { ...factor.factor, factorId: HOSTILE, name: HOSTILE }
const stranger = { clientId: HOSTILE, name: HOSTILE, verified: true, iconUrl: `/${HOSTILE}` }
const badPerson = { ...samplePage(HOSTILE), username: HOSTILE, csrf: HOSTILE }
const badFrame = ownerFrame({ ...person, ...badPerson })
const badAbout = { ...badFrame, clientId: HOSTILE, name: HOSTILE }
const badApp = { ...stranger, registeredBy: "user", ownerName: HOSTILE, enabled: true } as const
const badAccess = {
  ...access,
  tokenId: HOSTILE,
  installationName: HOSTILE,
  permissions: [{ name: HOSTILE, title: HOSTILE, admin: true }],
  usedFrom: HOSTILE,
}
const badGroup = { app: badApp, installations: 2, access: [badAccess] }
const badInvitation = { csrf: HOSTILE, link: HOSTILE, username: HOSTILE, admin: true, email: HOSTILE }
const hostile: readonly (readonly [string, string])[] = [
  [
    "set-up",
    renderSetup({
      ...setup,
      ...samplePage(HOSTILE),
      csrf: HOSTILE,
      link: HOSTILE,
      username: HOSTILE,
      problems: [
        { field: "username", message: HOSTILE },
        { field: "password", message: HOSTILE },
      ],
    }),
  ],
  [
    "sign-in",
    renderSignIn({
      ...samplePage(HOSTILE),
      csrf: HOSTILE,
      continueTo: HOSTILE,
      isServiceEmpty: true,
      app: stranger,
      providers: [{ name: "work", label: HOSTILE, icon: null }],
      username: HOSTILE,
      passkey: badPasskey,
      problem: { problem: "wrong" },
    }),
  ],
  [
    "second step",
    renderSecondStep({
      ...samplePage(HOSTILE),
      csrf: HOSTILE,
      ticket: HOSTILE,
      continueTo: HOSTILE,
      proof: badProof,
    }),
  ],
  [
    "prove",
    renderProve({
      ...prove,
      ...badPerson,
      action: "/account/prove",
      carried: { name: "continue", value: HOSTILE },
      proof: { ...badProof, accepts: { totp: false, recovery: false, password: true }, passkey: null },
    }),
  ],
  ["security", renderSecurity({ ...security, ...badPerson, factors: [badFactor] })],
  [
    "authenticator app",
    renderTotp({
      ...totp,
      ...samplePage(HOSTILE),
      csrf: HOSTILE,
      ticket: HOSTILE,
      secret: HOSTILE,
      uri: HOSTILE,
      name: HOSTILE,
      problem: { field: "name", message: HOSTILE },
    }),
  ],
  [
    "new passkey",
    renderNewPasskey({
      ...person,
      ...badPerson,
      passkey: badPasskey,
      name: HOSTILE,
      problem: HOSTILE,
    }),
  ],
  ["factor", renderFactor({ ...person, ...badPerson, factor: badFactor, isLast: true, problem: HOSTILE })],
  ["recovery codes", renderRecoveryCodes({ ...person, ...badPerson, host: HOSTILE, codes: [HOSTILE] })],
  [
    "new password",
    renderNewPassword({
      ...newPassword,
      ...samplePage(HOSTILE),
      csrf: HOSTILE,
      username: HOSTILE,
      problem: HOSTILE,
    }),
  ],
  [
    "account",
    renderAccount({ ...account, ...badPerson, groups: [badGroup], installations: 2, older: HOSTILE }),
  ],
  [
    "end access",
    renderEndAccess({
      ...endAccess,
      ...badPerson,
      ended: { of: "installation", app: badApp, access: badAccess },
    }),
  ],
  [
    "browsers",
    renderBrowsers({
      ...browsers,
      ...badPerson,
      browsers: browsers.browsers.map((one) => ({
        ...one,
        reference: HOSTILE,
        userAgent: `${HOSTILE} Firefox/1`,
        address: HOSTILE,
      })),
    }),
  ],
  [
    "activity",
    renderActivity({
      ...activity,
      ...badPerson,
      older: HOSTILE,
      rows: [
        ...eventKinds.map((kind) => ({
          what: "event" as const,
          at: 1_773_300_000,
          kind,
          appName: HOSTILE,
          detail: HOSTILE,
          installationName: HOSTILE,
          isByAdministrator: false,
          address: HOSTILE,
        })),
        { what: "ended", at: 1, because: "idle", appName: HOSTILE, installationName: HOSTILE },
      ],
    }),
  ],
  [
    "my apps",
    renderOwnApps({ ...badFrame, admin: true, apps: [{ ...ownAppLine, app: stranger }], older: HOSTILE }),
  ],
  [
    "an app of mine",
    renderApp({
      ...ownApp,
      ...badFrame,
      app: stranger,
      client: { ...ownApp.client, enabled: false, redirectUris: [HOSTILE] },
      permissions: [{ name: HOSTILE, title: HOSTILE, admin: true }],
      problem: HOSTILE,
      keys: {
        address: HOSTILE,
        fetchedAt: 0,
        problem: HOSTILE,
        workload: { issuer: HOSTILE, audience: HOSTILE, subject: HOSTILE },
        keys: [{ name: HOSTILE, thumbprint: HOSTILE }],
      },
    }),
  ],
  [
    "an app to change",
    renderAppForm({
      ...ownAppForm,
      ...badFrame,
      of: { clientId: HOSTILE, name: HOSTILE },
      typed: {
        ...typed,
        name: HOSTILE,
        redirectUris: ["", HOSTILE],
        permissions: [HOSTILE],
        jwks: HOSTILE,
        jwksUri: HOSTILE,
        workload: { issuer: HOSTILE, audience: HOSTILE, subject: HOSTILE },
      },
      offered: [
        { group: HOSTILE, permissions: [{ ...permission(HOSTILE), title: HOSTILE, implies: [HOSTILE] }] },
      ],
      problems: [{ field: "redirect_uris", message: HOSTILE }],
      problem: HOSTILE,
    }),
  ],
  [
    "a secret",
    renderSecret({
      ...badAbout,
      secret: HOSTILE,
      isNewApp: true,
      connection: { issuer: HOSTILE, metadata: HOSTILE },
    }),
  ],
  ["a new secret", renderQuestion({ ...badAbout, action: "secret", use: null, ticket: HOSTILE })],
  [
    "what a change takes",
    renderAppPreview({
      ...ceilingPreview,
      ...badAbout,
      effects: ownersLosses(samplePage().texts, [{ title: HOSTILE, accounts: 7 }], 7),
      typed: { ...typed, name: HOSTILE, redirectUris: [HOSTILE], permissions: [HOSTILE] },
      confirmed: HOSTILE,
    }),
  ],
  ["an app to remove", renderQuestion({ ...badAbout, action: "remove", use: HOSTILE, ticket: null })],
  ["an icon", renderIcon({ ...badAbout, verified: true, icon: "AAAA", problem: HOSTILE })],
  ["error", renderError({ ...samplePage(HOSTILE), error: { kind: "fault" }, requestId: HOSTILE })],
  ["error 404", renderError({ ...samplePage(HOSTILE), error: { kind: "notFound" } })],
  [
    "invitation",
    renderInvitation({
      ...samplePage(HOSTILE),
      ...badInvitation,
      signedInAs: HOSTILE,
      offersPasskeys: true,
      providers: [{ name: HOSTILE, label: HOSTILE, icon: HOSTILE }],
      problem: { name: HOSTILE, password: HOSTILE, passkey: { challenge: HOSTILE, response: HOSTILE } },
    }),
  ],
  [
    "invitation passkey",
    renderInvitedPasskey({ ...samplePage(HOSTILE), ...badInvitation, passkey: null, problem: HOSTILE }),
  ],
  ["set-up gone", renderSetupGone({ ...samplePage(HOSTILE) })],
  ["signed out", renderSignedOut({ ...samplePage(HOSTILE) })],
  [
    "end session",
    renderEndSession({
      ...samplePage(HOSTILE),
      csrf: HOSTILE,
      appName: HOSTILE,
      username: HOSTILE,
      path: HOSTILE,
    }),
  ],
]

test("SVC-11 no page has a handler or a style attribute, whatever it is given", () => {
  // tagsOf knows all allowed elements and attributes. Those two do not belong to them.
  for (const [name, page] of [...plain, ...hostile]) assert.ok(tagsOf(page).length > 10, name)
})

test("SVC-11 a page loads at most one script, the service's own, and only to ask for a passkey", () => {
  for (const [name, page] of [...plain, ...hostile]) {
    const tags = tagsOf(page)
    const scripts = tags.filter((tag) => tag.name === "script")
    const asks = tags.some(({ attributes }) => attributes.has("data-passkey"))
    assert.equal(scripts.length, asks ? 1 : 0, name)
    for (const { attributes } of scripts) assert.ok(attributes.has("defer") && attributes.has("src"), name)
    assert.doesNotMatch(page, /<script[^>]*>[^<]/, name)
  }
})

test("SVC-11 no page names an address outside this service", () => {
  for (const [name, page] of plain) {
    // A text may contain a sample URL. Nothing loads it.
    const markup = page.replace(/<code(?: class="copied")?>[^<]*<\/code>/g, "")
    assert.doesNotMatch(markup, /https?:|\burl\(|@import|src="\/\/|href="\/\//i, name)
    for (const { attributes } of tagsOf(page))
      for (const key of ["href", "src", "action"])
        assert.match(attributes.get(key) ?? "/", /^(?:\/(?!\/)|otpauth:\/\/totp\/)/, name)
  }
})

test("the style sheet stands in every page exactly as its digest is taken", () => {
  for (const [name, page] of plain) {
    const sheet = page.includes('<header class="top') ? accountStyle : style
    assert.equal(page.split(`<style>${sheet}</style>`).length, 2, name)
  }
  assert.doesNotMatch(accountStyle, /<|&(?:amp|quot|#39);/)
})

test("every page has a title of its own, one heading, its language, and no place in an index", () => {
  const titles = plain.map(([name, page]) => {
    const tags = tagsOf(page)
    assert.equal(tags.filter((tag) => tag.name === "h1").length, 1, name)
    assert.equal(tags[0]?.attributes.get("lang"), "en", name)
    const meta = new Map(
      tags
        .filter((tag) => tag.name === "meta")
        .map(({ attributes }) => [attributes.get("name"), attributes.get("content")]),
    )
    assert.equal(meta.get("robots"), "noindex", name)
    assert.equal(meta.get("color-scheme"), "light dark", name)
    assert.equal(meta.get("viewport"), "width=device-width, initial-scale=1", name)
    return /<title>(.+) · Latchkey<\/title>/.exec(page)?.[1]
  })
  assert.ok(titles.every((title) => title !== undefined && title.length > 3))
})

test("every form posts and carries the anti-forgery value", () => {
  const forms = plain.flatMap(([, page]) => formsOf(page))
  assert.equal(forms.length, 57)
  for (const { method, action, inputs } of forms) {
    assert.equal(method, "post", action)
    assert.equal(inputs.get("csrf")?.attributes.get("value"), "csrf-value", action)
  }
})

test("every field has a label, and what describes it is on the page", () => {
  const pages = [...plain, ...hostile].filter(([, page]) => page.includes("<input"))
  for (const [name, page] of pages) {
    const tags = tagsOf(page)
    const ids = tags.flatMap(({ attributes }) => attributes.get("id") ?? [])
    assert.deepEqual(ids, [...new Set(ids)], name)
    const labelled = tags.flatMap((tag) => (tag.name === "label" ? [tag.attributes.get("for")] : []))
    for (const { name: element, attributes } of tags) {
      if (element === "input" && attributes.get("type") !== "hidden")
        assert.ok(labelled.includes(attributes.get("id")), name)
      for (const key of ["aria-describedby", "aria-labelledby"])
        for (const id of attributes.get(key)?.split(" ") ?? []) assert.ok(ids.includes(id), `${name}: ${id}`)
    }
  }
})

test("AUTHZ-12, ERR-12 an error page shows nothing of the request and leads nowhere but home", () => {
  for (const error of Object.values(kinds)) {
    const page = renderError({ ...samplePage("/auth"), error })
    assert.deepEqual(formsOf(page), [])
    const links = tagsOf(page).filter(({ name }) => name === "a")
    for (const { attributes } of links) assert.equal(attributes.get("href"), "/auth/account", error.kind)
    assert.equal(links.length, error.kind === "notFound" ? 1 : 0, error.kind)
  }
})
