/** Lists of apps, and new ones. */
import type { UserId } from "../../kernel/ids.ts"
import type { ClientType, RegisteredBy } from "../../records/client.rules.ts"
import { parseAppRegistration } from "../own-app.rules.ts"
import { addApp } from "../add-app.ts"
import { type AppWithSecret, withOwners } from "../app.ts"
import type { ManagerOf } from "./manager.ts"
import { refused } from "../../http/api-error.ts"
import { type Call, success } from "../../api/kit/operation.ts"
import { mapPage, readPage, type Paging } from "../../api/kit/paging.ts"
import { appRecord } from "../../api/records/responses.ts"
import { recordOf } from "./app.operations.ts"
import { findAccount } from "../../accounts/find-account.ts"
import { namesOf } from "../../permissions/scope.rules.ts"

/** Oldest first. */
export async function listOwnApps({ context, bearer: { account }, query }: Call<never, Paging>) {
  const found = await readPage(
    query,
    (page) => context.services.store.clients(page, { ownerId: account.userId }),
    ({ clientId }) => clientId,
  )
  return success(mapPage(found, (client) => appRecord(client, account)))
}

type AppQuery = Paging & {
  readonly name_contains?: string | undefined
  readonly owner_id?: string | undefined
  readonly registered_by?: RegisteredBy | undefined
}

/** Oldest first. */
export async function listApps({ context, query }: Call<never, AppQuery>) {
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
  return success({ items: (await withOwners(context.services, items)).map(recordOf), next })
}

type NewApp = {
  readonly client_type: ClientType
  readonly client_name: string
  readonly redirect_uris?: readonly string[] | undefined
  readonly scope?: string | undefined
  readonly step_up?: boolean | undefined
  readonly verified?: boolean | undefined
  readonly resource_server?: boolean | undefined
  readonly owner?: string | null | undefined
}

export function postApp(managerOf: ManagerOf) {
  return async (call: Call<never, null, NewApp>) => {
    const { services } = call.context
    const by = await managerOf(call)
    const asked = askedOf(call.body)
    const checked = parseAppRegistration(services.catalogue, asked, by.owner)
    if (!checked.ok) return refused("INVALID_ARGUMENT", checked.error)
    const { ownerName } = asked
    const owner = ownerName === null ? null : await findAccount(services, ownerName)
    if (owner?.ok === false) return refused("INVALID_ARGUMENT", `body.owner: ${owner.error}`)
    const added = await addApp(services, asked, by)
    return added.ok ? success(withSecret(added.value)) : refused("CONFLICT", added.error)
  }
}

function askedOf({ client_type, client_name, redirect_uris, scope = "", ...body }: NewApp) {
  return {
    type: client_type,
    name: client_name,
    redirectUris: redirect_uris ?? [],
    permissions: namesOf(scope),
    stepUp: body.step_up,
    verified: body.verified,
    resourceServer: body.resource_server,
    ownerName: body.owner ?? null,
  }
}

function withSecret({ secret, ...app }: AppWithSecret) {
  return { ...recordOf(app), ...(secret !== null && { client_secret: secret }) }
}
