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

/** One form for all providers, where a signed-in person signs in again. */
export function provingForm(
  texts: Texts,
  action: string,
  fields: Insertable,
  providers: readonly ProviderButton[],
  { look, words }: { readonly look: "primary" | "quiet"; readonly words: Words },
): Html | null {
  if (providers.length === 0) return null
  return html`<form class="providers" method="post" action="${action}">
    ${fields}
    ${providers.map(
      (provider) =>
        html`<button class="${look}" name="provider" value="${provider.name}">
          ${providerLabel(texts, provider, words)}
        </button>`,
    )}
  </form>`
}

type Words = "sign-in.with-provider" | "prove.with-provider" | "connections.connect"

export function providerLabel(
  texts: Texts,
  { label, icon }: ProviderButton,
  words: Words = "sign-in.with-provider",
): Html {
  const provider = html`<bdi>${label}</bdi>`
  const image = icon === null ? null : html`<img src="${icon}" alt="" width="20" height="20" />`
  return html`${image}<span>${texts.html(words, { provider })}</span>`
}
