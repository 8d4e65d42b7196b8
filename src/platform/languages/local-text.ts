/**
 * The texts of permissions and resource servers. Those of the configuration are one text or a text for each of some
 * languages; those of built-in permissions are in the languages' files. LANG-9
 */
import type { Permission } from "../../kernel/ids.ts"
import { builtInPermissions } from "../../model/permissions/built-in-permissions.rules.ts"
import { openidPermissions } from "../../model/permissions/openid-permissions.rules.ts"
import {
  ADMINISTRATION_GROUP,
  type Catalog,
  type LocalText,
  OTHER_GROUP,
} from "../../model/permissions/permission-catalog.rules.ts"
import { type KnownTags, knownTags, lookUp } from "./choose.ts"
import { ENGLISH } from "./languages.ts"
import type { TextKey, Texts } from "./texts.ts"

/** The services, or the settings of a command. */
type DefaultLanguage = { readonly settings: { readonly latest: { readonly defaultLanguage: string } } }

const tagsOf = new WeakMap<ReadonlyMap<string, string>, KnownTags>()

/** Returns a text in the language of a page. `texts` is null for what is not a page for people. */
export function localText({ settings }: DefaultLanguage, texts: Texts | null, text: LocalText): string {
  if (typeof text === "string") return text
  return (
    (texts === null ? undefined : inLanguage(text, texts.language.tag)) ??
    inLanguage(text, settings.latest.defaultLanguage) ??
    inLanguage(text, ENGLISH) ??
    [...text.values()][0] ??
    ""
  )
}

function inLanguage(text: ReadonlyMap<string, string>, tag: string): string | undefined {
  const known = tagsOf.get(text) ?? knownTags(text.keys())
  tagsOf.set(text, known)
  return text.get(lookUp(known, tag) ?? "")
}

export type PermissionSource = DefaultLanguage & { readonly catalog: Catalog }

/** Returns the title for what is not a page for people. Null if the catalog lacks the permission. */
export function titleOf(from: PermissionSource, name: Permission): string | null {
  return from.catalog.has(name) ? permissionTexts(from, null, name).title : null
}

type PermissionTexts = { readonly title: string; readonly description: string; readonly group: string }

type Dashed<Name> = Name extends `${infer Object}:${infer Verb}` ? `${Object}-${Verb}` : never
type BuiltIn = Dashed<keyof typeof builtInPermissions> | keyof typeof openidPermissions
const builtIn: readonly string[] = [...Object.keys(builtInPermissions), ...Object.keys(openidPermissions)]

/** The keys of built-in permissions. A page does not put them together. */
const keys = new Map(
  builtIn.map((name) => {
    const key = `permission.${name.replace(":", "-") as BuiltIn}` as const
    return [name, { title: `${key}.title`, description: `${key}.description` } as const]
  }),
)

/** The groups that have no name of the operator. */
const groups: ReadonlyMap<LocalText, TextKey> = new Map<LocalText, TextKey>([
  [builtInPermissions["account:read"].group, "permission.account.group"],
  [builtInPermissions["credentials:read"].group, "permission.credentials.group"],
  [builtInPermissions["apps:read"].group, "permission.apps.group"],
  [ADMINISTRATION_GROUP, "permission.admin.group"],
  [OTHER_GROUP, "permissions.other"],
])

/** Returns the texts of a permission. The catalog may lack it. `texts` is null for what is not a page for people. */
export function permissionTexts(from: PermissionSource, texts: Texts | null, name: string): PermissionTexts {
  const entry = from.catalog.get(name as Permission)
  if (entry === undefined) return { title: name, description: "", group: "" }
  const groupKey = texts === null ? undefined : groups.get(entry.group)
  const group =
    texts === null || groupKey === undefined ? localText(from, texts, entry.group) : texts.plain(groupKey)
  const key = keys.get(name)
  if (texts !== null && key !== undefined)
    return { title: texts.plain(key.title), description: texts.plain(key.description), group }
  const title = localText(from, texts, entry.title)
  return { title, description: localText(from, texts, entry.description), group }
}
