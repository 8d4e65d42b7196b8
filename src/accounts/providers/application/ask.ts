/** Where a browser goes so that an application says who the person is. Interface LOGIN-3. */
import type { ApplicationProvider } from "../../../model/sign-in/provider.rules.ts"
import type { Flow } from "../upstream/upstream.ts"

/** The state of the sign-in is the challenge: it must come back inside of the assertion. */
export function applicationUrl(
  provider: ApplicationProvider,
  { state, redirectUri, isFresh }: Flow,
  language: string,
): string {
  const url = new URL(provider.url)
  const parameters = {
    challenge: state,
    return_to: redirectUri,
    ui_locales: language,
    ...(isFresh && { max_age: "0" }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}
