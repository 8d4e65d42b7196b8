/**
 * Signing in by name and password.
 *
 * 1. Tries are counted before they are checked and given back when right, so that parallel guesses count as well.
 * 2. An unknown name costs the same time as a wrong password and gets the same answer.
 * 3. A browser that signed in to the account before has a counter of its own: nobody else can shut it out.
 */
import type { Account } from "../core/account.ts"
import { event } from "../core/event.ts"
import { PASSWORD_TRIES } from "../core/limits.ts"
import { usernameKey } from "../core/username.ts"
import { digest } from "../system/hash.ts"
import { verifyPassword } from "../system/password.ts"
import type { Latchkey } from "./latchkey.ts"
import { newSession, type NewSession } from "./session.ts"

export type SignInAnswer =
  | { readonly outcome: "signed-in"; readonly secret: string; readonly account: Account }
  | { readonly outcome: "wrong" }
  | { readonly outcome: "wait"; readonly seconds: number }

export type SignInTry = {
  readonly username: string
  readonly password: string
  readonly address: string
  /** The throttle key of the address: a whole /64 counts as one. */
  readonly addressKey: string
  readonly userAgent: string
  /** The secret of the browser's lasting cookie. */
  readonly browserSecret: string
  /** The session that the browser holds already; it ends. */
  readonly formerSecret: string | null
}

export async function signIn(
  latchkey: Pick<Latchkey, "store" | "clock" | "guesses">,
  attempt: SignInTry,
): Promise<SignInAnswer> {
  const { store, clock, guesses } = latchkey
  const nameKey = usernameKey(attempt.username)
  const browserHash = digest(attempt.browserSecret)
  const { accountByName: account } = await store.read({ accountByName: nameKey })
  const isKnown = account !== null && (await isKnownBrowser(latchkey, account, attempt.browserSecret))

  const counters = isKnown
    ? [{ key: `sign-in browser ${browserHash} ${nameKey}`, limit: PASSWORD_TRIES.account }]
    : [
        { key: `sign-in account ${nameKey}`, limit: PASSWORD_TRIES.account },
        { key: `sign-in address ${attempt.addressKey}`, limit: PASSWORD_TRIES.address },
      ]
  const spent = guesses.spendAll(counters)
  if (!spent.admitted) return { outcome: "wait", seconds: spent.retryAfterSeconds }

  const isRight = await verifyPassword(attempt.password, account?.passwordHash ?? null)
  if (!isRight || account === null || !account.enabled) {
    await recordRefusal(latchkey, account, attempt.address)
    return { outcome: "wrong" }
  }
  spent.giveBack()
  const started = newSession(account, clock.now(), attempt.address, attempt.userAgent)
  const isStill = await startSession(latchkey, account, started, attempt)
  return isStill ? { outcome: "signed-in", secret: started.secret, account } : { outcome: "wrong" }
}

async function isKnownBrowser(
  { store }: Pick<Latchkey, "store">,
  { userId }: Account,
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

/** False where the account was disabled, removed or given another password while this one was being checked. */
async function startSession(
  { store, clock }: Pick<Latchkey, "store" | "clock">,
  { userId, passwordHash }: Account,
  { session }: NewSession,
  { address, browserSecret, formerSecret }: SignInTry,
): Promise<boolean> {
  const now = clock.now()
  const browserHash = digest(browserSecret)
  return store.change({ account: userId }, ({ account }) => {
    if (account === null || !account.enabled || account.passwordHash !== passwordHash)
      return { answer: false, changes: [] }
    return {
      answer: true,
      changes: [
        ...(formerSecret === null
          ? []
          : [{ change: "sessionEnded", sessionHash: digest(formerSecret) } as const]),
        { change: "sessionAdded", session },
        { change: "browserKnown", browserHash, userId, at: now },
        { change: "eventRecorded", event: event("signed-in", now, { userId, address }) },
      ],
    }
  })
}
