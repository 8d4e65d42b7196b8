/** Renders the sign-in page, alone or as the first step of an authorization. */
import { alert, field, hidden } from "../../platform/ui/form.ts"
import { type Html, html, type Insertable } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { type AppView, appTile } from "../../platform/ui/monogram.ts"
import { passkeyForm, type PasskeyView } from "./passkey.view.ts"
import { type ProviderButton, providerButtons } from "./provider-buttons.view.ts"
import { hiddenFields } from "./proof.view.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { waitInWords } from "../../platform/ui/words.ts"

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
}

function problemText(problem: SignInProblem): Insertable {
  switch (problem.problem) {
    case "wrong":
      return "The username or password is not correct."
    case "passkey":
      return "That passkey did not work. Try again, or sign in with your password."
    case "throttled":
      return `Too many attempts. Wait ${waitInWords(problem.retryAfterSeconds)}, then try again.`
    case "busy":
      return "Too many people are signing in right now. Your password was not checked. Wait a few seconds, then try again."
    case "stale":
      return "This page has expired. Sign in again."
    case "provider":
      return problem.text
  }
}

function heading({ basePath, app, isServiceEmpty }: SignInInput): Html {
  if (app === null)
    return html`<h1>Sign in</h1>
      ${
        isServiceEmpty &&
        html`<p class="lead">
          No account exists yet. Open the set-up link that the service printed. Restart the service to get a
          new link.
        </p>`
      }`
  const name = shownName(app.name, "an app without a name")
  return html`${appTile(basePath, app)}
    <h1>Sign in to continue to <bdi class="name">${name}</bdi></h1>
    <p class="lead">Before it gets access, you will see what it asks for.</p>`
}

export function renderSignIn(input: SignInInput): string {
  const { basePath, csrf, continueTo, username, passkey, providers, problem } = input
  const describedBy = problem?.problem === "wrong" ? "problem" : null
  const main = html`${heading(input)} ${problem && alert(problemText(problem))}
    <form class="stack" method="post" action="${basePath}/sign-in">
      ${hidden("csrf", csrf)}${continueTo !== null && hidden("continue", continueTo)}
      ${field({
        name: "username",
        label: "Username",
        type: "text",
        autocomplete: "username",
        value: username,
        describedBy,
        autofocus: username === "",
      })}
      ${field({
        name: "password",
        label: "Password",
        type: "password",
        autocomplete: "current-password",
        describedBy,
        autofocus: username !== "",
      })}
      <button class="primary">Sign in</button>
    </form>
    ${input.offersRecovery === true && html`<p class="note"><a href="${basePath}/recover${continueTo !== null && `?continue=${encodeURIComponent(continueTo)}`}">Forgot your password?</a></p>`}
    ${
      passkey !== null &&
      passkeyForm({
        action: `${basePath}/sign-in/passkey`,
        passkey,
        fields: hiddenFields({ csrf, continue: continueTo }),
        button: "Use a passkey",
        look: "quiet",
      })
    }
    ${providerButtons(basePath, providers, hiddenFields({ csrf, continue: continueTo }))}`
  return renderDocument(input, { title: "Sign in", main, script: passkey?.script })
}
