/**
 * Relinks the accounts of a provider whose issuer has changed, such as a server that moved. Every `sub` must have stayed
 * the same there. A broker that gives new ones needs `account link` for each person.
 */
import { decided, eventRecorded } from "../../model/change.rules.ts"
import { type Identity, identityText } from "../../model/sign-in/identity.rules.ts"
import { type SignInProvider, TENANT_PLACE } from "../../model/sign-in/provider.rules.ts"
import { digest } from "../../kernel/hash.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import type { Services } from "../../platform/services/services.ts"
import { all } from "../../store/list.ts"

type Needs = Pick<Services, "store" | "clock">

export type Relinked = {
  readonly username: string
  readonly subject: string
  readonly from: string
  /** Whether another account has the subject of the new issuer, or would get it too. */
  readonly isTaken: boolean
}

/** Lists what would change. With `isDryRun`, nothing does. A taken subject stops everything before the first change. */
export async function relinkProvider(
  services: Needs,
  provider: SignInProvider,
  isDryRun: boolean,
): Promise<Result<readonly Relinked[], Problem>> {
  const { name, issuer } = provider
  if (issuer.includes(TENANT_PLACE)) return err(`${name} has several tenants, and so no issuer to relink to.`)
  const linked = await all(
    (page) => services.store.identities(name, page),
    ({ identityHash }) => identityHash,
  )
  const moved = linked.filter((identity) => identity.issuer !== issuer)
  const plan: Relinked[] = []
  const bySubject = Map.groupBy(moved, ({ subject }) => subject)
  for (const identity of moved) plan.push(await planned(services, identity, { issuer, bySubject }))
  if (isDryRun) return ok(plan)
  const taken = plan.filter(({ isTaken }) => isTaken)
  if (taken.length > 0)
    return err(
      `Subjects that another account has at the new issuer, or is to get there: ${taken.length}, such as ${taken[0]?.subject}. Unlink one account of each first. Nothing was changed.`,
    )
  let left = 0
  for (const identity of moved) if (!(await relink(services, identity, issuer))) left += 1
  return left === 0
    ? ok(plan)
    : err(`${left} of ${plan.length} links changed meanwhile and were not relinked. Run the command again.`)
}

type Target = {
  readonly issuer: string
  /** All links that would move. Those of several older issuers may name one subject. */
  readonly bySubject: ReadonlyMap<string, readonly Identity[]>
}

async function planned(
  { store }: Needs,
  identity: Identity,
  { issuer, bySubject }: Target,
): Promise<Relinked> {
  const { subject, userId } = identity
  const identityHash = digest(identityText({ issuer, subject }))
  const { account, identity: holder } = await store.read({ account: userId, identity: identityHash })
  const isTwice = bySubject.get(subject)?.some((other) => other.userId !== userId) === true
  const isTaken = isTwice || (holder !== null && holder.userId !== userId)
  return { username: account?.username ?? "", subject, from: identity.issuer, isTaken }
}

/**
 * Each account is a change of its own. After a kill, the same command does the rest. Returns false if the rows have
 * changed since the plan.
 */
async function relink({ store, clock }: Needs, old: Identity, issuer: string): Promise<boolean> {
  const { subject, userId } = old
  const identityHash = digest(identityText({ issuer, subject }))
  const now = clock.now()
  return store.change({ account: userId, identity: identityHash, identities: userId }, (found) => {
    const isThere = found.identities?.some((one) => one.identityHash === old.identityHash) === true
    if (found.account === null || !isThere) return decided(false)
    if (found.identity !== null && found.identity.userId !== userId) return decided(false)
    const facts = { userId, detail: `${old.provider}: relinked from ${old.issuer}` }
    const added: Identity = { ...old, identityHash, issuer, linkedAt: now }
    return decided(
      true,
      { change: "identityRemoved", identity: old },
      ...(found.identity === null ? [{ change: "identityAdded", identity: added } as const] : []),
      eventRecorded("identity-linked", now, facts),
    )
  })
}
