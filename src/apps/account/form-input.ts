/** The form of an app as it was sent, and what the form offers. */
import { allValues } from "../../kernel/form.ts"
import type { Client } from "../../records/client.rules.ts"
import { isAdmin } from "../../permissions/permission.rules.ts"
import type { TypedOwnApp } from "../own-app-problems.rules.ts"
import type { Permission } from "../../kernel/ids.ts"
import type { OfferedPermission, TypedText } from "./form.view.ts"
import type { HttpContext } from "../../http/http-context.ts"
import type { AccountRequest } from "../../accounts/guards/account-request.ts"

/** Without empty lines: a problem names a line by its number. */
function linesOf(text: string): readonly string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
}

/** What was typed, to be shown again; `type` is that of the app where it is registered already. */
export function typedText({ form }: AccountRequest, type: Client["type"] | null): TypedText {
  const { values } = form
  const chosen = values.get("type")
  return {
    type: type ?? (chosen === "public" || chosen === "confidential" ? chosen : null),
    name: values.get("name") ?? "",
    redirectUris: linesOf(values.get("redirect_uris") ?? "").join("\n"),
    permissions: allValues(form, "permission"),
    stepUp: values.get("step_up") === "on",
  }
}

/** The same as the rules take it: an address a line, empty lines left out. */
export function typedApp(typed: TypedText): TypedOwnApp {
  return { ...typed, redirectUris: linesOf(typed.redirectUris), permissions: [...new Set(typed.permissions)] }
}

export function textOfApp({ type, name, redirectUris, ceiling, stepUp }: Client): TypedText {
  return { type, name, redirectUris: redirectUris.join("\n"), permissions: ceiling, stepUp }
}

/** What an owner may tick; and what an administrator gave this app, so that it can be taken away. */
export function offeredPermissions(
  { services: { catalogue } }: HttpContext,
  ceiling: readonly Permission[],
): readonly OfferedPermission[] {
  const titleOf = (name: Permission) => catalogue.get(name)?.title ?? name
  const offered = [...catalogue.values()]
    .filter(({ name }) => !isAdmin(name) || ceiling.includes(name))
    .map(({ name, title, description, group, implies }) => ({
      name,
      title,
      description,
      group,
      implies: implies.map(titleOf),
    }))
  const departed = ceiling.filter((name) => !catalogue.has(name))
  const gone = { description: "There is no such permission any more.", group: "", implies: [] }
  return [...offered, ...departed.map((name) => ({ name, title: name, ...gone }))]
}
