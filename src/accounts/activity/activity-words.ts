/** The sentence for each kind of event, addressed to the account holder. */
import { withPeriod } from "../../kernel/words.ts"
import { isOfIcon, isOfPermissions } from "../../model/clients/app-difference.rules.ts"
import type { QuietEnd, RevokedBecause } from "../../model/credential.rules.ts"
import type { EventKind } from "../../model/event.rules.ts"
import { type Html, html, type Insertable } from "../../kernel/html.ts"
import { shownName } from "../../platform/ui/shown-text.ts"

type EventFacts = {
  /** The name of the app, in a form that fits into a sentence. */
  readonly app: Html
  /** Whether an administrator, or the command line, caused the event. */
  readonly isByAdministrator: boolean
  readonly detail: string | null
}

export type Sentence = {
  readonly text: Insertable
  readonly more?: Insertable
  /** Whether the list marks the event as important. */
  readonly isSerious?: boolean
}

type Words = (facts: EventFacts) => Sentence

const plain =
  (text: string): Words =>
  () => ({ text })
const ofApp =
  (before: string, after = "."): Words =>
  ({ app }) => ({ text: html`${before} ${after === "." ? closing(app) : html`${app}${after}`}` })

/** Ends a sentence with a name, which may end with a period. */
function closing(name: Html | false): Html {
  const ended = html`${name}`
  return String(ended).endsWith(".</bdi>") ? ended : html`${ended}.`
}

const NOT_YOU = "If that was not you, change your password."

const words: { readonly [K in EventKind]: Words } = {
  "account-added": plain("Your account was made."),
  "account-changed": plain("Your account got another name."),
  "account-disabled": () => ({
    text: "An administrator disabled your account.",
    more: "You were signed out everywhere, and no app could act for you until it was enabled again.",
    isSerious: true,
  }),
  "account-enabled": plain("An administrator enabled your account again."),
  "account-removed": plain("Your account was removed."),
  "administration-granted": plain("You became an administrator of this service."),
  "administration-withdrawn": () => ({
    text: "You are not an administrator any more.",
    more: "What only administrators may do is out of reach for your apps as well.",
  }),
  "password-changed": ({ isByAdministrator }) => ({
    text: isByAdministrator ? "An administrator set another password for you." : "You changed your password.",
    more: html`Every other browser was signed out.${!isByAdministrator && ` ${NOT_YOU}`}`,
  }),
  "email-changed": ({ isByAdministrator }) => ({
    text: isByAdministrator
      ? "An administrator set another e-mail address for you."
      : "You changed your e-mail address.",
    more: isByAdministrator ? undefined : NOT_YOU,
  }),
  "email-restored": () => ({
    text: "A change of your e-mail address was undone.",
    more: "Every browser was signed out. Set a new password.",
    isSerious: true,
  }),
  "email-removed": ({ isByAdministrator }) => ({
    text: `${isByAdministrator ? "An administrator" : "You"} removed your e-mail address.`,
  }),
  "recovery-link-made": ({ isByAdministrator }) => ({
    text: isByAdministrator
      ? "An administrator made a link for a new password."
      : "A link for a new password was sent to your e-mail address.",
  }),
  "recovery-refused": ({ detail }) => ({
    text: "Someone asked for a link for a new password.",
    more: withPeriod(`None was sent${detail === null ? "" : `: ${detail}`}`),
  }),
  "factor-added": ({ detail }) => ({ text: html`A second step was added${closing(factor(detail))}` }),
  "factor-removed": ({ detail }) => ({ text: html`A second step was removed${closing(factor(detail))}` }),
  "factors-reset": () => ({
    text: "An administrator removed all your second steps.",
    more: "Every browser was signed out.",
    isSerious: true,
  }),
  "factor-refused": ({ detail }) =>
    refusedCodes(detail) ?? { text: `${wrongProof(detail)} was not right.`, more: NOT_YOU },
  "codes-closed": () => ({
    text: "Too many wrong codes were entered for your account.",
    more: "Codes now work only in browsers that have signed in before. A code in such a browser, a passkey or an administrator opens them again.",
    isSerious: true,
  }),
  "codes-opened": () => ({ text: "Codes for your account work in every browser again." }),
  "recovery-code-used": ({ detail }) => ({
    text: html`A recovery code was used${detail !== null && html` (${shownName(detail, "", 20)})`}.`,
  }),
  "identity-linked": ({ detail, isByAdministrator }) => ({
    text: connected(detail, isByAdministrator),
    more: "You can sign in with it. If that was not you, disconnect it under Sign-in and security.",
    isSerious: true,
  }),
  "identity-unlinked": ({ detail, isByAdministrator }) => ({
    text: html`${isByAdministrator ? "An administrator" : "You"} disconnected your account from
    ${closing(provider(detail))}`,
  }),
  "signed-in": ({ detail }) => ({ text: html`You signed in ${signedInBy(detail)}.` }),
  "sign-in-refused": ({ detail }) => ({
    text:
      detail === null
        ? "Someone tried to sign in to your account with a wrong password."
        : html`Someone tried to sign in to your account through ${closing(provider(detail))}`,
    more: "They did not get in.",
  }),
  "guessing-suspected": () => ({
    text: "Several wrong passwords or codes were entered for your account, one after another.",
    more: "Further tries had to wait. If that was not you, set a password that you use nowhere else.",
    isSerious: true,
  }),
  "signed-out": ({ detail }) => ({ text: signedOut(detail) }),
  "app-registered": ({ app, isByAdministrator }) => ({
    text: isByAdministrator
      ? html`An administrator registered ${app} in your name.`
      : html`You registered ${closing(app)}`,
  }),
  "app-changed": ({ app, isByAdministrator, detail }) => ({
    text: html`${isByAdministrator ? "An administrator" : "You"} changed
    ${isOfIcon(detail) ? "the icon of" : isOfPermissions(detail) ? "what may be asked for by" : ""}
    ${closing(app)}`,
  }),
  "app-disabled": ({ app, isByAdministrator }) => ({
    text: html`${isByAdministrator ? "An administrator" : "You"} disabled ${closing(app)}`,
  }),
  "app-enabled": ({ app, isByAdministrator }) => ({
    text: html`${isByAdministrator ? "An administrator" : "You"} enabled ${app} again.`,
  }),
  "app-removed": ({ isByAdministrator, detail: name }) => ({
    text: html`${isByAdministrator ? "An administrator" : "You"} removed
    ${closing(name === null ? html`an app of yours` : html`<bdi>${shownName(name, "an app without a name")}</bdi>`)}`,
  }),
  "app-secret-rotated": ({ app, isByAdministrator }) => ({
    text: html`${isByAdministrator ? "An administrator" : "You"} made a new secret for ${closing(app)}`,
  }),
  "service-account-bound": ofApp("An administrator lets", " act as this account."),
  consented: ofApp("You allowed", " to use your account."),
  "consent-refused": ofApp("You refused"),
  "device-approved": ofApp("You allowed", " on a device to use your account."),
  "device-refused": ofApp("You refused", " on a device."),
  elevated: ofApp("You confirmed that it was you, for"),
  "elevation-refused": ofApp("You did not confirm that it was you, for"),
  "code-exchanged": ({ app }) => ({ text: html`${app} signed in.` }),
  "device-code-redeemed": ({ app }) => ({ text: html`${app} signed in on a device.` }),
  "imported-token-exchanged": ({ app }) => ({
    text: html`${app} moved in from another service and stayed signed in.`,
  }),
  "code-replayed": ({ app }) => ({
    text: html`${app} was signed out: the code that it signed in with came a second time.`,
    more: "Someone may have copied the code on its way, so the access was ended. Sign in to the app again.",
    isSerious: true,
  }),
  "refresh-repeated-elsewhere": ({ app, detail }) => ({
    text: html`A key of ${app} was used from two networks within a minute.`,
    more: html`${firstFrom(detail)}A device that changes networks, as from Wi-Fi to mobile data, can cause
    this. If you do not know both addresses, the key may have been copied: end its access under Apps and
    devices, and sign in to the app again.`,
    isSerious: true,
  }),
  "refresh-token-reused": ({ app }) => ({
    text: html`${app} was signed out: a key that it had replaced long ago was used again.`,
    more: "Someone may have copied the key, or the app went back to an old state, as from a backup. So the access was ended. Sign in to the app again.",
    isSerious: true,
  }),
  "credential-revoked": ({ app, detail }) => ({ text: revoked(app, detail) }),
  imported: plain("Accounts moved in from another service."),
  "service-secret-replaced": plain("The secret of this service was replaced."),
  "service-secret-forgotten": plain("The secret of this service was lost, and replaced."),
  "setting-changed": plain("A setting of this service was changed."),
}

export function eventSentence(kind: EventKind, facts: EventFacts): Sentence {
  return words[kind](facts)
}

/** The app's owner or an administrator made the change. */
export function usedAppSentence(kind: EventKind, app: Html): Sentence {
  if (kind === "app-disabled")
    return { text: html`${app} was disabled.`, more: "It could not act for you until it was enabled again." }
  if (kind === "app-enabled") return { text: html`${app} was enabled again.` }
  return {
    text: html`What ${app} may do was changed.`,
    more: "Apps and devices shows what it can do for you now.",
  }
}

const quietEnds: { readonly [K in QuietEnd]: (app: Html) => Sentence } = {
  idle: (app) => ({
    text: html`${app} was signed out: it had not been used for ninety days.`,
    more: "Sign in to the app again.",
  }),
  lifetime: (app) => ({
    text: html`${app} was signed out: a year had passed since you allowed it.`,
    more: "Sign in to the app again.",
  }),
  "app-removed": (app) => ({
    text: html`${app} was signed out: the app was removed from this service.`,
    more: "It has to register again before you can sign in to it.",
  }),
}

export function quietEndSentence(because: QuietEnd, app: Html): Sentence {
  return quietEnds[because](app)
}

const revocations: { readonly [K in RevokedBecause]: (app: Html) => Html } = {
  app: (app) => html`${app} signed itself out.`,
  "account-holder": (app) => html`You ended the access of ${closing(app)}`,
  administrator: (app) => html`An administrator ended the access of ${closing(app)}`,
  "code-replayed": (app) => html`${app} was signed out: the code that it signed in with came a second time.`,
  "refresh-token-reused": (app) =>
    html`${app} was signed out: a key that it had replaced long ago was used again.`,
  "account-removed": (app) => html`The access of ${app} ended with the account.`,
  "app-removed": (app) => html`The access of ${app} ended with the app.`,
  "session-ended": (app) =>
    html`${app} was signed out: its access ends with the sign-in in which you allowed it.`,
}

function revoked(app: Html, detail: string | null): Html {
  const because = detail !== null && Object.hasOwn(revocations, detail) ? (detail as RevokedBecause) : null
  return because === null ? html`The access of ${app} was ended.` : revocations[because](app)
}

const proofs: ReadonlyMap<string, string> = new Map([
  ["passkey", "with a passkey"],
  ["totp", "with your password and a code"],
  ["recovery", "with your password and a recovery code"],
])

function signedInBy(detail: string | null): Insertable {
  const [, through, second] = /^through ([^,]*)(?:, then (.*))?$/s.exec(detail ?? "") ?? []
  if (through === undefined) return proofs.get(detail ?? "") ?? "with your password"
  const more = second === undefined ? "" : ` and ${secondSteps.get(second) ?? "a second step"}`
  return html`through ${provider(through)}${more}`
}

const secondSteps: ReadonlyMap<string, string> = new Map([
  ["passkey", "with a passkey"],
  ["totp", "with a code"],
  ["recovery", "with a recovery code"],
])

function connected(detail: string | null, isByAdministrator: boolean): Html {
  const [, name] = /^([a-z0-9-]+) by e-mail address: /.exec(detail ?? "") ?? []
  return name === undefined
    ? html`${isByAdministrator ? "An administrator" : "You"} connected your account to
      ${closing(provider(detail))}`
    : html`Your account was connected to ${provider(name)} by its e-mail address.`
}

/** Reads event details such as `google: alice@example.org`. */
function provider(detail: string | null): Html {
  return html`<bdi>${shownName((detail ?? "").replace(/:.*/s, ""), "a sign-in provider")}</bdi>`
}

const wrongProofs: ReadonlyMap<string, string> = new Map([
  ["password", "The password, asked for again while you were signed in,"],
  ["code", "A code for your account"],
  ["passkey", "A passkey for your account"],
])

/** Reads event details such as `passkey: its count went back`. */
function wrongProof(detail: string | null): string {
  return wrongProofs.get(detail?.replace(/:.*/s, "") ?? "") ?? "A proof that it was you"
}

/** Reads event details such as `code: 7 in a row` and `code from a known browser: 7 in a row`. */
function refusedCodes(detail: string | null): Sentence | null {
  const [, isKnown, count] = /^code( from a known browser)?: (\d+) in a row$/.exec(detail ?? "") ?? []
  if (count === undefined) return null
  const from = isKnown === undefined ? "" : ", from a browser that had signed in before,"
  return count === "1"
    ? { text: `A code for your account${from} was not right.`, more: NOT_YOU }
    : {
        text: `${count} codes in a row for your account${from} were not right.`,
        more: `Time and network address are those of the first. ${NOT_YOU}`,
      }
}

const signOuts: ReadonlyMap<string, string> = new Map([
  ["from another browser", "You signed another browser out."],
  ["every other browser", "You signed every other browser out."],
  ["by an app", "An app of yours signed a browser out."],
])

function signedOut(detail: string | null): string {
  return signOuts.get(detail ?? "") ?? "You signed out."
}

/** Reads event details such as `first from 192.0.2.7`. */
function firstFrom(detail: string | null): Html | false {
  const [, address] = /^first from ([0-9a-f.:]+)$/.exec(detail ?? "") ?? []
  return address !== undefined && html`The first was <bdi>${address}</bdi>. `
}

/** Reads event details such as `totp: My phone`. */
function factor(detail: string | null): Html | false {
  const name = shownName((detail ?? "").replace(/^[a-z]+: /, ""), "")
  return name !== "" && html`: <bdi>${name}</bdi>`
}
