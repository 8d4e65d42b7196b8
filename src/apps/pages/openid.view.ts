/** Renders what an app has for OpenID Connect. Only administrators have these fields, and the console is in English. */
import { ID_TOKEN_ALGORITHMS } from "../../model/clients/openid-members.rules.ts"
import type { OpenidMembers } from "../../model/clients/openid-members.rules.ts"
import { lines, options } from "../../platform/ui/fields.ts"
import { hidden } from "../../platform/ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"

const explanations = { RS256: "Every app knows it.", ES256: "Faster, but some apps do not know it." } as const

/** They are folded until one has a value or a problem. */
export function openidFields(
  { idTokenAlgorithm, postLogoutRedirectUris }: OpenidMembers,
  problem: string | null,
): Html {
  const isFilled = idTokenAlgorithm !== "RS256" || postLogoutRedirectUris.length > 0 || problem !== null
  return html`<details class="more" ${isFilled && html`open`}>
    <summary>OpenID Connect</summary>
    ${lines({
      name: "post_logout_redirect_uris",
      label: "Addresses after signing out",
      hint: html`Where the app may send a browser that it signed out, such as
        <code>https://app.example/</code>. One on each line, in full.`,
      value: postLogoutRedirectUris.join("\n"),
      rows: Math.max(2, postLogoutRedirectUris.length + 1),
      problem,
    })}
    ${options(
      "radio",
      { legend: "Its id_tokens are signed with" },
      ID_TOKEN_ALGORITHMS.map((one) => ({
        name: "id_token_signed_response_alg",
        value: one,
        title: one,
        explanation: explanations[one],
        isChecked: one === idTokenAlgorithm,
      })),
    )}
  </details>`
}

export function hiddenOpenid({ idTokenAlgorithm, postLogoutRedirectUris }: OpenidMembers): Html {
  return html`${hidden("id_token_signed_response_alg", idTokenAlgorithm)}${hidden("post_logout_redirect_uris", postLogoutRedirectUris.join("\n"))}`
}
