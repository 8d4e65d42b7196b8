/** Seals everything in the database again with another service secret. Safe to repeat. Interface SECRET-3. */
import type { Keys } from "../../kernel/keys.ts"
import { type Change, decided } from "../../model/change.rules.ts"
import { sealedNames, type SealedRow, type SealedThing, sealedThings } from "../../model/sealed.rules.ts"
import type { Store } from "../../store/store.ts"

/** One change seals this many rows again. */
const BATCH = 100

export type SealCount = {
  readonly sealed: number
  /** Rows that neither secret opens. They were lost before. */
  readonly unreadable: number
}

/** `batch` is called after each batch. */
export async function sealAgain(
  store: Store,
  { former, next }: { readonly former: Keys; readonly next: Keys },
  batch: () => void = () => undefined,
): Promise<SealCount> {
  let [sealed, unreadable] = [0, 0]
  for (const thing of sealedNames)
    for await (const rows of sealedBatches(store, thing, BATCH)) {
      const changes: Change[] = []
      for (const { key, text } of rows) {
        const purpose = sealedThings[thing].purpose(key)
        if (next.open(purpose, text) !== null) continue
        const content = former.open(purpose, text)
        if (content === null) unreadable++
        else
          changes.push({ change: "sealedAgain", thing, key, former: text, text: next.seal(purpose, content) })
      }
      sealed += changes.length
      if (changes.length > 0) await store.change({}, () => decided(null, ...changes))
      batch()
    }
  return { sealed, unreadable }
}

export async function* sealedBatches(
  store: Pick<Store, "sealed">,
  thing: SealedThing,
  limit: number,
): AsyncIterable<readonly SealedRow[]> {
  for (let after: string | null = null; ;) {
    const rows: readonly SealedRow[] = await store.sealed(thing, after, limit)
    if (rows.length > 0) yield rows
    after = rows.at(-1)?.key ?? null
    if (rows.length < limit) return
  }
}
