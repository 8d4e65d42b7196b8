/** The one-time set-up link: a browser uses it to create the first administrator. */
import { type Account, newPerson, type Session } from "../../model/account.rules.ts"
import { type Change, type Decided, decided, eventRecorded } from "../../model/change.rules.ts"
import type { UserId } from "../../kernel/ids.ts"
import { appearanceChanges } from "../../model/appearance-changes.rules.ts"
import { addedAccount } from "../account-change.rules.ts"
import { passwordProblem, type PasswordProblem } from "../password.rules.ts"
import { parseNewUsername, type UsernameProblem } from "../../model/username.rules.ts"
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
  | {
      readonly outcome: "again"
      readonly field: "username"
      readonly problem: UsernameProblem | "taken-by-service"
    }
  | { readonly outcome: "again"; readonly field: "password"; readonly problem: PasswordProblem }
  | { readonly outcome: "again"; readonly field: "service" }

type SetUpInput = {
  readonly secret: string
  readonly username: string
  readonly password: string
  /** The name of the service. An empty text leaves it as it is. */
  readonly service: string
  readonly address: string
  readonly userAgent: string
  readonly browserSecret: string
}

export async function setUp(
  services: Pick<Services, "store" | "clock">,
  input: SetUpInput,
): Promise<SetUpAnswer> {
  if (!(await isSetUpOpen(services, input.secret))) return { outcome: "gone" }
  const name = parseNewUsername(input.username)
  if (!name.ok) return { outcome: "again", field: "username", problem: name.error }
  const problem = passwordProblem(input.password, name.value.username)
  if (problem !== null) return { outcome: "again", field: "password", problem }
  const { address, userAgent } = input
  const now = services.clock.now()
  const userId = newId<UserId>(now)
  const by = { actorId: userId, address, at: now }
  const named = appearanceChanges({ name: input.service.trim() === "" ? null : input.service }, new Map(), by)
  if (!named.ok) return { outcome: "again", field: "service" }

  const passwordHash = await hashPassword(input.password)
  const account = newPerson(name.value, { userId, passwordHash, admin: true, createdAt: now })
  const made = newSession(account, { now, address, userAgent, by: "password", amr: ["pwd"] })
  const load = { anyAccount: true, setupLink: true, accountByName: account.usernameKey } as const
  return services.store.change(load, ({ anyAccount, setupLink, accountByName }): Decided<SetUpAnswer> => {
    if (anyAccount !== null || setupLink === null || !sameHash(setupLink.hash, digest(input.secret)))
      return decided({ outcome: "gone" })
    // A service account may exist before the first administrator, because it cannot sign in.
    if (accountByName !== null)
      return decided({ outcome: "again", field: "username", problem: "taken-by-service" })
    return decided(
      { outcome: "made", sessionSecret: made.secret },
      ...named.value,
      ...setUpChanges(account, made.session, input),
    )
  })
}

/** Adds the administrator, uses the link and signs the browser in. */
function setUpChanges(
  account: Account,
  session: Session,
  { address, browserSecret }: Pick<SetUpInput, "address" | "browserSecret">,
): readonly Change[] {
  const { userId, createdAt: at } = account
  return [
    ...addedAccount(account, { address }, at, "by the set-up link"),
    { change: "setupLinkSet", hash: null, at },
    { change: "sessionAdded", session },
    { change: "browserKnown", browserHash: digest(browserSecret), userId, at },
    eventRecorded("signed-in", at, { userId, address }),
  ]
}
