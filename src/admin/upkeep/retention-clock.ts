/**
 * The clock that housekeeping trusts (`clock-jump.rules.ts`). The database stores its state. A restart therefore
 * does not make a wrong clock trusted.
 */
import { guardAgainstClockJump, type TrustedTime } from "./clock-jump.rules.ts"
import { decided } from "../../model/change.rules.ts"
import { HOUR } from "../../kernel/time.ts"
import { metaKeys } from "../../store/loadable.ts"
import type { Services } from "../../platform/services/services.ts"

const KEY = metaKeys.believedTime

/**
 * The trusted time is written at this interval. It is much shorter than a week, which is the longest jump that is
 * allowed.
 */
const KEPT_EVERY_SECONDS = 6 * HOUR

/** Returns a function that returns the time that decides which rows are old. */
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
    // If the node's clock is ahead of the database's clock, the node must not delete rows early.
    const now = shared === null ? clock.now() : Math.min(clock.now(), Math.floor(await shared.now()))
    trusted = guardAgainstClockJump(before, now)
    if (trusted.doubtedSince !== null && trusted.doubtedSince !== before?.doubtedSince)
      log.warn(
        { aheadSeconds: now - trusted.at },
        "the clock jumped ahead by more than a week; deletion pauses until it has stayed there for a day",
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
