/** Pages before the sign-in and pages of the account have no text outside of the language's file. */
import { renderProve } from "../../../../src/accounts/guards/reauthenticate.view.ts"
import { reauthenticationPrompt } from "../../../../src/accounts/guards/reauthentication-prompt.ts"
import { renderStartAgain } from "../../../../src/accounts/guards/start-again.view.ts"
import { renderBackToApplication } from "../../../../src/accounts/providers/application/back.view.ts"
import { renderChooseName } from "../../../../src/accounts/providers/choose-name.view.ts"
import { connectionsSection } from "../../../../src/accounts/providers/connections.view.ts"
import { renderContinue } from "../../../../src/accounts/providers/continue.view.ts"
import { renderProviderProblem } from "../../../../src/accounts/providers/problem.view.ts"
import { failureInWords, noAccountInWords } from "../../../../src/accounts/providers/provider-words.ts"
import {
  renderAskForLink,
  renderLinkOnItsWay,
  renderNewPasswordByLink,
  renderProofForLink,
  renderRecoveryWithoutMail,
} from "../../../../src/accounts/recovery/recovery.view.ts"
import { renderSetup, renderSetupGone } from "../../../../src/accounts/set-up/set-up.view.ts"
import { renderSecondStep } from "../../../../src/accounts/sign-in/second-step.view.ts"
import { renderSignIn, type SignInProblem } from "../../../../src/accounts/factors/sign-in.view.ts"
import { renderActivity } from "../../../../src/accounts/activity/activity.view.ts"
import { renderEmail } from "../../../../src/accounts/email/email.view.ts"
import {
  renderLinkGone,
  renderLinkOfAnother,
  renderLinkQuestion,
  renderLinkUsed,
} from "../../../../src/accounts/email/link.view.ts"
import {
  renderInvitation,
  renderInvitedPasskey,
} from "../../../../src/accounts/invitations/invitation.view.ts"
import { renderFactor } from "../../../../src/accounts/security/factor.view.ts"
import { renderNewPasskey } from "../../../../src/accounts/security/new-passkey.view.ts"
import { renderNewPassword } from "../../../../src/accounts/security/new-password.view.ts"
import {
  renderAskRecovery,
  renderRecoveryCodes,
} from "../../../../src/accounts/security/recovery-codes.view.ts"
import { renderSecurity } from "../../../../src/accounts/security/security.view.ts"
import { renderTotp } from "../../../../src/accounts/security/totp.view.ts"
import { renderBrowsers } from "../../../../src/accounts/sessions/browsers.view.ts"
import { renderSignedOut } from "../../../../src/accounts/sessions/signed-out.view.ts"
import { pseudoTexts as texts, testPages } from "../../../support/pseudo-language.ts"
import * as sample from "../../ui/sample.ts"

const page = { ...sample.signIn, ...sample.setup, texts }
const invited = { ...page, admin: true, email: "ada@example.org", signedInAs: "", offersPasskeys: true }
const onTheWay = { ...page, continueTo: null }
const person = { ...sample.person, texts }
const problems: readonly SignInProblem[] = [
  { problem: "wrong" },
  { problem: "passkey" },
  { problem: "throttled", retryAfterSeconds: 61 },
  { problem: "busy" },
  { problem: "stale" },
]
const accepts = { totp: true, recovery: true, password: true }
const proof = { accepts, passkey: sample.passkey, problem: null }
const provider = { name: "work", label: "Work", icon: null }
const connection = { identityHash: "hash", label: "Work", shownName: "ada@work", linkedAt: 1_773_300_000 }
const actions = [
  "/account/security/password",
  "/account/email",
  "/account/end-access",
  "/account/apps/secret",
]
const email = {
  ...person,
  current: null,
  sentTo: null,
  typed: "",
  problem: null,
  later: null,
  sendsMail: true,
}
const link = { ...page, action: "", link: "", address: "", username: "" }
const passkeyFactor = { ...sample.factor.factor, kind: "passkey", name: "Passkey", usedAt: null } as const

testPages(
  {
    "sign-in": renderSignIn({ ...page, isServiceEmpty: true, offersRecovery: true, providers: [provider] }),
    "sign-in for an app": renderSignIn({ ...page, app: { ...sample.app, name: "" } }),
    ...Object.fromEntries(
      problems.map((problem) => [`sign-in: ${problem.problem}`, renderSignIn({ ...page, problem })]),
    ),
    "second step": renderSecondStep({ ...sample.secondStep, texts, proof }),
    "a wrong code": renderSecondStep({
      ...sample.secondStep,
      texts,
      proof: { ...proof, problem: { problem: "closed" } },
    }),
    "set-up": renderSetup(page),
    "set-up gone": renderSetupGone(page),
    invitation: renderInvitation({
      ...invited,
      providers: [provider],
      problem: { name: "", password: "" },
    }),
    "invitation passkey": renderInvitedPasskey({ ...invited, problem: null }),
    "invitation gone": renderLinkGone({ ...page, of: "invitation-gone", signIn: "/sign-in" }),
    recover: renderAskForLink({ ...onTheWay, typed: "", problem: null, later: null }),
    "recover sent": renderLinkOnItsWay(onTheWay),
    "recover without mail": renderRecoveryWithoutMail(onTheWay),
    "recover proof": renderProofForLink({ ...onTheWay, proof }),
    "recover password": renderNewPasswordByLink({ ...onTheWay, ticket: "", problem: null }),
    "start again": renderStartAgain({ ...page, username: "ada", next: "/account" }),
    prove: renderProve({
      ...sample.prove,
      texts,
      prompt: { ...reauthenticationPrompt(texts, "/account/email"), action: null },
      providers: [provider],
    }),
    ...Object.fromEntries(
      actions.map((path) => [
        path,
        renderProve({ ...sample.prove, texts, prompt: reauthenticationPrompt(texts, path) }),
      ]),
    ),
    "choose name": renderChooseName({ ...page, action: "", ticket: "", problem: null }),
    "back to an application": renderBackToApplication({
      ...page,
      name: "shop",
      label: "Work",
      text: failureInWords(texts, { preset: "application", label: "Work" }, { kind: "stale" }).text,
      requestId: "",
    }),
    continue: renderContinue({ ...page, label: "Work", url: "https://id.example" }),
    problem: renderProviderProblem({
      ...person,
      title: texts.plain("provider.failed.link"),
      text: noAccountInWords(texts, "Work", "domain", "ada@work").text,
      requestId: "",
    }),
    connections: String(
      connectionsSection(person, {
        connections: [
          { ...connection, isOffered: true },
          { ...connection, shownName: null, isOffered: false },
        ],
        providers: [provider],
      }),
    ),
    activity: renderActivity({ ...sample.activity, texts }),
    browsers: renderBrowsers({ ...sample.browsers, texts, more: 2 }),
    "signed out": renderSignedOut({
      ...page,
      look: { ...page.look, support: "/", terms: "/", privacy: "/" },
      self: "/",
    }),
    security: renderSecurity({ ...sample.security, texts }),
    "security of a new account": renderSecurity({
      ...sample.security,
      texts,
      factors: [],
      hasPassword: false,
      offersPasskeys: false,
      email: null,
      browsers: 1,
    }),
    factor: renderFactor({ ...sample.factor, texts }),
    "last factor": renderFactor({ ...sample.factor, texts, factor: passkeyFactor, isLast: true }),
    totp: renderTotp({ ...sample.totp, texts }),
    "new passkey": renderNewPasskey({ ...sample.newPasskey, texts }),
    "no passkeys": renderNewPasskey({ ...sample.newPasskey, texts, passkey: null }),
    "new password": renderNewPassword({ ...sample.newPassword, texts, problem: null }),
    "recovery codes": renderAskRecovery({ ...person, replaces: true }),
    "recovery codes shown": renderRecoveryCodes({ ...person, host: "id.example", codes: [] }),
    email: renderEmail(email),
    "email sent": renderEmail({ ...email, current: "ada@example.org", sentTo: "ada@example.org" }),
    "email off": renderEmail({ ...email, sendsMail: false }),
    "confirm address": renderLinkQuestion({ ...link, purpose: "confirm-address" }),
    "restore address": renderLinkQuestion({ ...link, purpose: "restore-address" }),
    "link of another": renderLinkOfAnother({ ...page, continueTo: "", username: "", signedInAs: "" }),
    "link used": renderLinkUsed({ ...page, used: "restored" }),
    "link gone": renderLinkGone({ ...page, of: "gone", signIn: "" }),
  },
  [
    ...[
      "ada",
      "Ada's phone",
      "Ada's laptop",
      sample.app.name,
      "Work",
      "ada@work",
      "ada@example.org",
      "id.example",
    ],
    ...["Firefox", "Linux", "2001:db8::1", "JBSW Y3DP EHPK 3PXP"],
    ...["bin/latchkey app add", "bin/latchkey account recover NAME"],
  ],
)
