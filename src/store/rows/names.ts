/** Lists of names as one text, divided by spaces. No name of the catalogue holds one. */
import type { Permission } from "../../core/brand.ts"

export function namesText(names: readonly string[]): string {
  return names.join(" ")
}

export function namesOf(text: string): readonly Permission[] {
  return text === "" ? [] : (text.split(" ") as Permission[])
}
