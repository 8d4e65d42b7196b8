/** The page after the decision on a device or a step-up. */
import { html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"

type DeviceDoneInput = PageInput & { readonly outcome: "approved" | "elevated" | "denied" }

const words = {
  approved: {
    title: "Your device is connected",
    lead: "Go back to your device. It continues within a few seconds. You can close this page.",
  },
  elevated: {
    title: "Confirmed",
    lead: "Go back to the app. It continues within a few seconds. You can close this page.",
  },
  denied: {
    title: "You refused",
    lead: "No access was granted. If this was a mistake, start again from the app or device.",
  },
} as const

export function renderDeviceDone(input: DeviceDoneInput): string {
  const { basePath, outcome } = input
  const { title, lead } = words[outcome]
  const main = html`<h1>${title}</h1>
    <p class="lead">${lead}</p>
    <p class="actions"><a class="button" href="${basePath}/account">Go to your account</a></p>`
  return renderDocument(input, { title, main })
}
