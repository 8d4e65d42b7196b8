/** Lists permissions in plain words, in the groups of the catalog. All granted permissions are visible. */
import { type Html, html } from "../../kernel/html.ts"
import type { Texts } from "../languages/texts.ts"
import { dash, shield, tick } from "./mark.ts"

export type PermissionView = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly group: string
  readonly admin: boolean
  /** Whether the app did not request this permission, but another permission of the list implies it. */
  readonly implied: boolean
}

function item(texts: Texts, icon: Html, { title, description, implied }: PermissionView): Html {
  return html`<li>
    ${icon}
    <div>
      <p class="permission"><bdi>${title}</bdi>${implied && html` ${includedTag(texts)}`}</p>
      ${description !== "" && html`<p class="note"><bdi>${description}</bdi></p>`}
    </div>
  </li>`
}

const includedTag = (texts: Texts) => html`<span class="tag">${texts.html("permissions.included")}</span>`

const list = (texts: Texts, icon: Html, permissions: readonly PermissionView[]) =>
  html`<ul class="permissions">
    ${permissions.map((permission) => item(texts, icon, permission))}
  </ul>`

/** Lists what the app will be able to do. Admin permissions have their own section. */
export function grantedPermissions(texts: Texts, granted: readonly PermissionView[]): Html {
  const plain = granted.filter(({ admin }) => !admin)
  const groups = Map.groupBy(plain, ({ group }) => group)
  return html`${
    plain.length > 0 &&
    html`<section class="granted">
      <h2>${texts.html("permissions.granted")}</h2>
      ${Array.from(
        groups,
        ([group, permissions]) =>
          html`${isTelling(texts, group, groups.size) && html`<h3>${group}</h3>`}
          ${list(texts, tick, permissions)}`,
      )}
    </section>`
  }${adminPermissions(
    texts,
    granted.filter(({ admin }) => admin),
  )}${
    granted.some(({ implied }) => implied) &&
    html`<p class="note legend">${texts.html("permissions.legend", { included: includedTag(texts) })}</p>`
  }`
}

/** Whether a group needs its heading. The heading "Other" only helps if there are other groups. */
function isTelling(texts: Texts, group: string, groups: number): boolean {
  return group !== "" && (groups > 1 || group !== texts.plain("permissions.other"))
}

function adminPermissions(texts: Texts, permissions: readonly PermissionView[]): Html | false {
  if (permissions.length === 0) return false
  return html`<section class="administration" aria-labelledby="administration">
    <h2 id="administration">${shield}${texts.html("permissions.administration.title")}</h2>
    <p>${texts.html("permissions.administration.warning")}</p>
    ${list(texts, tick, permissions)}
  </section>`
}

type Refused = {
  readonly granted: readonly PermissionView[]
  readonly refusedToAccount: readonly PermissionView[]
  readonly refusedByGroups?: readonly PermissionView[]
}

/** Requested permissions that the account cannot grant, with the reason. */
export function refusedPermissions(
  texts: Texts,
  { granted, refusedToAccount, refusedByGroups = [] }: Refused,
  service: string,
): Html | false {
  if (refusedToAccount.length + refusedByGroups.length === 0) return false
  const also = granted.length > 0
  const first = texts.html("permissions.refused.groups")
  const second = texts.html("consent.ask-administrator", { service })
  const byGroups = also ? texts.html("common.two-sentences", { first, second }) : first
  return html`<section class="refused" aria-labelledby="refused">
    <h2 id="refused">${texts.html("permissions.refused.title")}</h2>
    ${
      refusedToAccount.length > 0 &&
      html`<p class="note">${texts.html(also ? "permissions.refused.also" : "permissions.refused.only")}</p>
        ${list(texts, dash, refusedToAccount)}`
    }
    ${
      refusedByGroups.length > 0 &&
      html`<p class="note">${byGroups}</p>
        ${list(texts, dash, refusedByGroups)}`
    }
  </section>`
}
