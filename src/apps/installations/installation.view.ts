/** Renders an installation: its label, permissions, and the times and places of its use. */
import { type Html, html } from "../../kernel/html.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import type { PageInput } from "../../platform/ui/layout.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { isoDay } from "../../platform/ui/words.ts"
import { ago, dayOf, minuteOf } from "../../platform/ui/instant.ts"

/** Times are in seconds since 1970. */
export type AccessView = {
  readonly tokenId: string
  readonly installationName: string | null
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

export function labelOf({ installationName }: Pick<AccessView, "installationName">): string {
  return installationName === null ? "Without a label" : shownName(installationName, "Without a label", 100)
}

export function permissionChips(held: AccessView["permissions"]): Html {
  if (held.length === 0) return html`<p class="note">It can do nothing at the moment.</p>`
  return html`<ul class="chips">
    ${held.map(
      ({ title, admin }) =>
        html`<li${admin && html` class="admin"`}>${title}${admin && html`<span class="unseen"> (administration)</span>`}</li>`,
    )}
  </ul>`
}

/** Renders the facts of an installation. `isAlike` is true if another installation has the same label and day. */
export function installationFacts(texts: Texts, held: AccessView, now: number, isAlike: boolean): Html {
  const { consentedAt, usedAt, usedFrom, endsAt, isIdleEnd, endsWithSession = false } = held
  return html`<dl class="dates">
    <div>
      <dt>Allowed</dt>
      <dd>${isAlike ? minuteOf(texts, consentedAt) : dayOf(texts, consentedAt)}</dd>
    </div>
    <div>
      <dt>Ends</dt>
      <dd>
        ${endsWithSession ? "With the sign-in in which you allowed it" : dayOf(texts, endsAt)}${!endsWithSession && isIdleEnd && ", unless it is used"}
      </dd>
    </div>
    <div>
      <dt>Last used</dt>
      <dd>${ago(texts, usedAt, now)}</dd>
    </div>
    ${
      usedFrom !== null &&
      html`<div>
        <dt>Network address</dt>
        <dd><bdi>${usedFrom}</bdi></dd>
      </div>`
    }
  </dl>`
}

function elsewhereNote(texts: Texts, { at, from, firstFrom }: NonNullable<AccessView["elsewhere"]>): Html {
  return html`<p class="repeated">
    On ${minuteOf(texts, at)} UTC its key was also used from another network: first from
    <bdi>${firstFrom}</bdi>, then from <bdi>${from}</bdi>. A device that changes networks, as from Wi-Fi to
    mobile data, can cause this. If you do not know both addresses, end this access.
  </p>`
}

/** The token ids of installations with the same label and day. */
export function alike(all: readonly AccessView[]): ReadonlySet<string> {
  const looks = Map.groupBy(all, (held) => `${isoDay(held.consentedAt)} ${labelOf(held)}`)
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
  const label = labelOf(held)
  return html`<li class="access">
    <div>
      <h3><bdi>${label}</bdi></h3>
      ${permissionChips(held.permissions)} ${installationFacts(texts, held, now, isAlike)}
      ${held.elsewhere !== null && elsewhereNote(texts, held.elsewhere)}
    </div>
    <a class="end" href="${basePath}/account/end-access?token_id=${held.tokenId}"
      >End access<span class="unseen"> of ${appName}, ${label}</span></a
    >
  </li>`
}
