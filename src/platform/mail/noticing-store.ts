/**
 * A store that adds notices to the changes that they tell of, so that both are written or neither. It exists only if the
 * operator has configured e-mail. All other calls are passed on.
 */
import type { MailId } from "../../kernel/ids.ts"
import type { Clock } from "../../kernel/clock.ts"
import { newId } from "../../kernel/random.ts"
import { storeWith } from "../services/counting-store.ts"
import type { Found, Load } from "../../store/loadable.ts"
import type { Store } from "../../store/store.ts"
import type { Decided } from "../../model/change.rules.ts"
import { noticesOf, queued } from "./notices.rules.ts"

/** `wake` is called after mails were queued. */
export function noticingStore(store: Store, clock: Clock, wake: () => void): Store {
  return storeWith(
    store,
    <const L extends Load, A>(load: L, decide: (found: Found<L>) => Decided<A>): Promise<A> => {
      let hasMail = false
      const answer = store.change(load, (found) => {
        const decided = decide(found)
        const notices = noticesOf(decided.changes)
        hasMail = notices.length > 0 || decided.changes.some(({ change }) => change === "mailQueued")
        if (notices.length === 0) return decided
        // They come first, because the changes make the browser of a sign-in known.
        const mails = notices.map((notice) => queued(notice, newId<MailId>(clock.now())))
        return { answer: decided.answer, changes: [...mails, ...decided.changes] }
      })
      return answer.then((value) => {
        if (hasMail) wake()
        return value
      })
    },
  )
}
