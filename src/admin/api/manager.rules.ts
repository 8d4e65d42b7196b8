/**
 * Decides what the app may call that an application's entry names as its `manager`, without a permission and without
 * elevation: these operations, each for one account of the application, and never for an administrator. LOGIN-20.
 */
import type { Bearer } from "../../oauth/credential/bearer.rules.ts"
import type { Account } from "../../model/account.rules.ts"
import type { Identity } from "../../model/sign-in/identity.rules.ts"
import {
  type ApplicationProvider,
  isIssuerOf,
  type SignInProviders,
} from "../../model/sign-in/provider.rules.ts"

export type ManagedTarget = "subject" | "account" | "credential"

/** By operation id: what its request names. No manager may call another operation. */
export const managedTargets: ReadonlyMap<string, ManagedTarget> = new Map([
  ["adminListAccounts", "subject"],
  ["adminListCredentials", "account"],
  ["adminRevokeCredential", "credential"],
  ["adminRemoveAccount", "account"],
])

/** Returns the applications whose manager sends this token. A token of a person is never a manager's. */
export function managedBy(
  providers: SignInProviders,
  { client, account }: Pick<Bearer, "client" | "account">,
): readonly ApplicationProvider[] {
  if (account.type !== "service") return []
  return [...providers.values()].filter(
    (one): one is ApplicationProvider => one.preset === "application" && one.manager === client.clientId,
  )
}

/** Whether a manager of these applications may see and change the account. */
export function isManaged(
  applications: readonly ApplicationProvider[],
  account: Account | null,
  identities: readonly Identity[] | null,
): account is Account {
  if (account === null || account.admin || account.type === "service") return false
  return (identities ?? []).some(({ issuer }) => applications.some((one) => isIssuerOf(one, issuer)))
}
