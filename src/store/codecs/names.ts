/** Encodes a list of names as one text, separated by spaces. Names of permissions and groups contain no spaces. */
import type { Permission } from "../../kernel/ids.ts"

export function namesText(names: readonly string[]): string {
  return names.join(" ")
}

/** Decodes a list. The result is cached, because the credentials of an app have only a few different scopes. */
export function namesOf<Name extends string = Permission>(text: string): readonly Name[] {
  const known = lists.get(text)
  if (known !== undefined) return known as readonly Name[]
  const names = text === "" ? [] : (text.split(" ") as Name[])
  if (lists.size >= LISTS_AT_MOST) lists.clear()
  lists.set(text, names)
  return names
}

const LISTS_AT_MOST = 256
const lists = new Map<string, readonly string[]>()
