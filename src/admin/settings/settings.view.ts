/** The console pages of settings. */
import { hidden } from "../../platform/ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"
import { options } from "../../platform/ui/fields.ts"
import { type ConsoleInput, heading, renderConsole, upTo } from "../../platform/ui/console/frame.ts"
import type { SettingRecord } from "./setting.ts"
import { settingInWords } from "../../platform/ui/console/setting-words.ts"

export type SettingsInput = ConsoleInput & {
  readonly settings: readonly SettingRecord[]
  /** Whether the configuration file names sign-in providers, which have a page of their own. */
  readonly hasProviders: boolean
  /** Whether e-mail is configured, which has a page of its own. */
  readonly sendsMail?: boolean
}

export function renderSettings(input: SettingsInput): string {
  const { basePath, settings, hasProviders, sendsMail = false } = input
  const main = html`${heading("Settings")}
    <p class="note">Changes take effect within a second. What is not here is in the configuration file.</p>
    <p class="note"><a href="${basePath}/console/appearance">Appearance</a></p>
    ${hasProviders && html`<p class="note"><a href="${basePath}/console/providers">Sign-in providers</a></p>`}
    ${sendsMail && html`<p class="note"><a href="${basePath}/console/mail">E-mail</a></p>`}
    <ul class="settings">
      ${settings.map((setting) => line(basePath, setting))}
    </ul>`
  return renderConsole(input, { title: "Settings", place: "settings", main })
}

function line(
  basePath: string,
  { key, value, default: byDefault, is_default: isDefault, explanation }: SettingRecord,
): Html {
  const { title, format } = settingInWords(key)
  return html`<li>
    <div>
      <h2>${title}</h2>
      <p class="note">${explanation}</p>
      <p class="note"><code>${key}</code></p>
    </div>
    <p class="value">
      <strong class="set"><bdi>${format(value)}</bdi></strong>
      <span class="note">${isDefault ? "the default" : html`the default is ${format(byDefault)}`}</span>
    </p>
    <a class="button" href="${basePath}/console/setting?key=${key}"
      >Change<span class="unseen"> ${title}</span></a
    >
  </li>`
}

export type SettingInput = ConsoleInput & {
  readonly setting: SettingRecord
  readonly typed: string
  readonly problem: string | null
}

export function renderSetting(input: SettingInput): string {
  const { basePath, csrf, setting } = input
  const { key, is_default: isDefault } = setting
  const { title } = settingInWords(key)
  const main = html`${heading(title, false, upTo(basePath, "/console/settings", "Settings"))}
    <form class="stack" method="post" action="${basePath}/console/setting">
      ${hidden("csrf", csrf)}${hidden("key", key)} ${valueField(input)}
      <p class="note"><code>${key}</code></p>
      <div class="deeds">
        <button class="primary">Save</button>
        ${!isDefault && html`<button class="quiet" name="default" value="yes" formnovalidate>Reset to default</button>`}
        <a class="button" href="${basePath}/console/settings">Cancel</a>
      </div>
    </form>`
  return renderConsole(input, { title, place: "settings", main, narrow: true })
}

function valueField({ setting, typed, problem }: SettingInput): Html {
  const { key, default: byDefault, explanation } = setting
  const { title, format, choices } = settingInWords(key)
  if (choices !== undefined)
    return html`<p class="note">${explanation} The default is ${format(byDefault)}.</p>
      ${options(
        "radio",
        { legend: title, problem },
        choices.map((choice) => ({ name: "value", ...choice, isChecked: choice.value === typed })),
      )}`
  const notes = problem === null ? "value-hint" : "value-problem value-hint"
  return html`<div class="field">
    <label for="value">Value</label>
    <p class="hint" id="value-hint">
      ${explanation} The default is
      <strong>${byDefault}</strong
      >${format(byDefault) !== byDefault && html`: ${lowered(format(byDefault))}`}.
    </p>
    ${problem !== null && html`<p class="problem" id="value-problem" role="alert">${problem}</p>`}
    <input
      id="value"
      name="value"
      type="text"
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
      value="${typed}"
      aria-describedby="${notes}"
      ${problem !== null && html`aria-invalid="true"`}
    />
  </div>`
}

const lowered = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
