/** Account pages and mails have no text outside the file of the language. See `no-english.test.ts`. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { renderActivity } from "../../../src/accounts/activity/activity.view.ts"
import { eventSentence } from "../../../src/accounts/activity/activity-words.ts"
import { renderEmail } from "../../../src/accounts/email/email.view.ts"
import {
  renderLinkGone,
  renderLinkOfAnother,
  renderLinkQuestion,
  renderLinkUsed,
} from "../../../src/accounts/email/link.view.ts"
import { renderFactor } from "../../../src/accounts/security/factor.view.ts"
import { renderNewPasskey } from "../../../src/accounts/security/new-passkey.view.ts"
import { renderNewPassword } from "../../../src/accounts/security/new-password.view.ts"
import { renderAskRecovery, renderRecoveryCodes } from "../../../src/accounts/security/recovery-codes.view.ts"
import { renderSecurity } from "../../../src/accounts/security/security.view.ts"
import { renderTotp } from "../../../src/accounts/security/totp.view.ts"
import { renderBrowsers } from "../../../src/accounts/sessions/browsers.view.ts"
import { renderSignedOut } from "../../../src/accounts/sessions/signed-out.view.ts"
import { html } from "../../../src/kernel/html.ts"
import { eventKinds } from "../../../src/model/event.rules.ts"
import { mailKinds } from "../../../src/model/mail/mail.rules.ts"
import { messageOf } from "../../../src/platform/mail/messages/message.ts"
import {
  activity,
  browsers,
  factor,
  newPasskey,
  newPassword,
  person as signedIn,
  security,
  setup,
  totp,
} from "../ui/sample.ts"
import { outside, texts } from "./bracketed.ts"

const page = { ...setup, texts }
const person = { ...signedIn, texts }
const phone = { ...factor.factor, name: "1" }
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
const passkeyFactor = { ...factor.factor, kind: "passkey", name: "Passkey", usedAt: null } as const

const pages: Readonly<Record<string, string>> = {
  activity: renderActivity({ ...activity, texts }),
  browsers: renderBrowsers({ ...browsers, texts, more: 2 }),
  "signed out": renderSignedOut(page),
  security: renderSecurity({ ...security, texts, factors: [phone] }),
  "security of a new account": renderSecurity({
    ...security,
    texts,
    factors: [],
    hasPassword: false,
    offersPasskeys: false,
    email: null,
    browsers: 1,
  }),
  factor: renderFactor({ ...factor, texts, factor: phone }),
  "last factor": renderFactor({ ...factor, texts, factor: passkeyFactor, isLast: true }),
  totp: renderTotp({ ...totp, texts }),
  passkey: renderNewPasskey({ ...newPasskey, texts }),
  "no passkeys": renderNewPasskey({ ...newPasskey, texts, passkey: null }),
  "new password": renderNewPassword({ ...newPassword, texts, problem: null }),
  "recovery codes": renderAskRecovery({ ...person, replaces: true }),
  "recovery codes shown": renderRecoveryCodes({ ...person, host: "id.example", codes: [] }),
  email: renderEmail(email),
  "email sent": renderEmail({ ...email, current: "ada@example.org", sentTo: "ada@example.org" }),
  "email off": renderEmail({ ...email, sendsMail: false }),
  "confirm address": renderLinkQuestion({ ...link, purpose: "confirm-address" }),
  "restore address": renderLinkQuestion({ ...link, purpose: "restore-address" }),
  "link of another": renderLinkOfAnother({ ...page, continueTo: "", username: "", signedInAs: "" }),
  "link used": renderLinkUsed({ ...page, used: "restored" }),
  "link gone": renderLinkGone({ ...page, signIn: "" }),
}

const details = [
  null,
  "totp: Phone",
  "passkey",
  "through google, then totp",
  "code: 7 in a row",
  "first from 192.0.2.7",
]

describe("every text of an account page comes from the file of the language", () => {
  for (const [name, text] of Object.entries(pages))
    test(name, () => {
      assert.match(text, /⟦/)
      assert.equal(outside(text), "")
    })
})

test("every sentence about an event comes from the file of the language", () => {
  for (const kind of eventKinds)
    for (const isByAdministrator of [true, false])
      for (const detail of details) {
        const sentence = eventSentence(texts, kind, { app: html`<bdi>A</bdi>`, isByAdministrator, detail })
        assert.match(String(sentence.text), /^⟦/)
        assert.equal(outside(`${String(sentence.text)} ${String(sentence.more ?? "")}`), "", kind)
      }
})

test("every text of a mail comes from the file of the language", () => {
  for (const kind of mailKinds) {
    const app = { known: "name", app: "A" } as const
    const facts = { operator: "1", baseUrl: "", when: "2", networkAddress: "3", app, secret: null }
    const { subject, heading, paragraphs, facts: shown, action, last } = messageOf(texts, kind, facts)
    const all = [subject, heading, ...paragraphs, ...shown.map(([name]) => name), action.label, last]
    for (const text of all) assert.match(text, /^⟦[^]*⟧$/)
  }
})
