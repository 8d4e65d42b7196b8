/**
 * Counts failed one-time passwords and recovery codes in a row, together for an account: FACTOR-11, NIST SP 800-63B
 * §5.2.2. A browser that signed in before has its own count and is never locked out.
 */
import type { UserId } from "../../kernel/ids.ts"
import { type Change, type Decided, decided } from "../../records/change.rules.ts"
import { type Event, event } from "../../records/event.rules.ts"
import {
  type Assertion,
  type CodePresented,
  decideCode,
  decidePasskey,
  type ProofTry,
  type Proven,
} from "./factor-proof.rules.ts"
import { CODE_FAILURES_AT_MOST } from "../../kernel/limits.ts"
import type { CodeTries } from "../../records/failed-codes.rules.ts"

/** Whether only known browsers may use codes. */
export function areCodesClosed(tries: CodeTries | null): boolean {
  return tries !== null && tries.unknownFailures >= CODE_FAILURES_AT_MOST
}

export type CodeTry = {
  readonly attempt: ProofTry
  readonly tries: CodeTries | null
  readonly isKnownBrowser: boolean
}

/** Counts an attempt. While codes are closed, codes of unknown browsers are not checked. */
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
  const recorded = closes
    ? event("codes-closed", now, { userId, address, detail: inARow(count) })
    : isReported(count)
      ? event("factor-refused", now, { userId, address, detail: `code: ${inARow(count)}` })
      : null
  return [
    { change: "codeTriesSet", userId, tries: next },
    ...(recorded === null ? [] : [{ change: "eventRecorded", event: recorded } as const]),
  ]
}

/** An event is recorded at 1, 10, 100, 1000 … failures. */
function isReported(count: number): boolean {
  return /^10*$/.test(String(count))
}

function inARow(count: number): string {
  return `${count} in a row`
}

/** A valid code resets the count of its browser. From a known browser it also opens codes to unknown browsers. */
function afterRightCode(attempt: ProofTry, tries: CodeTries | null, isKnown: boolean): readonly Change[] {
  if (tries === null) return []
  if (isKnown) return opened(attempt, tries, "from a known browser")
  return tries.knownFailures === 0
    ? [{ change: "codeTriesSet", userId: attempt.userId, tries: null }]
    : [{ change: "codeTriesSet", userId: attempt.userId, tries: { ...tries, unknownFailures: 0 } }]
}

/** A passkey resets no count, but opens closed codes: the owner was present. */
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

/** An administrator opens codes to unknown browsers. */
export function decideUnlock(
  tries: CodeTries | null,
  { userId, ...by }: Pick<Event, "userId" | "actorId" | "address"> & { readonly userId: UserId },
  now: number,
): readonly Change[] {
  if (tries === null) return []
  const opening = event("codes-opened", now, { userId, ...by, detail: "by an administrator" })
  return [
    { change: "codeTriesSet", userId, tries: null },
    ...(areCodesClosed(tries) ? [{ change: "eventRecorded", event: opening } as const] : []),
  ]
}

function opened(
  { userId, now, address }: Pick<ProofTry, "userId" | "now" | "address">,
  tries: CodeTries,
  detail: string,
): readonly Change[] {
  return [
    { change: "codeTriesSet", userId, tries: null },
    ...(areCodesClosed(tries)
      ? [{ change: "eventRecorded", event: event("codes-opened", now, { userId, address, detail }) } as const]
      : []),
  ]
}
