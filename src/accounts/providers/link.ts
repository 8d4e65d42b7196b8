/** Links accounts to people at sign-in providers, and removes links. */
import type { Account } from "../../model/account.rules.ts"
import { decided } from "../../model/change.rules.ts"
import {
  type Identity,
  type IdentityKey,
  identityText,
  isApplicationSubject,
  isSubject,
  SUBJECT_FORM,
} from "../../model/sign-in/identity.rules.ts"
import { issuerOfTenant, type SignInProvider, TENANT_PLACE } from "../../model/sign-in/provider.rules.ts"
import { digest } from "../../kernel/hash.ts"
import type { Hash, UserId } from "../../kernel/ids.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import type { Services } from "../../platform/services/services.ts"
import { offeredBy } from "../factors/offered.ts"
import type { Actor } from "../../model/event.rules.ts"
import { findPerson } from "../find-account.ts"
import {
  decideLink,
  decideUnlink,
  decideUnlinkOf,
  type LinkInput,
  type LinkProblem,
  linkProblems,
} from "./link.rules.ts"

type Needs = Pick<Services, "store" | "clock">

/** Links an account by its name, for the command line. The operator answers for the subject. */
export async function linkAccount(
  services: Needs,
  provider: SignInProvider,
  name: string,
  subject: string,
  from: Actor,
): Promise<Result<Account, Problem>> {
  const found = await findPerson(services, name)
  if (!found.ok) return found
  const key = keyOf(provider, subject)
  if (!key.ok) return key
  const link = { provider: provider.name, key: key.value, shownName: null }
  const answer = await addLink(services, found.value.userId, link, from, null)
  return answer.ok ? ok(found.value) : err(linkProblems[answer.error])
}

/**
 * Removes a link for the command line. The operator may remove the last way to sign in. A link to an issuer that the
 * provider had before is removed too.
 */
export async function unlinkAccount(
  services: Needs & Pick<Services, "providers">,
  provider: SignInProvider,
  name: string,
  subject: string,
  { address, actorId }: Actor,
): Promise<Result<Account, Problem>> {
  const found = await findPerson(services, name)
  if (!found.ok) return found
  const key = keyOf(provider, subject)
  if (!key.ok) return key
  const { userId } = found.value
  const now = services.clock.now()
  const from = { now, address, actorId }
  const { providers } = services
  const isRemoved = await services.store.change(unlinkLoad(userId), ({ account, identities, ...more }) => {
    if (account === null) return decided(false)
    const rows = { ...more, account, identities: identities ?? [], providers }
    return decideUnlinkOf(rows, { ...key.value, provider: provider.name }, from)
  })
  return isRemoved ? ok(found.value) : err(`"${name}" is not linked to this subject of ${provider.name}.`)
}

function unlinkLoad(userId: UserId) {
  return {
    account: userId,
    identities: userId,
    otherAdministrator: userId,
    memberships: userId,
    organizationCredentials: userId,
  }
}

/** Returns the account that is linked to this subject, or null. */
export async function accountOfSubject(
  { store }: Pick<Services, "store">,
  provider: SignInProvider,
  subject: string,
): Promise<Account | null> {
  const key = keyOf(provider, subject)
  if (!key.ok) return null
  const { identity } = await store.read({ identity: digest(identityText(key.value)) })
  return identity === null ? null : (await store.read({ account: identity.userId })).account
}

/** Reads `SUBJECT`. For several tenants of Entra it is the tenant and the subject, with a slash between. */
function keyOf(provider: SignInProvider, text: string): Result<IdentityKey, Problem> {
  const isForm = provider.preset === "application" ? isApplicationSubject : isSubject
  if (!isForm(text)) return err(`The subject has ${SUBJECT_FORM}.`)
  if (!provider.issuer.includes(TENANT_PLACE)) return ok({ issuer: provider.issuer, subject: text })
  const [, tenant, subject] = /^([^/]+)\/(.+)$/.exec(text) ?? []
  const issuer = issuerOfTenant(provider, tenant)
  return issuer === null || subject === undefined
    ? err(`${provider.name} has several tenants. Write the subject as TENANT/SUBJECT.`)
    : ok({ issuer, subject })
}

type Link = { readonly provider: string; readonly key: IdentityKey; readonly shownName: string | null }

export function addLink(
  { store, clock }: Needs,
  userId: UserId,
  link: Link,
  { address, actorId }: Actor,
  session: LinkInput["session"],
): Promise<Result<Identity, LinkProblem>> {
  const identityHash = digest(identityText(link.key))
  const from = { userId, now: clock.now(), address, actorId, session }
  const load = {
    account: userId,
    identity: identityHash,
    identities: userId,
    session: session?.sessionHash ?? null,
    spentTicket: session?.ticketId ?? null,
  }
  return store.change(load, (found) => decideLink(found, { ...link, identityHash }, from))
}

/** Removes a link of the account holder. Refuses the last way to sign in. A link that is gone already changes nothing. */
export function removeOwnLink(
  services: Needs & Pick<Services, "issuer" | "providers">,
  userId: UserId,
  identityHash: Hash,
  address: string,
): Promise<Result<Identity | null, "only-way-in">> {
  const { store, clock, providers } = services
  const from = { now: clock.now(), address, actorId: null }
  const offered = offeredBy(services)
  return store.change(
    { ...unlinkLoad(userId), identity: identityHash, factors: userId },
    ({ account, identity, identities, factors, ...found }) => {
      if (account === null || identity?.userId !== userId)
        return decided<Result<Identity | null, "only-way-in">>(ok(null))
      const rows = { ...found, account, identities: identities ?? [], factors: factors ?? [], providers }
      return decideUnlink(rows, offered, identity, from)
    },
  )
}
