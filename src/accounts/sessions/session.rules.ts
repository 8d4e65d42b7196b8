/**
 * Decides whether a session is over, and whether it authorizes anything now. A session that an application began does so
 * for some minutes after each assertion. Where an application is the only way to sign in, no other session of a person
 * does, except an administrator's. LOGIN-10…LOGIN-12.
 */
import type { Account, Session } from "../../model/account.rules.ts"
import type { ApplicationProvider, SignInProviders } from "../../model/sign-in/provider.rules.ts"
import { SESSION_IDLE_SECONDS, SESSION_SECONDS } from "../../kernel/account-limits.ts"
import { DAY, isFarAhead, isPast, isWithin } from "../../kernel/time.ts"

export function isOver(session: Session, now: number): boolean {
  // A start in the future means that the clock was set back since then. Without this check, the session would last too
  // long.
  if (isFarAhead(session.createdAt - DAY, now)) return true
  return (
    isPast(session.createdAt + SESSION_SECONDS, now) || isPast(session.seenAt + SESSION_IDLE_SECONDS, now)
  )
}

/** Returns the application that is the only way to sign in, or null. The configuration has one at most. */
export function onlyApplication(providers: SignInProviders): ApplicationProvider | null {
  for (const provider of providers.values())
    if (provider.preset === "application" && provider.only) return provider
  return null
}

/** Where an application is the only way to sign in, what this service checks itself admits administrators alone. */
export function isAdmitted({ admin }: Pick<Account, "admin">, providers: SignInProviders): boolean {
  return admin || onlyApplication(providers) === null
}

/** An application that left the configuration vouches for no session. */
export function authorizes(
  { vouched }: Pick<Session, "vouched">,
  { admin }: Pick<Account, "admin">,
  providers: SignInProviders,
  now: number,
): boolean {
  const only = onlyApplication(providers)
  if (only !== null && !admin && vouched?.by !== only.name) return false
  if (vouched === null) return true
  const voucher = providers.get(vouched.by)
  return voucher?.preset === "application" && isWithin(vouched.at, now, voucher.sessionSeconds)
}

/**
 * Whether an assertion about the person renews the session of the browser, in place of a new one. The application is
 * null for a provider of another preset, which an application of the same name may have been before.
 */
export function isRenewedBy(
  application: string | null,
  { userId }: Pick<Account, "userId">,
  session: Session | null,
  now: number,
): session is Session {
  return session?.vouched?.by === application && session.userId === userId && !isOver(session, now)
}
