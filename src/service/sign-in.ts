/**
 * Signing in by name and password: the first step, and the only one where no second factor is enrolled.
 *
 * 1. Tries are counted before they are checked and given back when right, so that parallel guesses count as well.
 * 2. An unknown name costs the same time as a wrong password and gets the same answer.
 * 3. A browser that signed in to the account before has a counter of its own: nobody else can shut it out.
 * 4. Where a second factor is enrolled, a right password signs nobody in yet: second-step.ts goes on.
 */
import type { Account } from "../core/account.ts"
import type { UserId } from "../core/brand.ts"
import { event } from "../core/event.ts"
import { needsSecondFactor } from "../core/factor.ts"
import { PASSWORD_TRIES } from "../core/limits.ts"
import { usernameKey } from "../core/username.ts"
import { digest } from "../system/hash.ts"
import { verifyPassword } from "../system/password.ts"
import type { Latchkey } from "./latchkey.ts"
import { startSession, type Visitor } from "./start-session.ts"

export type SignInAnswer =
  | { readonly outcome: "signed-in"; readonly secret: string; readonly account: Account }
  /** The password was right; nobody is signed in yet. */
  | { readonly outcome: "second-step"; readonly account: Account }
  | { readonly outcome: "wrong" }
  | { readonly outcome: "wait"; readonly seconds: number }

export type SignInTry = Visitor & { readonly username: string; readonly password: string }

export async function signIn(
  latchkey: Pick<Latchkey, "store" | "clock" | "guesses">,
  attempt: SignInTry,
): Promise<SignInAnswer> {
  const { store, guesses } = latchkey
  const nameKey = usernameKey(attempt.username)
  const browserHash = digest(attempt.browserSecret)
  const { accountByName: account } = await store.read({ accountByName: nameKey })
  const isKnown = await isKnownBrowser(latchkey, account?.userId ?? NOBODY, attempt.browserSecret)

  const counters = isKnown
    ? [{ key: `sign-in browser ${browserHash} ${nameKey}`, limit: PASSWORD_TRIES.account }]
    : [
        { key: `sign-in account ${nameKey}`, limit: PASSWORD_TRIES.account },
        { key: `sign-in address ${attempt.addressKey}`, limit: PASSWORD_TRIES.address },
      ]
  const spent = await guesses.spendAll(counters)
  if (!spent.admitted) return { outcome: "wait", seconds: spent.retryAfterSeconds }

  const isRight = await verifyPassword(attempt.password, account?.passwordHash ?? null)
  if (!isRight || account === null || !account.enabled) {
    await recordRefusal(latchkey, account, attempt.address)
    return { outcome: "wrong" }
  }
  await spent.giveBack()
  const { factors } = await store.read({ factors: account.userId })
  if (needsSecondFactor(factors ?? [])) return { outcome: "second-step", account }
  const secret = await startSession(latchkey, account, "password", attempt)
  return secret === null ? { outcome: "wrong" } : { outcome: "signed-in", secret, account }
}

/** Is asked about in the place of an unknown name, so that one takes as long as a known one. ERR-11. */
const NOBODY = "0".repeat(26) as UserId

async function isKnownBrowser(
  { store }: Pick<Latchkey, "store">,
  userId: UserId,
  browserSecret: string,
): Promise<boolean> {
  const { knownBrowser } = await store.read({ knownBrowser: { browserHash: digest(browserSecret), userId } })
  return knownBrowser !== null
}

async function recordRefusal(
  { store, clock }: Pick<Latchkey, "store" | "clock">,
  account: Account | null,
  address: string,
): Promise<void> {
  const recorded = event("sign-in-refused", clock.now(), { userId: account?.userId ?? null, address })
  await store.change({}, () => ({ answer: null, changes: [{ change: "eventRecorded", event: recorded }] }))
}
