/** Operations that list and register apps. */
import type { UserId } from "../../kernel/ids.ts"
import { switchesFrom } from "../../model/clients/app-switches.rules.ts"
import { keysProblem } from "../../oauth/clients/verification-key.ts"
import { parseAppRegistration } from "../../apps/own-app.rules.ts"
import { addApp } from "../../apps/add-app.ts"
import { type AppWithSecret, withOwners } from "../../apps/app.ts"
import type { ManagerOf } from "./manager.ts"
import { refused } from "../../platform/http/api-error.ts"
import { type Call, success } from "../api/call.ts"
import { readPage, type Paging } from "../api/paging.ts"
import type { Parsed } from "../../platform/json/shape.rules.ts"
import type * as requests from "../api/requests.ts"
import { appRecord } from "../api/responses.ts"
import { bindingProblem } from "../../oauth/credential/binding.rules.ts"
import { keysOf, nameProblem } from "./app.operations.ts"
import { namesOf } from "../../model/permissions/scope.rules.ts"

/** Lists the account's apps, oldest first. */
export async function listOwnApps({ context, bearer: { account }, query }: Call<never, Paging>) {
  const { items, next } = await readPage(
    query,
    (page) => context.services.store.clients(page, { ownerId: account.userId }),
    ({ clientId }) => clientId,
  )
  return success({ items: (await withOwners(context.services, items)).map(appRecord), next })
}

/** Lists all apps, oldest first. */
export async function listApps({ context, query }: Call<never, Parsed<typeof requests.appQuery>>) {
  const filter = {
    nameContains: query.name_contains,
    ownerId: query.owner_id as UserId | undefined,
    registeredBy: query.registered_by,
  }
  const { items, next } = await readPage(
    query,
    (page) => context.services.store.clients(page, filter),
    ({ clientId }) => clientId,
  )
  return success({ items: (await withOwners(context.services, items)).map(appRecord), next })
}

type NewApp = Parsed<typeof requests.newApp>

export function postApp(managerOf: ManagerOf) {
  return async (call: Call<never, null, NewApp>) => {
    const { services } = call.context
    const by = await managerOf(call)
    const keys = keysOf(call.body)
    if (!keys.ok) return refused("INVALID_ARGUMENT", keys.error)
    const unusable = await keysProblem(keys.value)
    if (unusable !== null) return refused("INVALID_ARGUMENT", unusable)
    const input = { ...askedOf(call.body), keys: keys.value }
    const checked = parseAppRegistration(services.catalog, input, by.owner)
    if (!checked.ok) return refused("INVALID_ARGUMENT", checked.error)
    const { type, ownerName, serviceAccountName } = input
    const problem =
      (await nameProblem(services, "body.owner", ownerName, () => null)) ??
      (await nameProblem(services, "body.service_account", serviceAccountName, (found) =>
        bindingProblem({ type, registeredBy: "administrator" }, found),
      ))
    if (problem !== null) return refused("INVALID_ARGUMENT", problem)
    const added = await addApp(services, input, by)
    return added.ok ? success(withSecret(added.value)) : refused("CONFLICT", added.error)
  }
}

function askedOf({ client_type, client_name, redirect_uris, scope = "", ...body }: NewApp) {
  return {
    type: client_type,
    name: client_name,
    redirectUris: redirect_uris ?? [],
    permissions: namesOf(scope),
    ...switchesFrom(({ name }) => body[name]),
    ownerName: body.owner ?? null,
    serviceAccountName: body.service_account ?? null,
  }
}

function withSecret({ secret, ...app }: AppWithSecret) {
  return { ...appRecord(app), ...(secret !== null && { client_secret: secret }) }
}
