/** Renders the sign-in providers in the console, and the result of a check. */
import { hidden } from "../../../ui/form.ts"
import { type Html, html } from "../../../kernel/html.ts"
import { type ConsoleInput, heading, renderConsole, upTo } from "../../../ui/console/frame.ts"
import { table } from "../../../ui/console/list.ts"
import { tag } from "../../../ui/console/words.ts"
import type { CheckState, ProviderFinding } from "./rule-findings.rules.ts"
import type { providerRecord } from "./provider-record.ts"

export type ProvidersInput = ConsoleInput & {
  readonly providers: readonly ReturnType<typeof providerRecord>[]
  /** What the last check found, or null. */
  readonly checked: { readonly label: string; readonly findings: readonly ProviderFinding[] } | null
}

const states: Readonly<Record<CheckState, readonly [string, "good" | "serious" | "wrong"]>> = {
  fine: ["OK", "good"],
  warning: ["Warning", "serious"],
  problem: ["Problem", "wrong"],
}

export function renderProviders(input: ProvidersInput): string {
  const { basePath, csrf, providers, checked } = input
  const main = html`${heading("Sign-in providers", false, upTo(basePath, "/settings", "Settings"))}
    <p class="note">
      People can sign in with an account that they have there. The configuration file names these providers. A
      change of the file needs a restart.
    </p>
    ${checked !== null && findings(checked)}
    ${table({
      caption: "Sign-in providers",
      rows: providers,
      empty: "The configuration file names no sign-in provider.",
      columns: [
        { label: "Provider", look: "first", cell: ({ label }) => html`<bdi>${label}</bdi>` },
        { label: "Issuer", cell: ({ issuer }) => html`<bdi>${issuer}</bdi>` },
        {
          label: "Redirect URI to register there",
          cell: ({ redirect_uri: uri }) => html`<code>${uri ?? ""}</code>`,
        },
        {
          label: "New accounts",
          cell: ({ creates_accounts: creates }) => (creates ? "By its rules" : "None"),
        },
        {
          label: "Administrators",
          cell: ({ gives_administration: gives }) => (gives ? "By its rule" : "None"),
        },
        {
          label: "",
          cell: ({ name, label }) =>
            html`<form method="post" action="${basePath}/console/providers">
              ${hidden("csrf", csrf)}${hidden("name", name)}
              <button class="button">Check<span class="unseen"> ${label}</span></button>
            </form>`,
        },
      ],
    })}`
  return renderConsole(input, { title: "Sign-in providers", place: "settings", main })
}

function findings({ label, findings: rows }: NonNullable<ProvidersInput["checked"]>): Html {
  return table({
    caption: `Check of ${label}`,
    rows,
    empty: "Nothing was checked.",
    columns: [
      { label: "Check", look: "first", cell: ({ check }) => check },
      { label: "Result", cell: ({ state }) => tag(...states[state]) },
      { label: "What was seen", cell: ({ seen }) => html`<bdi>${seen}</bdi>` },
    ],
  })
}
