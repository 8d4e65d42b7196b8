import { openPostgres } from "../../src/store/postgres/postgres-store.ts"
import type { Store } from "../../src/store/store.ts"
import { freshDatabase, needsPostgres } from "../support/postgres.ts"
import { storeContract } from "./contract/contract.ts"

const open = async () => {
  const { url, drop } = await freshDatabase({ migrated: true })
  const opened: Store[] = []
  const another = async () => {
    const store = await openPostgres(url, { poolSize: 4 })
    opened.push(store)
    return store
  }
  const store = await another()
  return {
    store,
    another,
    reopen: async () => {
      await store.close()
      return another()
    },
    destroy: async () => {
      for (const one of opened) await one.close()
      await drop()
    },
  }
}

if (!("skip" in needsPostgres)) storeContract("postgres", open)
