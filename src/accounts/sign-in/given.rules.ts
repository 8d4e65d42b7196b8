/** What the rules of a sign-in provider give and take. They are applied when a sign-in is complete, and not before. */
import type { Change } from "../../model/change.rules.ts"
import type { SignInProvider } from "../../model/sign-in/provider.rules.ts"
import type { Hash, UserId } from "../../kernel/ids.ts"
import type { RuledRows } from "../sessions/sign-in-changes.rules.ts"
import { type Followed, followedChanges } from "./followed.rules.ts"
import { administrationChanges } from "./given-administration.rules.ts"
import { groupChanges } from "./given-groups.rules.ts"

type Given = Parameters<typeof administrationChanges>[1] & Parameters<typeof groupChanges>[1]

/** The claims of one sign-in under the rules. Null without such a rule. */
export type UnderRules = Pick<Given, "isAdministrator" | "groups"> & {
  /** Only an application is followed. */
  readonly followed?: Followed | undefined
}

/** The first step of a sign-in that began at a sign-in provider. The second step follows. */
export type ThroughProvider = UnderRules & Pick<Given, "provider"> & { readonly identityHash: Hash }

/**
 * What a sealed field of an earlier page says of the rules. It counts only while the configuration of the provider has
 * such a rule, and for groups of its map.
 */
export function underCurrentRules<T extends UnderRules>(
  { administrators, groups: rule }: Pick<SignInProvider, "administrators" | "groups">,
  sealed: T,
): T {
  const named = new Set(rule?.map.values())
  const isAdministrator = administrators === null ? null : sealed.isAdministrator
  // A page of an earlier version has no groups.
  const groups = rule === null ? null : (sealed.groups?.filter((group) => named.has(group)) ?? null)
  return { ...sealed, isAdministrator, groups }
}

/** The rows of the account that the rules need. */
export function ruledLoad({ isAdministrator, groups, followed }: UnderRules, userId: UserId) {
  return {
    otherAdministrator: isAdministrator === null ? null : userId,
    memberships: groups === null ? null : userId,
    email: followed === undefined ? null : userId,
    emailByKey: followed?.email?.addressKey ?? null,
  }
}

export function givenChanges(rows: RuledRows, given: Given & UnderRules): readonly Change[] {
  const { followed } = given
  return [
    ...administrationChanges(rows, given),
    ...groupChanges(rows, given),
    ...(followed === undefined ? [] : followedChanges(rows, followed, given)),
  ]
}
