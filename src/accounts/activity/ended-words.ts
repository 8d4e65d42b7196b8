/** Why the access of an app ended, addressed to the account holder. */
import { type Html, html } from "../../kernel/html.ts"
import type { QuietEnd, RevokedBecause } from "../../model/credential.rules.ts"
import { closing, type Sentence } from "./detail-words.ts"

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

export function revoked(app: Html, detail: string | null): Html {
  const because = detail !== null && Object.hasOwn(revocations, detail) ? (detail as RevokedBecause) : null
  return because === null ? html`The access of ${app} was ended.` : revocations[because](app)
}
