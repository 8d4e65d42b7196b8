/** Lists permissions in plain words, in the groups of the catalog. All granted permissions are visible. */
import { OTHER_GROUP } from "../../model/permissions/permission-catalog.rules.ts"
import { type Html, html } from "../../kernel/html.ts"
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

function item(icon: Html, { title, description, implied }: PermissionView): Html {
  return html`<li>
    ${icon}
    <div>
      <p class="permission">${title}${implied && html` <span class="tag">Included</span>`}</p>
      ${description !== "" && html`<p class="note">${description}</p>`}
    </div>
  </li>`
}

const list = (icon: Html, permissions: readonly PermissionView[]) =>
  html`<ul class="permissions">
    ${permissions.map((permission) => item(icon, permission))}
  </ul>`

/** Lists what the app will be able to do. Admin permissions have their own section. */
export function grantedPermissions(granted: readonly PermissionView[]): Html {
  const plain = granted.filter(({ admin }) => !admin)
  const groups = Map.groupBy(plain, ({ group }) => group)
  return html`${
    plain.length > 0 &&
    html`<section class="granted">
      <h2>It will be able to</h2>
      ${Array.from(
        groups,
        ([group, permissions]) =>
          html`${isTelling(group, groups.size) && html`<h3>${group}</h3>`} ${list(tick, permissions)}`,
      )}
    </section>`
  }${adminPermissions(granted.filter(({ admin }) => admin))}${
    granted.some(({ implied }) => implied) &&
    html`<p class="note legend">
      <span class="tag">Included</span> comes with another permission in this list.
    </p>`
  }`
}

/** Whether a group needs its heading. The heading "Other" only helps if there are other groups. */
function isTelling(group: string, groups: number): boolean {
  return group !== "" && (groups > 1 || group !== OTHER_GROUP)
}

function adminPermissions(permissions: readonly PermissionView[]): Html | false {
  if (permissions.length === 0) return false
  return html`<section class="administration" aria-labelledby="administration">
    <h2 id="administration">${shield}Administration of this service</h2>
    <p>This affects everyone who uses this service, not only your account. Allow it only if you meant to.</p>
    ${list(tick, permissions)}
  </section>`
}

/** Requested permissions that only an administrator can grant. `also` means that others can be granted. */
export function refusedPermissions(refused: readonly PermissionView[], also: boolean): Html | false {
  if (refused.length === 0) return false
  return html`<section class="refused" aria-labelledby="refused">
    <h2 id="refused">Not included</h2>
    <p class="note">
      The app ${also && "also "}asked for this. Your account is not an administrator, so you cannot grant it.
    </p>
    ${list(dash, refused)}
  </section>`
}
