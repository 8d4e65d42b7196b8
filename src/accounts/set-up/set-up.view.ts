/** Renders the page of the set-up link, which creates the first administrator. */
import { alert, field, hidden } from "../../platform/ui/form.ts"
import { html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { PRODUCT } from "../../model/appearance.rules.ts"

export type SetupProblem = {
  readonly field: "username" | "password"
  /** Tells the person how to fix the field. */
  readonly message: string
}

export type SetupInput = PageInput & {
  readonly csrf: string
  /** The secret of the set-up link, sent as `link`. */
  readonly link: string
  readonly username: string
  readonly problems: readonly SetupProblem[]
  readonly passwordLengthAtLeast: number
}

export function renderSetup(input: SetupInput): string {
  const { basePath, csrf, link, username, problems } = input
  const problem = (name: SetupProblem["field"]) => problems.find((p) => p.field === name)?.message ?? null
  const focusOnPassword = problem("username") === null && problem("password") !== null
  const main = html`<h1>Welcome to ${PRODUCT}</h1>
    <p class="lead">Create the first account. It will be the administrator of this service.</p>
    ${problems.length > 0 && alert("The account was not created. Check the fields below.")}
    <form class="stack" method="post" action="${basePath}/setup">
      ${hidden("csrf", csrf)}${hidden("link", link)}
      ${field({
        name: "username",
        label: "Username",
        type: "text",
        autocomplete: "username",
        value: username,
        problem: problem("username"),
        autofocus: !focusOnPassword,
      })}
      ${field({
        name: "password",
        label: "Password",
        type: "password",
        autocomplete: "new-password",
        hint: `At least ${input.passwordLengthAtLeast} characters. A few unrelated words make a good password.`,
        problem: problem("password"),
        autofocus: focusOnPassword,
      })}
      <button class="primary">Create the administrator</button>
    </form>
    <section class="next">
      <h2>What comes next</h2>
      <ol class="steps">
        <li><span>You are signed in, and this link stops working.</span></li>
        <li>
          <span>Register your first app with the <code>bin/latchkey app add</code> command.</span>
        </li>
        <li><span>When the app asks for access, you decide here what it may do.</span></li>
      </ol>
    </section>`
  return renderDocument(input, { title: "Set up", main })
}

type SetupGoneInput = PageInput

/** Renders the page for a set-up link that was used or replaced, or is unknown. */
export function renderSetupGone(input: SetupGoneInput): string {
  const { basePath } = input
  const main = html`<h1>This set-up link no longer works</h1>
    <p class="lead">A set-up link works once. A newer link replaces it.</p>
    <p>If there is no administrator yet, restart the service. It prints a new link.</p>
    <p class="actions"><a class="button" href="${basePath}/sign-in">Go to sign-in</a></p>`
  return renderDocument(input, { title: "Set-up link no longer valid", main })
}
