/** Lists of apps, and new ones. */
import type { UserId } from "../../kernel/ids.ts"
import type { ClientType, RegisteredBy } from "../../records/client.rules.ts"
import { parseOwnRegistration } from "../own-app.rules.ts"
import { parseRegistration } from "../../records/registration.rules.ts"
import { findAccount } from "../../accounts/accounts.ts"
import { addApp, ADMINISTRATORS_ADDRESSES, type AppWithSecret, withOwners } from "../app.ts"
import { ownApps, registerOwnApp } from "../own-app.ts"
import { refused } from "../../http/api-error.ts"
import { byAdministrator, type Call, success } from "../../api/kit/operation.ts"
import { mapPage, readPage, type Paging } from "../../api/kit/paging.ts"
import { appRecord } from "../../api/records/responses.ts"
import { namesOf, recordOf } from "./app.operations.ts"

/** Oldest first. */
export async function listOwnApps({ context, bearer: { account }, query }: Call<never, Paging>) {
  const found = await readPage(
    query,
    (page) => ownApps(context.services, account, page),
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

type NewOwnApp = {
  readonly client_type: ClientType
  readonly client_name: string
  readonly redirect_uris?: readonly string[] | undefined
  readonly scope?: string | undefined
  readonly step_up?: boolean | undefined
}

export async function postOwnApp({ context, bearer, body, address }: Call<never, null, NewOwnApp>) {
  const asked = askedOf(body)
  const { openSchemes } = await context.services.settings.current()
  const judged = parseOwnRegistration(context.services.catalogue, asked, openSchemes)
  if (!judged.ok) return refused("INVALID_ARGUMENT", judged.error)
  const added = await registerOwnApp(context.services, bearer.account, asked, { address })
  return added.ok ? success(withSecret(added.value)) : refused("CONFLICT", added.error)
}

type NewApp = NewOwnApp & {
  readonly verified?: boolean | undefined
  readonly resource_server?: boolean | undefined
  readonly owner?: string | null | undefined
}

export async function postApp(call: Call<never, null, NewApp>) {
  const { body } = call
  const { services } = call.context
  const { verified = false, resource_server: resourceServer = false, owner: ownerName = null } = body
  const asked = { ...askedOf(body), verified, resourceServer }
  const judged = parseRegistration(services.catalogue, asked, ADMINISTRATORS_ADDRESSES)
  if (!judged.ok) return refused("INVALID_ARGUMENT", judged.error)
  const owner = ownerName === null ? null : await findAccount(services, ownerName)
  if (owner?.ok === false) return refused("INVALID_ARGUMENT", `body.owner: ${owner.error}`)
  const by = { registeredBy: "administrator", ...byAdministrator(call) } as const
  const added = await addApp(services, { ...asked, ownerName, ...by })
  return added.ok ? success(withSecret(added.value)) : refused("CONFLICT", added.error)
}

function askedOf({ client_type: type, client_name: name, redirect_uris, scope = "", step_up }: NewOwnApp) {
  return {
    type,
    name,
    redirectUris: redirect_uris ?? [],
    permissions: namesOf(scope),
    stepUp: step_up ?? false,
  }
}

function withSecret({ secret, ...app }: AppWithSecret) {
  return { ...recordOf(app), ...(secret !== null && { client_secret: secret }) }
}
