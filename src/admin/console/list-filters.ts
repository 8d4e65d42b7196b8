/** The filters of console lists by account and by app. */
import type { ClientId, UserId } from "../../kernel/ids.ts"
import { accountNamed, hasHadAccount } from "../../accounts/find-account.ts"
import { isDocumentUrl, isIdentifier } from "../../kernel/identifier.ts"
import { parseClientId } from "../../oauth/clients/resolve.rules.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import type { Services } from "../../platform/services/services.ts"

type Needs = Pick<Services, "store">

/** Finds the account of a filter by name or id. Returns undefined for an empty filter. */
export async function filteredAccount(
  { store }: Needs,
  typed: string,
): Promise<Result<UserId | undefined, Problem>> {
  const text = typed.trim()
  if (text === "") return ok(undefined)
  const named = await accountNamed(store, text)
  if (named !== null) return ok(named.userId)
  // The id of a removed account is valid, because its events are still stored.
  return (await hasHadAccount(store, text)) ? ok(text as UserId) : err("There is no account of that name.")
}

/** Finds the app of a filter by its id, or by a part of its name. The part must match only one app. */
export async function filteredApp(
  { store }: Needs,
  typed: string,
): Promise<Result<ClientId | undefined, Problem>> {
  const text = typed.trim()
  if (text === "") return ok(undefined)
  if (isIdentifier(text) || isDocumentUrl(text)) return ok(text as ClientId)
  // The id of an imported app can look like a part of a name.
  const { client } = await store.read({ client: parseClientId(text) })
  if (client !== null) return ok(client.clientId)
  const [app, other] = await store.clients({ limit: 2 }, { nameContains: text })
  if (app === undefined) return err("There is no app of that name.")
  return other === undefined ? ok(app.clientId) : err("More than one app has that name. Give its id.")
}
