/** Renders the sign-in providers in the console, and the result of a check. */
import { hidden } from "../../platform/ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"
import { type ConsoleInput, heading, renderConsole, upTo } from "../../platform/ui/console/frame.ts"
import { table } from "../../platform/ui/console/list.ts"
import { tag } from "../../platform/ui/console/words.ts"
import { type CheckState, connects, type ProviderFinding } from "./rule-findings.rules.ts"
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

const titles: Readonly<Record<string, string>> = {
  metadata: "Metadata",
  keys: "Keys",
  userinfo: "User info",
  "redirect URI": "Redirect URI",
  client: "Client",
  claims: "Claims",
  create_accounts: "New accounts",
  assertions: "Assertions",
  manager: "Manager",
  url: "URL",
}

export function renderProviders(input: ProvidersInput): string {
  const { basePath, csrf, providers, checked } = input
  const main = html`${heading("Sign-in providers", false, upTo(basePath, "/console/settings", "Settings"))}
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
        { label: "Issuer", cell: (row) => html`<bdi>${"url" in row ? row.url : row.issuer}</bdi>` },
        {
          label: "Redirect URI to register there",
          cell: ({ redirect_uri: uri }) => html`<code>${uri ?? ""}</code>`,
        },
        { label: "Rules", cell: rulesOf },
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

function rulesOf({
  creates_accounts: creates,
  authoritative_domains: domains,
  gives_administration: gives,
  gives_groups: groups,
  assertions,
}: ProvidersInput["providers"][number]): string {
  const rules = [
    ...(creates ? ["creates accounts"] : []),
    ...(domains.length > 0 ? [`connects addresses of ${domains.join(", ")}`] : []),
    ...(gives ? ["gives administration"] : []),
    ...(groups.length > 0 ? ["gives groups"] : []),
    ...(assertions === null ? [] : [connects(assertions)]),
  ]
  const text = rules.join("; ")
  return text === "" ? "None" : text.charAt(0).toUpperCase() + text.slice(1)
}

function findings({ label, findings: rows }: NonNullable<ProvidersInput["checked"]>): Html {
  const list = table({
    caption: `Check of ${label}`,
    rows,
    empty: "Nothing was checked.",
    columns: [
      { label: "Check", look: "first", cell: ({ check }) => titles[check] ?? check },
      { label: "Result", cell: ({ state }) => tag(...states[state]) },
      { label: "What was seen", cell: ({ seen }) => html`<bdi>${seen}</bdi>` },
    ],
  })
  return html`<section class="stack">
    <h2>Check of <bdi>${label}</bdi></h2>
    ${list}
  </section>`
}
