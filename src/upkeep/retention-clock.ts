/** The clock as housekeeping believes it (`upkeep/clock-jump.rules.ts`), kept in the database: a restart does not make it true. */
import { believe, type BelievedTime } from "./clock-jump.rules.ts"
import { decided } from "../records/change.rules.ts"
import { HOUR } from "../kernel/time.ts"
import { metaKeys } from "../store/store.ts"
import type { Latchkey } from "../services/services.ts"

const KEY = metaKeys.believedTime

/** What is kept is this old at the most: little beside the week that a jump may be. */
const KEPT_EVERY_SECONDS = 6 * HOUR

/** Answers what tells the instant up to which rows may go. */
export function believedClock({
  store,
  clock,
  shared,
  log,
}: Pick<Latchkey, "store" | "clock" | "shared" | "log">): () => Promise<number> {
  let believed: BelievedTime | null = null
  let kept: BelievedTime | null = null
  return async () => {
    if (kept === null) {
      const { meta } = await store.read({ meta: KEY })
      believed = kept = meta === null ? null : parse(meta.value)
    }
    const before: BelievedTime | null = believed
    // Another node's rows are not to go by a clock that is ahead of that of the database.
    const now = shared === null ? clock.now() : Math.min(clock.now(), Math.floor(await shared.now()))
    believed = believe(before, now)
    if (believed.doubtedSince !== null && believed.doubtedSince !== before?.doubtedSince)
      log.warn(
        { aheadSeconds: now - believed.at },
        "the clock is far ahead of what it was; until it has been so for a day nothing is removed",
      )
    if (isWorthKeeping(believed, kept)) {
      const { at, doubtedSince } = believed
      await store.change({ meta: KEY }, () =>
        decided(null, { change: "metaSet", key: KEY, value: `${at} ${doubtedSince ?? ""}` }),
      )
      kept = believed
    }
    return Math.min(believed.at, now)
  }
}

function isWorthKeeping(believed: BelievedTime, kept: BelievedTime | null): boolean {
  if (kept === null || believed.doubtedSince !== kept.doubtedSince) return true
  return Math.abs(believed.at - kept.at) >= KEPT_EVERY_SECONDS
}

function parse(text: string): BelievedTime {
  const [at = "", doubtedSince = ""] = text.split(" ")
  return { at: Number(at), doubtedSince: doubtedSince === "" ? null : Number(doubtedSince) }
}
