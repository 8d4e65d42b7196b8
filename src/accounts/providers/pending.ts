/**
 * What this service remembers of a sign-in while the browser is at the provider. It travels in a sealed cookie,
 * so anonymous callers store nothing here. The seal covers the browser that began.
 */
import type { GrantId, Hash, TokenId } from "../../kernel/ids.ts"
import { sameCharacters } from "../../kernel/constant-time.ts"
import { digest } from "../../kernel/hash.ts"
import { ownPath } from "../../platform/ui/own-path.ts"
import { newId, randomSecret } from "../../kernel/random.ts"
import { HOUR, isWithin, MINUTE } from "../../kernel/time.ts"
import type { Services } from "../../platform/services/services.ts"
import type { Spent } from "../../store/limits.ts"
import type { Browser } from "../sessions/browser-cookies.ts"
import type { HttpReply, HttpRequest } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import {
  forgetUnfinished,
  keepUnfinished,
  unfinishedIn,
  unfinishedNames,
} from "../sessions/unfinished-cookies.ts"

export type Purpose = "sign-in" | "link" | "prove" | "step-up"

export type InvitedArrival = { readonly link: string; readonly username: string }

export type Pending = {
  /** A sign-in works once. */
  readonly ticketId: TokenId
  readonly provider: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly purpose: Purpose
  /** The session that links an account or proves itself. Null for a sign-in. */
  readonly sessionHash: Hash | null
  /** The path and query that the browser visits afterwards. */
  readonly next: string | null
  /** The invitation that the sign-in accepts, and the name that was typed on its page. */
  readonly invited?: InvitedArrival | undefined
  /** The step-up that the sign-in proves. */
  readonly grantId?: GrantId | undefined
  /** What the start counted. A sign-in that succeeds gives it back. */
  readonly counted: readonly Spent[]
  readonly startedAt: number
}

/** A person must come back from the provider within this time. */
export const PENDING_SECONDS = 10 * MINUTE
/** The cookie lasts longer, so that a person who comes back too late starts again with the same destination. */
const COOKIE_SECONDS = HOUR

const PREFIX = "provider_"

export function newPending(
  { clock }: Pick<Services, "clock">,
  of: Pick<Pending, "provider" | "purpose" | "sessionHash" | "next" | "counted" | "invited" | "grantId">,
): Pending {
  const startedAt = clock.now()
  const secrets = { state: randomSecret(), nonce: randomSecret(), verifier: randomSecret() }
  return { ...of, ...secrets, ticketId: newId<TokenId>(startedAt), startedAt }
}

/** Sets the cookies. Returns false if the destination is too long for them. */
export function keepPending(
  context: HttpContext,
  reply: HttpReply,
  { secret }: Browser,
  pending: Pending,
): boolean {
  const sealed = context.services.keys.seal(purposeOf(secret), JSON.stringify(pending))
  return keepUnfinished(context, reply, nameOf(pending.state), sealed, COOKIE_SECONDS)
}

/** Opens the cookies of a callback. Returns null unless this browser began a sign-in with this state. */
export function openPending(
  context: HttpContext,
  request: HttpRequest,
  browser: Browser,
  state: string,
): Pending | null {
  const pending = pendingIn(context, request, browser, nameOf(state))
  return pending !== null && sameCharacters(pending.state, state) ? pending : null
}

/** Whether the browser sent cookies of any sign-in. */
export function hasPending(request: HttpRequest): boolean {
  return [...unfinishedNames(request)].some((name) => name.startsWith(PREFIX))
}

/** Returns the destination of the newest sign-in that this browser began, or null. */
export function pendingNext(context: HttpContext, request: HttpRequest, browser: Browser): string | null {
  const [newest] = [...unfinishedNames(request)]
    .filter((name) => name.startsWith(PREFIX))
    .flatMap((name) => pendingIn(context, request, browser, name) ?? [])
    .filter(({ purpose }) => purpose === "sign-in")
    .toSorted((a, b) => b.startedAt - a.startedAt)
  return newest?.next ?? null
}

export function forgetPending(context: HttpContext, reply: HttpReply, { state }: Pending): void {
  forgetUnfinished(context, reply, nameOf(state))
}

function pendingIn(
  context: HttpContext,
  request: HttpRequest,
  { secret }: Browser,
  name: string,
): Pending | null {
  const content = context.services.keys.open(purposeOf(secret), unfinishedIn(context, request, name))
  if (content === null) return null
  const pending = JSON.parse(content) as Pending
  return { ...pending, next: ownPath(pending.next) }
}

export function isInTime({ startedAt }: Pending, now: number): boolean {
  return isWithin(startedAt, now, PENDING_SECONDS)
}

function purposeOf(browserSecret: string): string {
  return `sign-in through a provider ${digest(browserSecret)}`
}

function nameOf(state: string): string {
  return `${PREFIX}${digest(state).slice(0, 10)}`
}
