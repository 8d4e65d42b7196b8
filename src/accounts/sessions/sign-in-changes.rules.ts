/** The changes that sign a browser in. */
import type { Session } from "../../model/account.rules.ts"
import type { Change } from "../../model/change.rules.ts"
import { event } from "../../model/event.rules.ts"
import type { Hash } from "../../kernel/ids.ts"

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
    { change: "eventRecorded", event: event("signed-in", at, { userId, address, detail }) },
  ]
}
