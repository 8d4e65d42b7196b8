/** What a person typed into the form of an app, and what it asks of the stored app. */
import type { Account } from "../../model/account.rules.ts"
import { type AccountRequest, fieldOf } from "../../accounts/guards/account-request.ts"
import { allValues } from "../../kernel/form.ts"
import { defaultSwitches, switchesFrom } from "../../model/clients/app-switches.rules.ts"
import { defaultOpenid } from "../../model/clients/openid-members.rules.ts"
import { type Workload, workloadFrom } from "../../model/clients/workload.rules.ts"
import type { ClientKeys } from "../../model/clients/client.rules.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import type { App, ManagersUpdate } from "../app.ts"
import { typedKeys, type TypedApp, type TypedKeys } from "../app-problems.rules.ts"

const NO_WORKLOAD: Workload = { issuer: "", audience: "", subject: "" }

export const EMPTY: TypedApp = {
  type: null,
  name: "",
  redirectUris: [],
  permissions: [],
  groups: [],
  ...defaultOpenid,
  ...defaultSwitches,
  jwks: "",
  jwksUri: "",
  workload: NO_WORKLOAD,
  owner: "",
  serviceAccount: "",
}

export function typedOf({ client, owner, serviceAccount }: App): TypedApp {
  const { ceiling, ...typed } = client
  const names = { owner: owner?.username ?? "", serviceAccount: serviceAccount?.username ?? "" }
  return { ...typed, permissions: ceiling, jwks: "", jwksUri: "", workload: NO_WORKLOAD, ...names }
}

export function nameOrNone(typed: string): string | null {
  return typed === "" ? null : typed
}

/** Reads the form. The `type` of a registered app does not change. */
export function typedIn(
  request: AccountRequest,
  type: TypedApp["type"],
  isAdministrators: boolean,
): TypedApp {
  const administrators = (name: string) => (isAdministrators ? fieldOf(request, name).trim() : "")
  return {
    type,
    name: fieldOf(request, "name"),
    redirectUris: linesOf(fieldOf(request, "redirect_uris")),
    permissions: [...new Set(allValues(request.form, "permission"))],
    groups: linesOf(administrators("groups")),
    idTokenAlgorithm: administrators("id_token_signed_response_alg") === "ES256" ? "ES256" : "RS256",
    postLogoutRedirectUris: linesOf(administrators("post_logout_redirect_uris")),
    ...switchesFrom(({ name, setBy, byDefault }) =>
      isAdministrators || setBy === "owner" ? fieldOf(request, name) === "on" : byDefault,
    ),
    jwks: fieldOf(request, "jwks").trim(),
    jwksUri: administrators("jwks_uri"),
    workload: workloadFrom((member) => administrators(`workload_${member}`)) ?? NO_WORKLOAD,
    owner: administrators("owner"),
    serviceAccount: administrators("service_account"),
  }
}

/** Splits text at spaces and line breaks. Error messages name the entries by their number. */
function linesOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((line) => line !== "")
}

/** An unchanged account name is left out of the update, because the name may belong to another account now. */
export function updateOf(
  { type: _, owner, serviceAccount, ...typed }: TypedApp,
  before: App,
): ManagersUpdate {
  return {
    ...typed,
    keys: keysOf(typed) ?? undefined,
    ownerName: changedName(owner, before.owner),
    serviceAccountName: changedName(serviceAccount, before.serviceAccount),
  }
}

/** Returns the account name for the update. Undefined stands for an unchanged name, and null for no account. */
export function changedName(
  typed: string,
  before: Pick<Account, "username"> | null,
): string | null | undefined {
  return typed === (before?.username ?? "") ? undefined : nameOrNone(typed)
}

/** Returns the keys of a valid form. Returns null if the form has no keys. */
export function keysOf(typed: TypedKeys): ClientKeys | null {
  const keys = typedKeys(typed)
  return keys.ok ? keys.value : null
}

/** Returns the effect of a form that enters keys for a registered app. ELEV-1. */
export const keyEffects = (_: HttpContext, request: AccountRequest): readonly "app.change-keys"[] =>
  ["jwks", "jwks_uri", "workload_issuer"].some((name) => fieldOf(request, name).trim() !== "")
    ? ["app.change-keys"]
    : []
