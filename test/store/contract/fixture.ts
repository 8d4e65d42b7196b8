/** A new database for each test of the contract. */
import { afterEach, beforeEach } from "node:test"
import { type Change, decided } from "../../../src/model/change.rules.ts"
import type { Store } from "../../../src/store/store.ts"

/** A new, empty database. */
export type OpenedStore = {
  readonly store: Store
  /** Opens a second store on the same database, as another process or node does. */
  readonly another: () => Promise<Store>
  /** Closes the store and opens the database again. */
  readonly reopen: () => Promise<Store>
  readonly destroy: () => Promise<void>
}

export type Open = () => Promise<OpenedStore>

export type EachStore = {
  readonly opened: OpenedStore
  readonly store: Store
  readonly write: (...changes: readonly Change[]) => Promise<null>
  /** Closes the store and continues with another one on the same database. */
  readonly reopen: () => Promise<void>
}

/** Opens a database before each test. `prepare` are its first changes. The values are those of the running test. */
export function eachStore(open: Open, ...prepare: readonly Change[]): EachStore {
  let opened: OpenedStore
  let store: Store
  const write = (...changes: readonly Change[]) => store.change({}, () => decided(null, ...changes))
  beforeEach(async () => {
    opened = await open()
    ;({ store } = opened)
    await write(...prepare)
  })
  afterEach(() => opened.destroy())
  return {
    get opened() {
      return opened
    },
    get store() {
      return store
    },
    write,
    reopen: async () => {
      store = await opened.reopen()
    },
  }
}
