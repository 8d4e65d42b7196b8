/** The changes that sign a browser in. */
import type { Account, Session } from "../../model/account.rules.ts"
import { type Change, eventRecorded } from "../../model/change.rules.ts"
import type { Membership } from "../../model/permissions/group.rules.ts"
import type { AccountEmail } from "../../model/mail/email.rules.ts"
import type { Identity } from "../../model/sign-in/identity.rules.ts"
import type { Hash } from "../../kernel/ids.ts"

/** The rows of an account that the rules of a provider read. */
export type RuledRows = {
  readonly account: Account
  readonly identity: Identity
  readonly otherAdministrator: Account | null
  readonly memberships: readonly Membership[] | null
  readonly email: AccountEmail | null
  /** The holder of the address that an application names. */
  readonly emailByKey: AccountEmail | null
}

type SignInChanges = {
  readonly session: Session
  /** The session that the browser had before. */
  readonly formerHash: Hash | null
  readonly browserHash: Hash
  /** How the person signed in. Null stands for the password alone. */
  readonly detail: string | null
}

export function signInChanges({
  session,
  formerHash,
  browserHash,
  detail,
}: SignInChanges): readonly Change[] {
  const { userId, createdAt: at, address } = session
  return [
    // The former session ends first, so that it counts no more.
    ...(formerHash === null
      ? []
      : [{ change: "sessionEnded", sessionHash: formerHash, at, successor: session } as const]),
    { change: "sessionAdded", session },
    { change: "browserKnown", browserHash, userId, at },
    eventRecorded("signed-in", at, { userId, address, detail }),
  ]
}
