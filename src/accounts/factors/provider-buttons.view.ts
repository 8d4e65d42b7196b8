/** Renders one button for each sign-in provider. */
import { type Html, html, type Insertable } from "../../kernel/html.ts"
import type { SignInProviders } from "../../model/sign-in/provider.rules.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import type { PageInput } from "../../platform/ui/layout.ts"

export type ProviderButton = {
  readonly name: string
  readonly label: string
  /** A PNG image as a `data:` URL. */
  readonly icon: string | null
}

export function providerViews({
  providers,
}: {
  readonly providers: SignInProviders
}): readonly ProviderButton[] {
  return [...providers.values()].map((provider) => {
    const { name, label } = provider
    const icon = provider.preset === "application" ? null : provider.icon
    return {
      name,
      label,
      icon: icon === null ? null : `data:image/png;base64,${Buffer.from(icon).toString("base64")}`,
    }
  })
}

/** Each button is a form of its own, with the same hidden fields. */
export function providerButtons(
  { basePath, texts }: Pick<PageInput, "basePath" | "texts">,
  providers: readonly ProviderButton[],
  fields: Insertable,
): Html | null {
  if (providers.length === 0) return null
  return html`<div class="providers">
    ${providers.map(
      (provider) =>
        html`<form method="post" action="${basePath}/sign-in/with/${provider.name}">
          ${fields}<button class="quiet">${providerLabel(texts, provider)}</button>
        </form>`,
    )}
  </div>`
}

export function providerLabel(texts: Texts, { label, icon }: ProviderButton): Html {
  const provider = html`<bdi>${label}</bdi>`
  return html`${providerIcon(icon)}<span>${texts.html("sign-in.with-provider", { provider })}</span>`
}

export function providerIcon(icon: string | null): Html | null {
  return icon === null ? null : html`<img src="${icon}" alt="" width="20" height="20" />`
}
