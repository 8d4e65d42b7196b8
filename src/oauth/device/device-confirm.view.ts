/** The page that confirms hub administration for a device: interface DG-4. */
import { hidden } from "../../platform/ui/form.ts"
import { html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { grantedPermissions, type PermissionView } from "../../platform/ui/permission-list.ts"
import { shownName } from "../../platform/ui/shown-text.ts"

type DeviceConfirmInput = PageInput & {
  readonly appName: string
  readonly username: string
  readonly userCode: string
  /** The admin permissions that the grant contains. */
  readonly administration: readonly PermissionView[]
  readonly ticket: string
  readonly csrf: string
}

export function renderDeviceConfirm(input: DeviceConfirmInput): string {
  const { basePath, texts, appName, username, userCode, administration, ticket, csrf } = input
  const name = shownName(appName, "an app without a name")
  const main = html`<h1>Let this device administer the service?</h1>
    <p class="lead">
      <bdi class="name">${name}</bdi> could then change the service for everyone, as
      <bdi>${shownName(username, "you")}</bdi>. No access has been granted yet.
    </p>
    <p class="user-code"><code>${userCode}</code></p>
    ${grantedPermissions(texts, administration)}
    <form class="decision" method="post" action="${basePath}/oauth/consent">
      ${hidden("ticket", ticket)}${hidden("csrf", csrf)}
      <p class="note">Authorize only if you started this yourself and your device shows this code.</p>
      <div class="buttons">
        <button class="quiet" name="decision" value="authorize">Authorize</button>
        <button class="quiet" name="decision" value="refuse">Refuse</button>
      </div>
    </form>`
  return renderDocument(input, { title: "Confirm administration", main, wide: true, decides: true })
}
