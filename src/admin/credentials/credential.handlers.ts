/** API operations on credentials, for the credential itself, its account holder and administrators. */
import type { Bearer } from "../../oauth/credential/bearer.rules.ts"
import type { ClientId, UserId } from "../../kernel/ids.ts"
import { familyOf, isOfServiceAccount, refreshEndsAt } from "../../model/credential.rules.ts"
import { type CredentialRecord, credentialRecord } from "../../oauth/credential/credential-record.rules.ts"
import { explanationRecord } from "../../oauth/explain/explanation-record.ts"
import { ownExplanation, withoutRotation } from "../../oauth/explain/own-credential.rules.ts"
import { consentedTo } from "../../model/permissions/reach.rules.ts"
import { startOfDay } from "../../kernel/time.ts"
import { endCredential, endOwnCredential } from "../../oauth/credential/credential.ts"
import { explain, explainOwn } from "../../oauth/explain/explain.ts"
import type { Services } from "../../platform/services/services.ts"
import { credentialsAsOfNow } from "../../platform/services/observed-expiry.ts"
import { unknown } from "../../platform/http/api-error.ts"
import { byAdministrator, type Call, success } from "../api/call.ts"
import { mapPage, readPage, type Paging } from "../api/paging.ts"
import type { Parsed } from "../../platform/json/shape.rules.ts"
import type { credentialQuery } from "./credential.shapes.ts"

export async function getOwnCredential({ context, bearer }: Call) {
  const { credential, client, account, reach, accessToken, elevatedUntil } = bearer
  const { consent } = credential
  const family = familyOf(credential)
  const isForGood = isOfServiceAccount(consent)
  return success({
    token_id: consent.tokenId,
    client_id: client.clientId,
    client_name: client.name,
    user_id: account.userId,
    username: account.username,
    installation_name: consent.installationName,
    scope: consentedTo(context.services.catalog, consent.scope, client.ceiling).join(" "),
    reach: reach.join(" "),
    consented_at: consent.consentedAt,
    access_ends_at: accessToken.expiresAt,
    // An exact time would reveal when the credential rotated: CRED-5.
    refresh_ends_at: family === null || isForGood ? null : startOfDay(refreshEndsAt(consent, family)),
    ends_at: isForGood ? null : startOfDay(consent.endsAt),
    elevated_until: elevatedUntil,
  })
}

/** Lists the live credentials of the caller's account, newest first. */
export async function listOwnCredentials({ context, bearer, query }: Call<never, Paging>) {
  const { userId } = bearer.account
  const { items, next } = await page(context, bearer, { userId, live: context.services.clock.now() }, query)
  return success({ credentials: items, next })
}

export async function deleteOwnCredential({ context, bearer, path, address }: Call<"token_id">) {
  const isFound = await endOwnCredential(context.services, bearer.account, path.token_id, { address })
  return isFound ? success(null) : unknown("credential")
}

/** Lists credentials of all accounts, newest first. */
export async function listCredentials({
  context,
  bearer,
  query,
}: Call<never, Parsed<typeof credentialQuery>>) {
  const { user_id, client_id, live } = query
  const filter = {
    userId: user_id as UserId | undefined,
    clientId: client_id as ClientId | undefined,
    live: live === true ? context.services.clock.now() : undefined,
  }
  return success(await page(context, bearer, filter, query))
}

export async function getCredential({ context, bearer, path }: Call<"token_id">) {
  const { services } = context
  const found = await explain(services, path.token_id)
  if (!found.ok) return unknown("credential")
  const { credential, client, account } = found.value
  const record = credentialRecord(services.catalog, credential, client, account, services.clock.now())
  return success(asSeenBy(bearer, record))
}

export async function getExplanation({ context: { services }, bearer, path }: Call<"token_id">) {
  return explained(services, bearer, await explain(services, path.token_id))
}

export async function getOwnExplanation({ context: { services }, bearer, path }: Call<"token_id">) {
  return explained(services, bearer, await explainOwn(services, bearer.account, path.token_id))
}

function explained({ catalog, clock }: Services, bearer: Bearer, found: Awaited<ReturnType<typeof explain>>) {
  if (!found.ok) return unknown("credential")
  const isOwn = found.value.credential.consent.tokenId === bearer.credential.consent.tokenId
  const explanation = isOwn ? ownExplanation(found.value, bearer.accessToken) : found.value
  return success(asSeenBy(bearer, explanationRecord(catalog, explanation, clock.now(), inUtc)))
}

/** Hides the time of the last rotation from a token of the same credential. */
function asSeenBy<R extends CredentialRecord>({ credential }: Bearer, record: R): R | Omit<R, "rotated_at"> {
  return record.token_id === credential.consent.tokenId ? withoutRotation(record) : record
}

export async function deleteCredential(call: Call<"token_id">) {
  const { context, path } = call
  const ended = await endCredential(context.services, path.token_id, byAdministrator(call))
  return ended.ok ? success(null) : unknown("credential")
}

type Filter = Parameters<Call["context"]["services"]["store"]["credentials"]>[0]

async function page({ services }: Call["context"], bearer: Bearer, filter: Filter, query: Paging) {
  const { catalog, clock } = services
  const found = await readPage(
    query,
    (one) => credentialsAsOfNow(services, filter, { ...one, newestFirst: true }),
    ({ credential }) => credential.consent.tokenId,
  )
  const now = clock.now()
  return mapPage(found, ({ credential, client, account }) =>
    asSeenBy(bearer, credentialRecord(catalog, credential, client, account, now)),
  )
}

function inUtc(at: number): string {
  return new Date(at * 1000).toISOString().replace("T", " ").replace(".000", "")
}
