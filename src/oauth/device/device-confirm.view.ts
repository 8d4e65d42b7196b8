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
  const app = html`<bdi class="name">${shownName(appName, texts.plain("common.nameless-app"))}</bdi>`
  const account = html`<bdi>${shownName(username, texts.plain("common.you"))}</bdi>`
  const main = html`<h1>${texts.html("device.confirm.heading")}</h1>
    <p class="lead">${texts.html("device.confirm.lead", { app, account })}</p>
    <p class="user-code"><code>${userCode}</code></p>
    ${grantedPermissions(texts, administration)}
    <form class="decision" method="post" action="${basePath}/oauth/consent">
      ${hidden("ticket", ticket)}${hidden("csrf", csrf)}
      <p class="note">${texts.html("device.confirm.note")}</p>
      <div class="buttons">
        <button class="quiet" name="decision" value="authorize">${texts.html("consent.authorize")}</button>
        <button class="quiet" name="decision" value="refuse">${texts.html("consent.refuse")}</button>
      </div>
    </form>`
  return renderDocument(input, {
    title: texts.plain("device.confirm.title"),
    main,
    wide: true,
    decides: true,
  })
}
