/** Renders an installation: its label, permissions, and the times and places of its use. */
import { type Html, html } from "../../kernel/html.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import type { PageInput } from "../../platform/ui/layout.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { ago, dayOf, isoDay, minuteOf } from "../../platform/ui/instant.ts"
import { fact } from "../../platform/ui/parts.ts"

/** Times are in seconds since 1970. */
export type AccessView = {
  readonly tokenId: string
  readonly installationName: string | null
  /** The label of the organization whose word took the place of the person's consent. */
  readonly organization?: string
  /** The permissions that the installation reaches now, in the order of the catalog. */
  readonly permissions: readonly { readonly title: string; readonly admin: boolean }[]
  readonly consentedAt: number
  /** The time of the last token request. */
  readonly usedAt: number
  /** The IP address of the last token request. Null if it was not recorded. */
  readonly usedFrom: string | null
  /**
   * The latest refresh that was repeated from another network, with both addresses. It is null if there was no recent
   * repeat.
   */
  readonly elsewhere: { readonly at: number; readonly from: string; readonly firstFrom: string } | null
  readonly endsAt: number
  /** Whether a use of the installation before `endsAt` postpones its end. */
  readonly isIdleEnd: boolean
  /** Whether the installation ends with the sign-in session of its consent. It ends at `endsAt` at the latest. */
  readonly endsWithSession?: boolean
}

export function labelOf(
  texts: Texts,
  { installationName, organization }: Pick<AccessView, "installationName" | "organization">,
): string {
  if (organization !== undefined) return texts.plain("installation.by", { organization })
  return shownName(installationName ?? "", texts.plain("installation.unlabeled"), 100)
}

export function permissionChips(texts: Texts, held: AccessView["permissions"]): Html {
  if (held.length === 0) return html`<p class="note">${texts.html("installation.can-do-nothing")}</p>`
  return html`<ul class="chips">
    ${held.map(
      ({ title, admin }) =>
        html`<li${admin && html` class="admin"`}><bdi>${title}</bdi>${admin && html`<span class="unseen"> ${texts.html("installation.administration")}</span>`}</li>`,
    )}
  </ul>`
}

/** Renders the facts of an installation. `isAlike` is true if another installation has the same label and day. */
export function installationFacts(texts: Texts, held: AccessView, now: number, isAlike: boolean): Html {
  const { consentedAt, usedAt, usedFrom } = held
  return html`<dl class="dates">
    ${fact(texts.html("installation.allowed"), isAlike ? minuteOf(texts, consentedAt) : dayOf(texts, consentedAt))}
    ${fact(texts.html("installation.ends"), endOf(texts, held))}
    ${fact(texts.html("installation.last-used"), ago(texts, usedAt, now))}
    ${usedFrom !== null && fact(texts.html("installation.network-address"), html`<bdi>${usedFrom}</bdi>`)}
  </dl>`
}

function endOf(texts: Texts, { endsAt, isIdleEnd, endsWithSession = false }: AccessView): Html {
  if (endsWithSession) return texts.html("installation.ends.with-session")
  const day = dayOf(texts, endsAt)
  return isIdleEnd ? texts.html("installation.ends.unless-used", { day }) : day
}

function elsewhereNote(texts: Texts, { at, from, firstFrom }: NonNullable<AccessView["elsewhere"]>): Html {
  return html`<p class="repeated">
    ${texts.html("installation.used-elsewhere", {
      time: minuteOf(texts, at),
      first: html`<bdi>${firstFrom}</bdi>`,
      second: html`<bdi>${from}</bdi>`,
    })}
  </p>`
}

/** The token ids of installations with the same label and day. */
export function alike(texts: Texts, all: readonly AccessView[]): ReadonlySet<string> {
  const looks = Map.groupBy(all, (held) => `${isoDay(held.consentedAt)} ${labelOf(texts, held)}`)
  const same = [...looks.values()].filter(({ length }) => length > 1).flat()
  return new Set(same.map(({ tokenId }) => tokenId))
}

export function installation(
  { basePath, texts }: PageInput,
  appName: string,
  held: AccessView,
  now: number,
  isAlike: boolean,
): Html {
  const label = labelOf(texts, held)
  return html`<li class="access">
    <div>
      <h3><bdi>${label}</bdi></h3>
      ${permissionChips(texts, held.permissions)} ${installationFacts(texts, held, now, isAlike)}
      ${held.elsewhere !== null && elsewhereNote(texts, held.elsewhere)}
    </div>
    <a
      class="end"
      href="${basePath}/account/end-access?token_id=${held.tokenId}"
      aria-label="${texts.plain("installation.end.of", { app: appName, label })}"
      >${texts.html("installation.end")}</a
    >
  </li>`
}
