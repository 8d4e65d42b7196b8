/** Signs in an account before an operation that needs a browser. */
import { DAY } from "./limits.ts"
import type { Operation } from "./operation.ts"
import { isSignedIn } from "./page-rules.ts"
import type { Account } from "./world.ts"

/** Before a request that may make a credential, so that it is known which of two is older. */
export const A_SECOND: Operation = { do: "wait", seconds: 1 }

/** Returns the sign-in of an account, if it is possible and needed. */
export function signedIn(account: Account, now: number): readonly Operation[] {
  const { session } = account
  const isFresh = session !== null && session.since <= now + 3 && now - session.since < DAY
  if (account.state !== "enabled" || (isSignedIn(account) && isFresh)) return []
  return [
    { do: "sign in", account: account.name, session: `session ${account.sessions + 1} of ${account.name}` },
  ]
}
