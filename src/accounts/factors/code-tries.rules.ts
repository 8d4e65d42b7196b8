/**
 * Counts an account's consecutive failed one-time passwords and recovery codes: FACTOR-11, NIST SP 800-63B §5.2.2.
 * Known browsers, which signed in before, have a separate count and are never locked out.
 */
import type { UserId } from "../../kernel/ids.ts"
import { type Change, type Decided, decided, eventRecorded } from "../../model/change.rules.ts"
import { type Event, event } from "../../model/event.rules.ts"
import {
  type Assertion,
  type CodePresented,
  decideCode,
  decidePasskey,
  type ProofTry,
  type Proven,
} from "./factor-proof.rules.ts"
import { CODE_FAILURES_AT_MOST, FACTOR_CODE_TRIES } from "../../kernel/account-limits.ts"
import type { CodeTries } from "../../model/factor.rules.ts"

/** Whether the account accepts codes from known browsers only. */
export function areCodesClosed(tries: CodeTries | null): boolean {
  return tries !== null && tries.unknownFailures >= CODE_FAILURES_AT_MOST
}

type CodeTry = {
  readonly attempt: ProofTry
  readonly tries: CodeTries | null
  readonly isKnownBrowser: boolean
}

/** While the account accepts codes from known browsers only, codes from other browsers are not checked. */
export function decideCountedCode(
  { attempt, tries, isKnownBrowser }: CodeTry,
  code: CodePresented,
): Decided<Proven | "closed"> {
  if (!isKnownBrowser && areCodesClosed(tries)) return decided("closed")
  const { answer, changes } = decideCode(attempt, code)
  return answer === null
    ? decided<Proven>(null, ...failed(attempt, tries, isKnownBrowser))
    : decided<Proven>(answer, ...changes, ...afterRightCode(attempt, tries, isKnownBrowser))
}

function failed(attempt: ProofTry, tries: CodeTries | null, isKnown: boolean): readonly Change[] {
  const { userId, now, address } = attempt
  const before = tries ?? { userId, unknownFailures: 0, knownFailures: 0 }
  const count = (isKnown ? before.knownFailures : before.unknownFailures) + 1
  const next = isKnown ? { ...before, knownFailures: count } : { ...before, unknownFailures: count }
  const closes = !isKnown && count === CODE_FAILURES_AT_MOST
  const inARow = `${count} in a row`
  // A series of failures is recorded as one event, with the time and the address of the first failure.
  const series = isKnown ? "code from a known browser: " : "code: "
  const refused = { ...event("factor-refused", now, { address, detail: series + inARow }), userId }
  const suspected = eventRecorded("guessing-suspected", now, {
    userId,
    address,
    detail: `${count} wrong codes in a row`,
  })
  return [
    { change: "codeTriesSet", userId, tries: next },
    count === 1
      ? { change: "eventRecorded", event: refused }
      : { change: "eventCounted", event: refused, series },
    ...(count === FACTOR_CODE_TRIES.requests ? [suspected] : []),
    ...(closes ? [eventRecorded("codes-closed", now, { userId, address, detail: inARow })] : []),
  ]
}

/** A valid code resets the failures of its browser. From a known browser it also lets unknown ones try again. */
function afterRightCode(attempt: ProofTry, tries: CodeTries | null, isKnown: boolean): readonly Change[] {
  if (tries === null) return []
  if (isKnown) return opened(attempt, tries, "from a known browser")
  return tries.knownFailures === 0
    ? [{ change: "codeTriesSet", userId: attempt.userId, tries: null }]
    : [{ change: "codeTriesSet", userId: attempt.userId, tries: { ...tries, unknownFailures: 0 } }]
}

/** A valid passkey shows that the owner is present, so unknown browsers may try codes again. It resets no count. */
export function decideCountedPasskey(
  attempt: ProofTry,
  asserted: Assertion,
  isSpent: boolean,
  tries: CodeTries | null,
): Decided<Proven> {
  const { answer, changes } = decidePasskey(attempt, asserted, isSpent)
  return answer === null || tries === null || !areCodesClosed(tries)
    ? decided<Proven>(answer, ...changes)
    : decided<Proven>(answer, ...changes, ...opened(attempt, tries, "by a passkey"))
}

/** Lets unknown browsers use the account's codes again, on behalf of an administrator. */
export function decideUnlock(
  tries: CodeTries | null,
  { userId, ...by }: Pick<Event, "userId" | "actorId" | "address"> & { readonly userId: UserId },
  now: number,
): readonly Change[] {
  if (tries === null) return []
  const opening = eventRecorded("codes-opened", now, { userId, ...by, detail: "by an administrator" })
  return [{ change: "codeTriesSet", userId, tries: null }, ...(areCodesClosed(tries) ? [opening] : [])]
}

function opened(
  { userId, now, address }: Pick<ProofTry, "userId" | "now" | "address">,
  tries: CodeTries,
  detail: string,
): readonly Change[] {
  return [
    { change: "codeTriesSet", userId, tries: null },
    ...(areCodesClosed(tries) ? [eventRecorded("codes-opened", now, { userId, address, detail })] : []),
  ]
}
