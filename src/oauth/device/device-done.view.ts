/** The page after the decision on a device or a step-up. */
import { html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { buttonLink } from "../../platform/ui/parts.ts"

type DeviceDoneInput = PageInput & { readonly outcome: "approved" | "elevated" | "denied" }

export function renderDeviceDone(input: DeviceDoneInput): string {
  const { basePath, outcome, texts } = input
  const title = texts.plain(`device.done.${outcome}.title`)
  const main = html`<h1>${title}</h1>
    <p class="lead">${texts.html(`device.done.${outcome}.lead`)}</p>
    ${buttonLink(`${basePath}/account`, texts.html("common.to-account"))}`
  return renderDocument(input, { title, main })
}
