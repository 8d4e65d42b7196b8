/** The page where a person types the code of a device. Interface DPAGE-*; RFC 8628 §3.3. */
import { alert, signOutForm } from "../../platform/ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { waitOf } from "../../platform/languages/span.rules.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import { shownName } from "../../platform/ui/shown-text.ts"

export type DeviceProblem =
  /** "none" stands for unknown, expired and answered codes, so that the page does not reveal which codes exist. */
  { readonly problem: "none" } | { readonly problem: "throttled"; readonly retryAfterSeconds: number }

type DeviceInput = PageInput & {
  readonly csrf: string
  readonly username: string
  readonly typed: string
  readonly problem: DeviceProblem | null
}

function problemText(texts: Texts, problem: DeviceProblem): Html {
  return problem.problem === "none"
    ? texts.html("device.not-valid")
    : texts.html("device.throttled", waitOf(problem.retryAfterSeconds))
}

const LENGTH_AT_MOST = 20

/** A link can put any text into the field, so the page shows only characters that codes contain. */
function shownCode(typed: string): string {
  return typed.replaceAll(/[^A-Za-z0-9 -]/g, "").slice(0, LENGTH_AT_MOST)
}

export function renderDevice(input: DeviceInput): string {
  const { basePath, texts, csrf, username, typed, problem } = input
  const title = texts.plain("device.title")
  const account = html`<strong><bdi>${shownName(username, texts.plain("common.unnamed"))}</bdi></strong>`
  const isWrong = problem?.problem === "none"
  const main = html`<h1>${title}</h1>
    <p class="lead">${texts.html("device.lead")}</p>
    ${problem && alert(problemText(texts, problem))}
    <form class="stack" method="get" action="${basePath}/oauth/device">
      <div class="field">
        <label for="user_code">${texts.html("device.code")}</label>
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
      <button class="primary">${texts.html("common.continue")}</button>
    </form>
    <div class="aside">${texts.html("device.signed-in-as", { account })} ${signOutForm(input, csrf)}</div>`
  return renderDocument(input, { title, main })
}
