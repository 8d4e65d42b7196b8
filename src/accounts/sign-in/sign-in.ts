/**
 * Signs in by name and password. Without a second factor, this is the whole sign-in.
 *
 * 1. An attempt is counted before its check, so that parallel guesses count too. A right password is not counted.
 * 2. An unknown name and a wrong password get the same response after the same time, and so does an account that may not
 *    sign in here: LOGIN-13.
 * 3. A known browser has signed in to the account before. It has its own counter, so other browsers cannot lock it out.
 * 4. The queue of password hashes is bounded. Known browsers go first, then addresses without failures. Each name and
 * each network (/24, for IPv6 /48) may only use a small part of the queue. Further attempts are refused at once and not
 * counted. LOAD-3.
 * 5. With a second factor, second-step.ts continues after the right password.
 */
import { type Account, asPerson, type Person } from "../../model/account.rules.ts"
import type { Hash, UserId } from "../../kernel/ids.ts"
import { decided, eventRecorded } from "../../model/change.rules.ts"
import { needsSecondFactor } from "../../model/factor.rules.ts"
import { PASSWORD_TRIES } from "../../kernel/account-limits.ts"
import { usernameKey } from "../../model/username.rules.ts"
import { digest } from "../../kernel/hash.ts"
import { wideNetworkOf } from "../../kernel/network.ts"
import { checkCounted } from "../../platform/services/counted-attempt.ts"
import { hasPasswordRoom, knownPlace, verifyPassword } from "../../platform/services/password.ts"
import {
  PASSWORD_RETRY_AFTER_SECONDS,
  type PasswordPlace,
  PasswordQueueFull,
} from "../../platform/services/password-queue.ts"
import type { Services } from "../../platform/services/services.ts"
import { metaKeys } from "../../store/loadable.ts"
import { StoreUnavailable } from "../../store/unavailable.ts"
import { replaceImportedHash } from "../imported-hash.ts"
import { NO_ACCOUNT } from "../find-account.ts"
import { type CountedTries, guessingEvents } from "../guessing.rules.ts"
import { isAdmitted } from "../sessions/session.rules.ts"
import { startSession, type SignInAttempt } from "../sessions/start-session.ts"

export type SignInAnswer =
  | { readonly outcome: "signed-in"; readonly secret: string; readonly account: Account }
  /** The password was right. The second step follows. */
  | { readonly outcome: "second-step"; readonly account: Person }
  | { readonly outcome: "wrong" }
  | { readonly outcome: "wait"; readonly seconds: number }
  /** The password was not checked, because too many checks are waiting. The attempt does not count. */
  | { readonly outcome: "busy"; readonly seconds: number }

type PasswordAttempt = SignInAttempt & { readonly username: string; readonly password: string }

export async function signIn(
  services: Pick<Services, "store" | "clock" | "guesses" | "log" | "providers">,
  attempt: PasswordAttempt,
): Promise<SignInAnswer> {
  const { store, guesses } = services
  const nameKey = usernameKey(attempt.username)
  const browserHash = digest(attempt.browserSecret)
  const { accountByName, meta } = await store.read({ accountByName: nameKey, meta: metaKeys.importedHash })
  const { isKnown, account } = await lookUp(services, accountByName?.userId ?? NO_ACCOUNT, browserHash)

  const places = placesOf(attempt, nameKey, isKnown)
  if (!places.some(hasPasswordRoom)) return BUSY
  const counters = isKnown
    ? [{ key: `sign-in browser:${browserHash} ${nameKey}`, limit: PASSWORD_TRIES.account }]
    : [
        { key: `sign-in address:${attempt.addressKey}`, limit: PASSWORD_TRIES.address },
        { key: `sign-in account:${nameKey}`, limit: PASSWORD_TRIES.account },
        { key: `sign-in network:${wideNetworkOf(attempt.address)}`, limit: PASSWORD_TRIES.network },
      ]
  const spent = await guesses.spendAll(counters)
  if (!spent.admitted) return { outcome: "wait", seconds: spent.retryAfterSeconds }

  const [first, last = first] = places
  const isSuspected = (spent.counts[0] ?? 0) > 1 || !hasPasswordRoom(first)
  const place = isSuspected ? last : first
  const isRight = await checkCounted(spent, () =>
    checkPassword(attempt.password, account, place, meta?.value ?? null),
  )
  if (isRight === null) {
    await spent.giveBack()
    return BUSY
  }
  if (!isRight || account === null || !account.enabled || !isAdmitted(account, services.providers)) {
    const tries = counters.map(({ limit }, at) => ({
      limit,
      count: spent.counts[at],
      userId: limit === PASSWORD_TRIES.account ? (account?.userId ?? null) : null,
    }))
    await recordRefusal(services, account, attempt.address, tries)
    return { outcome: "wrong" }
  }
  await spent.giveBack()
  const person = await replaceImportedHash(services, account, attempt.password, place)
  const { factors } = await store.read({ factors: account.userId })
  if (needsSecondFactor(factors ?? [])) return { outcome: "second-step", account: person }
  const secret = await startSession(services, person, "password", attempt)
  return secret === null ? { outcome: "wrong" } : { outcome: "signed-in", secret, account: person }
}

const BUSY = { outcome: "busy", seconds: PASSWORD_RETRY_AFTER_SECONDS } as const

/** The queues in which the password check may wait. The best queue comes first. */
function placesOf(
  { address }: PasswordAttempt,
  account: string,
  isKnown: boolean,
): readonly [PasswordPlace, ...PasswordPlace[]] {
  if (isKnown) return [knownPlace(account)]
  return [
    { priority: "unsuspected", account, network: wideNetworkOf(address) },
    { priority: "other", account, network: null },
  ]
}

/** Returns null if the queue is full. LOAD-3. */
async function checkPassword(
  password: string,
  account: Account | null,
  place: PasswordPlace,
  imitated: string | null,
): Promise<boolean | null> {
  try {
    return await verifyPassword(password, account?.passwordHash ?? null, place, imitated)
  } catch (problem) {
    if (problem instanceof PasswordQueueFull) return null
    throw problem
  }
}

/** An account that an import is staging is found by its name, but not by its id. MOVE-5. */
async function lookUp({ store }: Pick<Services, "store">, userId: UserId, browserHash: Hash) {
  const found = await store.read({ account: userId, knownBrowser: { browserHash, userId } })
  return { isKnown: found.knownBrowser !== null, account: asPerson(found.account) }
}

/**
 * If the database cannot record it, the response still says that the password is wrong. A 503 would have to give the
 * attempt back, and a locked database would then allow any number of guesses.
 */
async function recordRefusal(
  { store, clock, log }: Pick<Services, "store" | "clock" | "log">,
  account: Account | null,
  address: string,
  tries: readonly CountedTries[],
): Promise<void> {
  const now = clock.now()
  const refused = eventRecorded("sign-in-refused", now, { userId: account?.userId ?? null, address })
  try {
    const guessing = guessingEvents(tries, { now, address })
    await store.change({}, () => decided(null, refused, ...guessing))
  } catch (problem) {
    if (!(problem instanceof StoreUnavailable)) throw problem
    log.warn({ user_id: account?.userId ?? null }, "a refused sign-in could not be recorded")
  }
}
