/** The clock that housekeeping trusts (`upkeep/clock-jump.rules.ts`), kept in the database: a restart does not make it true. */
import { guardAgainstClockJump, type TrustedTime } from "./clock-jump.rules.ts"
import { decided } from "../records/change.rules.ts"
import { HOUR } from "../kernel/time.ts"
import { metaKeys } from "../store/store.ts"
import type { Services } from "../services/services.ts"

const KEY = metaKeys.believedTime

/** The stored time is at most this old: little beside the week that a jump may be. */
const KEPT_EVERY_SECONDS = 6 * HOUR

/** Answers what tells the instant up to which rows may go. */
export function retentionClock({
  store,
  clock,
  shared,
  log,
}: Pick<Services, "store" | "clock" | "shared" | "log">): () => Promise<number> {
  let trusted: TrustedTime | null = null
  let kept: TrustedTime | null = null
  return async () => {
    if (kept === null) {
      const { meta } = await store.read({ meta: KEY })
      trusted = kept = meta === null ? null : parse(meta.value)
    }
    const before: TrustedTime | null = trusted
    // Another node's rows are not to go by a clock that is ahead of that of the database.
    const now = shared === null ? clock.now() : Math.min(clock.now(), Math.floor(await shared.now()))
    trusted = guardAgainstClockJump(before, now)
    if (trusted.doubtedSince !== null && trusted.doubtedSince !== before?.doubtedSince)
      log.warn(
        { aheadSeconds: now - trusted.at },
        "the clock is far ahead of what it was; until it has been so for a day nothing is removed",
      )
    if (isWorthKeeping(trusted, kept)) {
      const { at, doubtedSince } = trusted
      await store.change({ meta: KEY }, () =>
        decided(null, { change: "metaSet", key: KEY, value: `${at} ${doubtedSince ?? ""}` }),
      )
      kept = trusted
    }
    return Math.min(trusted.at, now)
  }
}

function isWorthKeeping(trusted: TrustedTime, kept: TrustedTime | null): boolean {
  if (kept === null || trusted.doubtedSince !== kept.doubtedSince) return true
  return Math.abs(trusted.at - kept.at) >= KEPT_EVERY_SECONDS
}

function parse(text: string): TrustedTime {
  const [at = "", doubtedSince = ""] = text.split(" ")
  return { at: Number(at), doubtedSince: doubtedSince === "" ? null : Number(doubtedSince) }
}
