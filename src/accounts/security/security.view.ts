/** Renders the security page: second factors, recovery codes, password and browsers. */
import { renderAccountPage, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { type Html, html } from "../../kernel/html.ts"
import { factorName } from "../factors/factor-name.ts"
import { type ConnectionsInput, connectionsSection } from "../providers/connections.view.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import { shield } from "../../platform/ui/mark.ts"
import { wholeDay } from "../../platform/ui/instant.ts"
import { buttonLink } from "../../platform/ui/parts.ts"

/** Times are in seconds since 1970. */
export type FactorView = {
  readonly factorId: string
  readonly kind: "totp" | "passkey"
  readonly name: string
  readonly addedAt: number
  readonly usedAt: number | null
}

export type SecurityInput = SignedInInput & {
  /** The factors are sorted, oldest first. */
  readonly factors: readonly FactorView[]
  /** The value is null if the account has no recovery codes. */
  readonly recovery: { readonly left: number; readonly madeAt: number } | null
  /** Whether passkeys work at the base URL. */
  readonly offersPasskeys: boolean
  readonly hasPassword: boolean
  /** Whether a password signs in, and not only through an application. */
  readonly hasOwnSignIn?: boolean
  readonly connections: ConnectionsInput
  /** The confirmed address, or null. It is undefined if the page does not offer e-mail. */
  readonly email?: string | null | undefined
  /** The number of signed-in browsers, including this one. */
  readonly browsers: number
}

export function factorDates(texts: Texts, { kind, addedAt, usedAt }: FactorView): Html {
  const added = wholeDay(texts, addedAt)
  return usedAt === null
    ? texts.html(`factor.${kind}.unused`, { added })
    : texts.html(`factor.${kind}.used`, { added, used: wholeDay(texts, usedAt) })
}

function factor({ basePath, texts }: SecurityInput, view: FactorView): Html {
  const name = factorName(texts, view)
  return html`<li>
    <div>
      <h3><bdi class="name">${name}</bdi></h3>
      <p class="note">${factorDates(texts, view)}</p>
    </div>
    <a href="${basePath}/account/security/factor?id=${view.factorId}"
      >${texts.html("security.change-factor")}<span class="unseen"> ${name}</span></a
    >
  </li>`
}

function hasOnlyPassword({ hasPassword, connections }: SecurityInput): boolean {
  return hasPassword && connections.connections.length === 0
}

function secondSteps(input: SecurityInput): Html {
  const { basePath, texts, factors, offersPasskeys } = input
  return html`<section>
    <h2>${texts.html("security.second-step")}</h2>
    ${
      factors.length === 0
        ? html`<p class="note">
            ${texts.html(hasOnlyPassword(input) ? "security.only-password" : "security.one-step")}
          </p>`
        : html`<ul class="factors">
            ${factors.map((one) => factor(input, one))}
          </ul>`
    }
    <p class="actions">
      ${offersPasskeys && html`<a class="button" href="${basePath}/account/security/passkey">${texts.html("security.add-passkey")}</a>`}
      <a class="button" href="${basePath}/account/security/totp">${texts.html("security.add-totp")}</a>
    </p>
    ${!offersPasskeys && html`<p class="note">${texts.html("security.no-passkeys")}</p>`}
  </section>`
}

function recoveryCodes({ basePath, texts, recovery }: SecurityInput): Html {
  const address = `${basePath}/account/security/recovery`
  if (recovery === null)
    return html`<section class="administration" aria-labelledby="recovery">
      <h2 id="recovery">${shield}${texts.html("security.get-codes")}</h2>
      <p>${texts.html("security.get-codes-why")}</p>
      ${buttonLink(address, texts.html("security.get-codes"))}
    </section>`
  const { left, madeAt } = recovery
  return html`<section>
    <h2>${texts.html("security.codes")}</h2>
    <p class="note">${texts.html("security.codes-left", { left, day: wholeDay(texts, madeAt) })}</p>
    ${buttonLink(address, texts.html("security.create-codes"))}
  </section>`
}

function emailAddress({ basePath, texts, email }: SecurityInput): Html | false {
  if (email === undefined) return false
  return html`<section>
    <h2>${texts.html("security.email")}</h2>
    <p class="note">
      ${
        email === null
          ? texts.html("security.no-email")
          : texts.html("email.current", { address: html`<bdi>${email}</bdi>` })
      }
    </p>
    ${buttonLink(`${basePath}/account/email`, texts.html(email === null ? "security.add-email" : "security.change-email"))}
  </section>`
}

export function renderSecurity(input: SecurityInput): string {
  const { basePath, texts, factors, browsers } = input
  const title = texts.plain("security.title")
  const main = html`<h1>${title}</h1>
    ${secondSteps(input)} ${factors.length > 0 && recoveryCodes(input)}
    ${(input.hasPassword || input.hasOwnSignIn !== false) && password(input)}
    ${connectionsSection(input, input.connections)} ${emailAddress(input)}
    <section>
      <h2>${texts.html("security.browsers")}</h2>
      <p class="note">${texts.html("security.browsers-count", { others: browsers - 1 })}</p>
      ${buttonLink(`${basePath}/account/security/browsers`, texts.html("security.view-browsers"))}
    </section>`
  return renderAccountPage(input, { here: "/account/security", title, main })
}

function password({ basePath, texts, hasPassword }: SecurityInput): Html {
  return html`<section>
    <h2>${texts.html("security.password")}</h2>
    <p class="note">${texts.html(hasPassword ? "security.password-note" : "security.no-password-note")}</p>
    ${buttonLink(`${basePath}/account/security/password`, texts.html(hasPassword ? "security.change-password" : "security.set-password"))}
  </section>`
}
