/** Lets the manager of an application call an operation, and records each use. */
import { accountOfId } from "../../accounts/account-by-id.ts"
import { accountOfSubject } from "../../accounts/providers/link.ts"
import { bearerOf } from "../../oauth/credential/protected.ts"
import type { Bearer } from "../../oauth/credential/bearer.rules.ts"
import { parseForm } from "../../kernel/form.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import type { TokenId } from "../../kernel/ids.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Account } from "../../model/account.rules.ts"
import { decided, eventRecorded } from "../../model/change.rules.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import type { ApplicationProvider } from "../../model/sign-in/provider.rules.ts"
import type { HttpRequest } from "../../platform/http/connection/message.ts"
import { addressOf } from "../../platform/http/endpoint.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { queryOf } from "../../platform/http/request.ts"
import type { Services } from "../../platform/services/services.ts"
import { isManaged, managedBy, type ManagedTarget, managedTargets } from "./manager.rules.ts"

type Access = { readonly bearer: Bearer; readonly isManager: boolean }

type Wanted = {
  /** The operation. */
  readonly id: string
  readonly needs: readonly string[]
  readonly needsElevation: boolean
  /** Whether the input is well-formed. It is parsed only for a manager; a request that is refused then is no use. */
  readonly isValid: () => boolean
}

/** Checks the token of a request for what the operation needs. Refuses what a manager names and does not manage. */
export async function accessOf(
  context: HttpContext,
  request: HttpRequest,
  { id, needs, needsElevation, isValid }: Wanted,
): Promise<Result<Access, Refusal | ManagedTarget>> {
  const usual = await bearerOf(context, request, needs)
  const access: Result<Access, Refusal> = usual.ok ? ok({ bearer: usual.value, isManager: false }) : usual
  const target = managedTargets.get(id)
  const isLacking = usual.ok
    ? needsElevation && usual.value.elevatedUntil === null
    : usual.error.reason === "permissionLacking"
  if (target === undefined || !isLacking) return access
  const bearer = usual.ok ? usual : await bearerOf(context, request, [])
  if (!bearer.ok) return bearer
  const { services } = context
  const applications = managedBy(services.providers, bearer.value)
  if (applications.length === 0) return access
  const account = await namedAccount(services, request, target, applications)
  const userId = account?.userId ?? null
  const { client, account: actor } = bearer.value
  const now = services.clock.now()
  const facts = { clientId: client.clientId, actorId: actor.userId, address: addressOf(context, request) }
  const isAllowed = await services.store.change({ account: userId, identities: userId }, (found) => {
    if (!isManaged(applications, found.account, found.identities)) return decided(false)
    const use = eventRecorded("account-managed", now, { ...facts, userId, detail: id })
    return isValid() ? decided(true, use) : decided(true)
  })
  if (isAllowed) return ok({ bearer: bearer.value, isManager: true })
  return access.ok ? access : err(target)
}

async function namedAccount(
  services: Services,
  request: HttpRequest,
  target: ManagedTarget,
  applications: readonly ApplicationProvider[],
): Promise<Account | null> {
  const path = request.params as Readonly<Record<string, string>>
  const query = parseForm(queryOf(request))?.values
  if (target === "account") return accountOfId(services, path["user_id"] ?? query?.get("user_id") ?? "")
  if (target === "subject") {
    const application = applications.find(({ name }) => name === query?.get("provider"))
    return application ? accountOfSubject(services, application, query?.get("subject") ?? "") : null
  }
  const id = path["token_id"] ?? ""
  const { credential } = await services.store.read({ credential: isIdentifier(id) ? (id as TokenId) : null })
  return credential === null ? null : accountOfId(services, credential.consent.userId)
}
