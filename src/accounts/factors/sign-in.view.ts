/** Renders the sign-in page, alone or as the first step of an authorization. */
import { alert, field, hidden } from "../../platform/ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { type AppView, appTile } from "../../platform/ui/monogram.ts"
import { passkeyForm, type PasskeyView } from "./passkey.view.ts"
import { type ProviderButton, providerButtons } from "./provider-buttons.view.ts"
import { hiddenFields } from "./proof.view.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { waitOf } from "../../platform/languages/span.rules.ts"
import type { Texts } from "../../platform/languages/texts.ts"

export type SignInProblem =
  /** An unknown name and a wrong password get the same message. */
  | { readonly problem: "wrong" }
  /** The passkey is unknown or failed its check. */
  | { readonly problem: "passkey" }
  | { readonly problem: "throttled"; readonly retryAfterSeconds: number }
  /** The password was not checked, because too many checks are waiting. */
  | { readonly problem: "busy" }
  /** The form expired, or another tab signed out. */
  | { readonly problem: "stale" }
  /** A sign-in through a provider did not succeed. */
  | { readonly problem: "provider"; readonly text: Html }

export type SignInInput = PageInput & {
  readonly csrf: string
  /** The sealed destination after sign-in, sent as `continue`. Null stands for the account page. */
  readonly continueTo: string | null
  /** The app of the authorization request that requires this sign-in, or null. */
  readonly app: AppView | null
  /** Whether no account exists yet. The set-up link creates the first one. */
  readonly isServiceEmpty: boolean
  readonly username: string
  /** The value is null if passkeys do not work at the base URL. */
  readonly passkey: PasskeyView | null
  readonly providers: readonly ProviderButton[]
  /** Whether a person can get a link for a new password by e-mail. */
  readonly offersRecovery?: boolean
  readonly problem: SignInProblem | null
  /** The application through which all but administrators sign in. Null if the form is for all. */
  readonly administratorsBeside?: string | null
}

function problemText(texts: Texts, problem: SignInProblem): Html {
  switch (problem.problem) {
    case "wrong":
      return texts.html("sign-in.wrong")
    case "passkey":
      return texts.html("sign-in.wrong-passkey")
    case "throttled":
      return texts.html("common.throttled", waitOf(problem.retryAfterSeconds))
    case "busy":
      return texts.html("sign-in.busy")
    case "stale":
      return texts.html("sign-in.stale")
    case "provider":
      return problem.text
  }
}

function heading({ basePath, app, isServiceEmpty, texts }: SignInInput): Html {
  if (app === null)
    return html`<h1>${texts.html("sign-in.title")}</h1>
      ${isServiceEmpty && html`<p class="lead">${texts.html("sign-in.no-account-yet")}</p>`}`
  const name = shownName(app.name, texts.plain("common.nameless-app"))
  return html`${appTile(basePath, app)}
    <h1>${texts.html("sign-in.title-for-app", { app: html`<bdi class="name">${name}</bdi>` })}</h1>
    <p class="lead">${texts.html("sign-in.lead-for-app")}</p>`
}

export function renderSignIn(input: SignInInput): string {
  const { basePath, csrf, continueTo, username, passkey, providers, problem, texts } = input
  const { administratorsBeside: label = null } = input
  const describedBy = problem?.problem === "wrong" ? "problem" : null
  const main = html`${heading(input)}
    ${label !== null && html`<p class="lead">${texts.html("sign-in.administrators", { provider: html`<bdi>${label}</bdi>` })}</p>`}
    ${problem && alert(problemText(texts, problem))}
    <form class="stack" method="post" action="${basePath}/sign-in">
      ${hidden("csrf", csrf)}${continueTo !== null && hidden("continue", continueTo)}
      ${field({
        name: "username",
        label: texts.plain("common.username"),
        autocomplete: "username",
        value: username,
        describedBy,
        autofocus: username === "",
      })}
      ${field({
        name: "password",
        label: texts.plain("common.password"),
        type: "password",
        autocomplete: "current-password",
        describedBy,
        autofocus: username !== "",
      })}
      <button class="primary">${texts.html("sign-in.button")}</button>
    </form>
    ${input.offersRecovery === true && html`<p class="note"><a href="${basePath}/recover${continueTo !== null && `?continue=${encodeURIComponent(continueTo)}`}">${texts.html("sign-in.forgot-password")}</a></p>`}
    ${
      passkey !== null &&
      passkeyForm(texts, {
        action: `${basePath}/sign-in/passkey`,
        passkey,
        fields: hiddenFields({ csrf, continue: continueTo }),
        button: texts.plain("sign-in.use-passkey"),
        look: "quiet",
      })
    }
    ${providerButtons(input, providers, hiddenFields({ csrf, continue: continueTo }))}`
  return renderDocument(input, { title: texts.plain("sign-in.title"), main, script: passkey?.script })
}
