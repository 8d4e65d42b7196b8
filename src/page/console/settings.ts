/** What may be changed while the service runs. */
import { hidden } from "../form.ts"
import { type Html, html } from "../html.ts"
import { type ConsoleInput, heading, renderConsole, upTo } from "./frame.ts"

export type SettingView = {
  readonly key: string
  readonly value: string
  readonly default: string
  readonly isDefault: boolean
  readonly explanation: string
}

export type SettingsInput = ConsoleInput & { readonly settings: readonly SettingView[] }

export function renderSettings(input: SettingsInput): string {
  const { basePath, settings } = input
  const main = html`${heading("Settings")}
    <p class="note">
      What is changed here is in force on every node within a second. What is not here is in the configuration
      file.
    </p>
    <ul class="settings">
      ${settings.map((setting) => line(basePath, setting))}
    </ul>`
  return renderConsole(input, { title: "Settings", place: "settings", main })
}

function line(
  basePath: string,
  { key, value, default: byDefault, isDefault, explanation }: SettingView,
): Html {
  return html`<li>
    <div>
      <h2><code>${key}</code></h2>
      <p class="note">${explanation}</p>
    </div>
    <p class="value">
      <strong class="set"><bdi>${value}</bdi></strong>
      <span class="note">${isDefault ? "the default" : html`the default is ${byDefault}`}</span>
    </p>
    <a class="button" href="${basePath}/console/setting?key=${key}"
      >Change<span class="unseen"> ${key}</span></a
    >
  </li>`
}

export type SettingInput = ConsoleInput & {
  readonly setting: SettingView
  readonly typed: string
  readonly problem: string | null
}

export function renderSetting(input: SettingInput): string {
  const { basePath, csrf, setting, typed, problem } = input
  const { key, default: byDefault, isDefault, explanation } = setting
  const notes = problem === null ? "value-hint" : "value-problem value-hint"
  const action = `${basePath}/console/setting`
  const main = html`${heading(html`<code>${key}</code>`, false, upTo(basePath, "/settings", "Settings"))}
    <form class="stack" method="post" action="${action}">
      ${hidden("csrf", csrf)}${hidden("key", key)}
      <div class="field">
        <label for="value">Value</label>
        <p class="hint" id="value-hint">${explanation} The default is <strong>${byDefault}</strong>.</p>
        ${problem !== null && html`<p class="problem" id="value-problem" role="alert">${problem}</p>`}
        <input
          id="value"
          name="value"
          type="text"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          value="${typed}"
          required
          aria-describedby="${notes}"
          ${problem !== null && html`aria-invalid="true"`}
        />
      </div>
      <div class="deeds">
        <button class="primary">Save</button>
        ${!isDefault && html`<button class="quiet" name="default" value="yes" formnovalidate>Back to the default</button>`}
        <a class="button" href="${basePath}/console/settings">Leave it as it is</a>
      </div>
    </form>`
  return renderConsole(input, { title: key, place: "settings", main, narrow: true })
}
