import { defaultFactorNames, type Factor } from "../../model/factor.rules.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import { shownName } from "../../platform/ui/shown-text.ts"

/** Returns the name on a page. A factor that its owner did not name has the name of its kind in the page's language. */
export function factorName(texts: Texts, { kind, name }: Pick<Factor, "kind" | "name">): string {
  const words = texts.plain(kind === "recovery" ? "security.codes" : `factor.${kind}`)
  return name === defaultFactorNames[kind] ? words : shownName(name, words)
}
