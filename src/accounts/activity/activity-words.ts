/** The sentence for each kind of event, addressed to the account holder. */
import { withPeriod } from "../../kernel/words.ts"
import { isOfIcon, isOfPermissions } from "../../model/clients/app-difference.rules.ts"
import type { EventKind } from "../../model/event.rules.ts"
import { type Html, html } from "../../kernel/html.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import {
  closing,
  connected,
  factor,
  firstFrom,
  NOT_YOU,
  provider,
  refusedCodes,
  type Sentence,
  signedInBy,
  signedOut,
  wrongProof,
} from "./detail-words.ts"
import { revoked } from "./ended-words.ts"

type EventFacts = {
  /** The name of the app, in a form that fits into a sentence. */
  readonly app: Html
  /** Whether an administrator, or the command line, caused the event. */
  readonly isByAdministrator: boolean
  readonly detail: string | null
}

type Words = (facts: EventFacts & { readonly who: "You" | "An administrator" }) => Sentence

const plain =
  (text: string): Words =>
  () => ({ text })
const ofApp =
  (before: string, after = "."): Words =>
  ({ app }) => ({ text: html`${before} ${after === "." ? closing(app) : html`${app}${after}`}` })

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
  "email-removed": ({ who }) => ({
    text: `${who} removed your e-mail address.`,
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
  "identity-linked": ({ detail, who }) => ({
    text: connected(detail, who),
    more: "You can sign in with it. If that was not you, disconnect it under Sign-in and security.",
    isSerious: true,
  }),
  "identity-unlinked": ({ detail, who }) => ({
    text: html`${who} disconnected your account from ${closing(provider(detail))}`,
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
  "app-changed": ({ app, who, detail }) => ({
    text: html`${who} changed
    ${isOfIcon(detail) ? "the icon of" : isOfPermissions(detail) ? "what may be asked for by" : ""}
    ${closing(app)}`,
  }),
  "app-disabled": ({ app, who }) => ({
    text: html`${who} disabled ${closing(app)}`,
  }),
  "app-enabled": ({ app, who }) => ({
    text: html`${who} enabled ${app} again.`,
  }),
  "app-removed": ({ who, detail: name }) => ({
    text: html`${who} removed
    ${closing(name === null ? html`an app of yours` : html`<bdi>${shownName(name, "an app without a name")}</bdi>`)}`,
  }),
  "app-secret-rotated": ({ app, who }) => ({
    text: html`${who} made a new secret for ${closing(app)}`,
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
  return words[kind]({ ...facts, who: facts.isByAdministrator ? "An administrator" : "You" })
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
