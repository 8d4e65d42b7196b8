/** Renders the security page: second factors, recovery codes, password and browsers. */
import { renderAccountPage, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { type Html, html } from "../../kernel/html.ts"
import { type ConnectionsInput, connectionsSection } from "../providers/connections.view.ts"
import { shield } from "../../platform/ui/mark.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { wholeDay } from "../../platform/ui/instant.ts"

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
  readonly connections: ConnectionsInput
  /** The confirmed address, or null. It is undefined if the page does not offer e-mail. */
  readonly email?: string | null | undefined
  /** The number of signed-in browsers, including this one. */
  readonly browsers: number
}

const kinds = { totp: "Authenticator app", passkey: "Passkey" } as const

export function factorKind({ kind }: Pick<FactorView, "kind">): string {
  return kinds[kind]
}

function factor({ basePath, texts }: SecurityInput, view: FactorView): Html {
  const name = shownName(view.name, factorKind(view))
  return html`<li>
    <div>
      <h3><bdi class="name">${name}</bdi></h3>
      <p class="note">
        ${factorKind(view)}, added ${wholeDay(texts, view.addedAt)},
        ${view.usedAt === null ? "not used yet" : html`last used ${wholeDay(texts, view.usedAt)}`}
      </p>
    </div>
    <a href="${basePath}/account/security/factor?id=${view.factorId}"
      >Change<span class="unseen"> ${name}</span></a
    >
  </li>`
}

const ONLY_PASSWORD =
  "Only your password protects your account. With a second step, a stolen password is not enough to sign in."
const ONE_STEP =
  "One step is enough to sign in to your account. With a second step, a stolen password or connected account is not."

function hasOnlyPassword({ hasPassword, connections }: SecurityInput): boolean {
  return hasPassword && connections.connections.length === 0
}

function secondSteps(input: SecurityInput): Html {
  const { basePath, factors, offersPasskeys } = input
  return html`<section>
    <h2>Second step</h2>
    ${
      factors.length === 0
        ? html`<p class="note">${hasOnlyPassword(input) ? ONLY_PASSWORD : ONE_STEP}</p>`
        : html`<ul class="factors">
            ${factors.map((one) => factor(input, one))}
          </ul>`
    }
    <p class="actions">
      ${offersPasskeys && html`<a class="button" href="${basePath}/account/security/passkey">Add a passkey</a>`}
      <a class="button" href="${basePath}/account/security/totp">Add an authenticator app</a>
    </p>
    ${
      !offersPasskeys &&
      html`<p class="note">
        Passkeys need a host name such as id.example.org. This service is reached by an IP address, so it
        cannot offer them.
      </p>`
    }
  </section>`
}

function recoveryCodes({ basePath, texts, recovery }: SecurityInput): Html {
  const address = `${basePath}/account/security/recovery`
  if (recovery === null)
    return html`<section class="administration" aria-labelledby="recovery">
      <h2 id="recovery">${shield}Get recovery codes</h2>
      <p>Without recovery codes, you lose access to your account if you lose your phone or security key.</p>
      <p class="actions"><a class="button" href="${address}">Get recovery codes</a></p>
    </section>`
  const { left, madeAt } = recovery
  return html`<section>
    <h2>Recovery codes</h2>
    <p class="note">
      ${left === 1 ? "One code is" : `${left} codes are`} left. Created ${wholeDay(texts, madeAt)}.
    </p>
    <p class="actions"><a class="button" href="${address}">Create new codes</a></p>
  </section>`
}

function emailAddress({ basePath, email }: SecurityInput): Html | false {
  if (email === undefined) return false
  return html`<section>
    <h2>E-mail address</h2>
    <p class="note">
      ${
        email === null
          ? "With an address, you can set a new password if you forget yours."
          : html`Mail about your account goes to <bdi>${email}</bdi>.`
      }
    </p>
    <p class="actions">
      <a class="button" href="${basePath}/account/email"
        >${email === null ? "Add an address" : "Change address"}</a
      >
    </p>
  </section>`
}

export function renderSecurity(input: SecurityInput): string {
  const { basePath, factors, browsers } = input
  const main = html`<h1>Sign-in and security</h1>
    ${secondSteps(input)} ${factors.length > 0 && recoveryCodes(input)}
    <section>
      <h2>Password</h2>
      <p class="note">
        ${
          input.hasPassword
            ? "Changing your password signs you out of every other browser."
            : "Your account has no password. With one, you can sign in even if a connected account does not work."
        }
      </p>
      <p class="actions">
        <a class="button" href="${basePath}/account/security/password"
          >${input.hasPassword ? "Change password" : "Set a password"}</a
        >
      </p>
    </section>
    ${connectionsSection(input, input.connections)} ${emailAddress(input)}
    <section>
      <h2>Browsers</h2>
      <p class="note">
        ${browsers === 1 ? "Only this browser is" : `This browser and ${browsers - 1} more are`} signed in.
      </p>
      <p class="actions">
        <a class="button" href="${basePath}/account/security/browsers">View browsers</a>
      </p>
    </section>`
  return renderAccountPage(input, { here: "/account/security", title: "Sign-in and security", main })
}
