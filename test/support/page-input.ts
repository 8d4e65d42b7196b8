/** What every page needs, in English, for tests that render a page without a server. */
import { defaultAppearance } from "../../src/model/appearance.rules.ts"
import { ENGLISH, Languages } from "../../src/platform/languages/languages.ts"
import type { PageInput } from "../../src/platform/ui/layout.ts"

export const english = new Languages().textsOf(ENGLISH)

export function samplePage(basePath = ""): PageInput {
  return { basePath, look: defaultAppearance, texts: english, self: null }
}
