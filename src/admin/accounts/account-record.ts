/** Accounts as administrators see them. */
import type { Account } from "../../model/account.rules.ts"
import type { UserId } from "../../kernel/ids.ts"
import type { Services } from "../../platform/services/services.ts"

export type AccountRecord = {
  readonly user_id: UserId
  readonly username: string
  readonly admin: boolean
  readonly enabled: boolean
  readonly created_at: number
  /** The member is missing for a person. */
  readonly account_type?: "service"
  /** The name of the person who owns a service account. */
  readonly owner?: string
}

type Needs = Pick<Services, "store">

/** Returns the accounts with the owners of service accounts. Loads each owner once. */
export async function accountViews(
  { store }: Needs,
  accounts: readonly Account[],
): Promise<readonly (Account & { readonly owner: Account | null })[]> {
  const owners = new Map<UserId, Account | null>()
  for (const { ownerId } of accounts) {
    if (ownerId === null || owners.has(ownerId)) continue
    owners.set(ownerId, (await store.read({ account: ownerId })).account)
  }
  return accounts.map((account) => {
    const { ownerId } = account
    return { ...account, owner: ownerId === null ? null : (owners.get(ownerId) ?? null) }
  })
}

export async function accountRecords(
  services: Needs,
  accounts: readonly Account[],
): Promise<readonly AccountRecord[]> {
  const views = await accountViews(services, accounts)
  return views.map(({ userId, username, type, admin, enabled, createdAt, owner }) => ({
    user_id: userId,
    username,
    admin,
    enabled,
    created_at: createdAt,
    ...(type === "service" && { account_type: type }),
    ...(owner !== null && { owner: owner.username }),
  }))
}

export async function accountRecord(services: Needs, account: Account): Promise<AccountRecord> {
  const [record] = await accountRecords(services, [account])
  if (record === undefined) throw new Error("an account has a record")
  return record
}
