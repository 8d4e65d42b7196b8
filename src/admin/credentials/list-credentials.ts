/** Lists credentials by the names of an account and an app. */
import { findAccount } from "../../accounts/find-account.ts"
import { findApp } from "../../apps/app.ts"
import { type Problem, type Result, ok } from "../../kernel/result.ts"
import { credentialsAsOfNow } from "../../platform/services/observed-expiry.ts"
import type { Services } from "../../platform/services/services.ts"
import { all } from "../../store/list.ts"
import type { HeldCredential } from "../../store/store.ts"

type Needs = Pick<Services, "store" | "clock">

/** The filter of a list. Null stands for all accounts or all apps. */
export type CredentialsOf = { readonly accountName: string | null; readonly clientId: string | null }

export async function listCredentials(
  { store, clock }: Needs,
  of: CredentialsOf,
): Promise<Result<readonly HeldCredential[], Problem>> {
  const account = of.accountName === null ? null : await findAccount({ store }, of.accountName)
  if (account?.ok === false) return account
  const app = of.clientId === null ? null : await findApp({ store }, of.clientId)
  if (app?.ok === false) return app
  const filter = { userId: account?.value.userId, clientId: app?.value.client.clientId }
  const held = await all(
    (page) => credentialsAsOfNow({ store, clock }, filter, page),
    ({ credential }) => credential.consent.tokenId,
  )
  return ok(held)
}
