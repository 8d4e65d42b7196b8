/** The page where a person types the code of a device. Interface DPAGE-*; RFC 8628 §3.3. */
import { alert, signOutForm } from "../../platform/ui/form.ts"
import { html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { waitInWords } from "../../platform/ui/words.ts"

export type DeviceProblem =
  /** "none" stands for unknown, expired and answered codes, so that the page does not reveal which codes exist. */
  { readonly problem: "none" } | { readonly problem: "throttled"; readonly retryAfterSeconds: number }

type DeviceInput = PageInput & {
  readonly csrf: string
  readonly username: string
  readonly typed: string
  readonly problem: DeviceProblem | null
}

function problemText(problem: DeviceProblem): string {
  return problem.problem === "none"
    ? "That code is not valid. Check it, or get a new one from your device. A code works once, for ten minutes."
    : `Too many invalid codes. Wait ${waitInWords(problem.retryAfterSeconds)}, then try again.`
}

const LENGTH_AT_MOST = 20

/** A link can put any text into the field, so the page shows only characters that codes contain. */
function shownCode(typed: string): string {
  return typed.replaceAll(/[^A-Za-z0-9 -]/g, "").slice(0, LENGTH_AT_MOST)
}

export function renderDevice(input: DeviceInput): string {
  const { basePath, csrf, username, typed, problem } = input
  const isWrong = problem?.problem === "none"
  const main = html`<h1>Connect a device</h1>
    <p class="lead">
      Enter the code that your device shows. Before it gets access, you will see what it asks for.
    </p>
    ${problem && alert(problemText(problem))}
    <form class="stack" method="get" action="${basePath}/oauth/device">
      <div class="field">
        <label for="user_code">Code</label>
        <input
          class="code"
          id="user_code"
          name="user_code"
          type="text"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          maxlength="${LENGTH_AT_MOST}"
          placeholder="XXXX-XXXX"
          value="${shownCode(typed)}"
          ${isWrong && html` aria-invalid="true" aria-describedby="problem"`}
          required
          autofocus
        />
      </div>
      <button class="primary">Continue</button>
    </form>
    <div class="aside">
      Signed in as <strong><bdi>${shownName(username, "without a name")}</bdi></strong
      >. Not you? ${signOutForm(input, csrf)}
    </div>`
  return renderDocument(input, { title: "Connect a device", main })
}
