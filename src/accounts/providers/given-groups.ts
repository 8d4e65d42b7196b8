import { GROUPS_OF_ACCOUNT_AT_MOST } from "../../kernel/limits.ts"
import type { SignInProvider } from "../../model/sign-in/provider.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import { type Claims, givenGroups } from "./upstream/claims.rules.ts"

/** Returns the groups that the rule gives, without those that an administrator removed. Null without such a rule. */
export async function existingGroups(
  { store, log }: Pick<Services, "store" | "log">,
  provider: SignInProvider,
  claims: Claims,
): Promise<readonly string[] | null> {
  const given = givenGroups(provider, claims)
  if (given === null) return null
  const found = await Promise.all(
    given.slice(0, GROUPS_OF_ACCOUNT_AT_MOST).map((group) => store.read({ group })),
  )
  if (given.length > GROUPS_OF_ACCOUNT_AT_MOST)
    log.warn(
      { provider: provider.name, given: given.length },
      `a sign-in gives more groups than an account has; the first ${GROUPS_OF_ACCOUNT_AT_MOST} by name count`,
    )
  return found.flatMap(({ group }) => group?.name ?? [])
}
