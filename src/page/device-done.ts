/** The end of a device's request: approved or refused. */
import { html } from "./html.ts"
import { type PageInput, renderDocument } from "./layout.ts"

export type DeviceDoneInput = PageInput & { readonly outcome: "approved" | "denied" }

export function renderDeviceDone({ basePath, outcome }: DeviceDoneInput): string {
  const main =
    outcome === "approved"
      ? html`<h1>Your device is connected</h1>
          <p class="lead">
            Go back to it: it continues by itself within a few seconds. You can close this page.
          </p>`
      : html`<h1>You refused</h1>
          <p class="lead">The device gets nothing. If you refused by mistake, ask it for a new code.</p>`
  const after = html`<p class="actions">
    <a class="button" href="${basePath}/account">Go to your account</a>
  </p>`
  const title = outcome === "approved" ? "Device connected" : "Refused"
  return renderDocument({ basePath, title, main: html`${main}${after}` })
}
