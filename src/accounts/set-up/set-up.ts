/** The one-time set-up link: a browser uses it to create the first administrator. */
import type { Account } from "../../model/account.rules.ts"
import type { UserId } from "../../kernel/ids.ts"
import { event } from "../../model/event.rules.ts"
import { passwordProblem } from "../password.rules.ts"
import { parseUsername } from "../../model/username.rules.ts"
import { digest } from "../../kernel/hash.ts"
import { hashPassword } from "../../platform/services/password.ts"
import { newId, randomSecret } from "../../kernel/random.ts"
import type { Services } from "../../platform/services/services.ts"
import { newSession } from "../sessions/session.ts"
import { sameHash } from "../../kernel/constant-time.ts"

/** Returns the secret of a new link, which replaces the previous link. Returns null if an account exists. */
export async function offerSetUp({
  store,
  clock,
}: Pick<Services, "store" | "clock">): Promise<string | null> {
  if ((await store.read({ anyAccount: true })).anyAccount !== null) return null
  const secret = randomSecret()
  const at = clock.now()
  return store.change({ anyAccount: true }, ({ anyAccount }) =>
    anyAccount === null
      ? { answer: secret, changes: [{ change: "setupLinkSet", hash: digest(secret), at }] }
      : { answer: null, changes: [] },
  )
}

/** Whether the link still works. This check leaves the link unused. */
export async function isSetUpOpen({ store }: Pick<Services, "store">, secret: string): Promise<boolean> {
  const { anyAccount, setupLink } = await store.read({ anyAccount: true, setupLink: true })
  return anyAccount === null && setupLink !== null && sameHash(setupLink.hash, digest(secret))
}

type SetUpAnswer =
  | { readonly outcome: "made"; readonly sessionSecret: string }
  | { readonly outcome: "gone" }
  | { readonly outcome: "again"; readonly field: "username" | "password"; readonly problem: string }

const NAME_TAKEN = "There is a service account of that name. Choose another name."

export async function setUp(
  services: Pick<Services, "store" | "clock">,
  input: {
    readonly secret: string
    readonly username: string
    readonly password: string
    readonly address: string
    readonly userAgent: string
    readonly browserSecret: string
  },
): Promise<SetUpAnswer> {
  if (!(await isSetUpOpen(services, input.secret))) return { outcome: "gone" }
  const name = parseUsername(input.username)
  if (!name.ok) return { outcome: "again", field: "username", problem: name.error }
  const problem = passwordProblem(input.password, name.value.username)
  if (problem !== null) return { outcome: "again", field: "password", problem }

  const now = services.clock.now()
  const account: Account = {
    userId: newId<UserId>(now),
    username: name.value.username,
    usernameKey: name.value.usernameKey,
    type: "person",
    ownerId: null,
    passwordHash: await hashPassword(input.password),
    admin: true,
    enabled: true,
    createdAt: now,
  }
  const { secret, session } = newSession(account, {
    now,
    address: input.address,
    userAgent: input.userAgent,
    by: "password",
  })
  const { userId } = account
  const facts = { userId, address: input.address }
  const load = { anyAccount: true, setupLink: true, accountByName: account.usernameKey } as const
  return services.store.change(load, ({ anyAccount, setupLink, accountByName }) => {
    if (anyAccount !== null || setupLink === null || !sameHash(setupLink.hash, digest(input.secret)))
      return { answer: { outcome: "gone" } as SetUpAnswer, changes: [] }
    // A service account may exist before the first administrator, because it cannot sign in.
    if (accountByName !== null)
      return {
        answer: { outcome: "again", field: "username", problem: NAME_TAKEN } as SetUpAnswer,
        changes: [],
      }
    return {
      answer: { outcome: "made", sessionSecret: secret },
      changes: [
        { change: "accountAdded", account },
        { change: "setupLinkSet", hash: null, at: now },
        { change: "sessionAdded", session },
        { change: "browserKnown", browserHash: digest(input.browserSecret), userId, at: now },
        {
          change: "eventRecorded",
          event: event("account-added", now, { ...facts, detail: "administrator, by the set-up link" }),
        },
        { change: "eventRecorded", event: event("signed-in", now, facts) },
      ],
    }
  })
}
