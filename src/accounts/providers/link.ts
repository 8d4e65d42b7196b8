/** Links accounts to people at sign-in providers, and removes links. */
import { type Account, asPerson } from "../../records/account.rules.ts"
import { type Decided, decided } from "../../records/change.rules.ts"
import { event } from "../../records/event.rules.ts"
import { type Identity, type IdentityKey, identityText } from "../../records/sign-in/identity.rules.ts"
import { issuerOfTenant, type SignInProvider, TENANT_PLACE } from "../../records/sign-in/provider.rules.ts"
import { digest } from "../../kernel/hash.ts"
import type { UserId } from "../../kernel/ids.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import type { Services } from "../../services/services.ts"
import { type Actor, findPerson } from "../find-account.ts"

type Needs = Pick<Services, "store" | "clock">

/** The maximum number of links of one account. */
export const IDENTITIES_AT_MOST = 10

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
  const { userId } = found.value
  const link = { provider: provider.name, key: key.value, shownName: null }
  const answer = await addLink(services, userId, link, from)
  return answer.ok ? ok(found.value) : answer
}

/** Reads `SUBJECT`. For several tenants of Entra it is the tenant and the subject, with a slash between. */
export function keyOf(provider: SignInProvider, text: string): Result<IdentityKey, Problem> {
  if (!/^[\x21-\x7e]{1,255}$/.test(text)) return err("The subject has 1 to 255 visible ASCII characters.")
  if (!provider.issuer.includes(TENANT_PLACE)) return ok({ issuer: provider.issuer, subject: text })
  const [, tenant, subject] = /^([^/]+)\/(.+)$/.exec(text) ?? []
  const issuer = issuerOfTenant(provider, tenant)
  return issuer === null || subject === undefined
    ? err(`${provider.name} has several tenants. Write the subject as TENANT/SUBJECT.`)
    : ok({ issuer, subject })
}

export type NewLink = {
  readonly provider: string
  readonly key: IdentityKey
  readonly shownName: string | null
}

/** Refuses a subject that is linked to another account. The same link again changes nothing. */
export function addLink(
  { store, clock }: Needs,
  userId: UserId,
  { provider, key, shownName }: NewLink,
  { address, actorId }: Actor,
): Promise<Result<Identity, Problem>> {
  const identityHash = digest(identityText(key))
  const now = clock.now()
  return store.change(
    { account: userId, identity: identityHash, identities: userId },
    ({ account, identity, identities }): Decided<Result<Identity, Problem>> => {
      const person = asPerson(account)
      if (person === null) return decided(err("Only the account of a person can be linked."))
      if (identity !== null)
        return decided(
          identity.userId === userId ? ok(identity) : err("Another account is linked to it already."),
        )
      if ((identities ?? []).length >= IDENTITIES_AT_MOST)
        return decided(err(`An account has at most ${IDENTITIES_AT_MOST} links. Remove one first.`))
      const added: Identity = {
        identityHash,
        ...key,
        userId,
        provider,
        shownName,
        linkedAt: now,
        grantsAdministration: false,
      }
      const facts = { userId, address, actorId: actorId ?? null, detail: detailOf(added) }
      return decided(
        ok(added),
        { change: "identityAdded", identity: added },
        { change: "eventRecorded", event: event("identity-linked", now, facts) },
      )
    },
  )
}

/** Names the provider and, for people who read the audit trail, the account there. */
export function detailOf({ provider, subject, shownName }: Identity): string {
  return `${provider}: ${shownName ?? subject}`
}
