import { openPostgres } from "../../src/store/postgres/postgres-store.ts"
import type { Store } from "../../src/store/store.ts"
import { freshDatabase, needsPostgres } from "../support/postgres.ts"
import { consoleContract } from "./contract/console.ts"
import { storeContract } from "./contract/contract.ts"
import { factorContract } from "./contract/factor.ts"
import { importContract } from "./contract/import.ts"
import { invalidationContract } from "./contract/invalidation.ts"
import { identityContract } from "./contract/identity.ts"
import { keyContract } from "./contract/key.ts"
import { listContract } from "./contract/list.ts"
import { rotationKeyContract } from "./contract/rotation-key.ts"
import { serviceContract } from "./contract/service.ts"

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

if (!("skip" in needsPostgres)) {
  storeContract("postgres", open)
  factorContract("postgres", open)
  identityContract("postgres", open)
  importContract("postgres", open)
  keyContract("postgres", open)
  serviceContract("postgres", open)
  listContract("postgres", open)
  invalidationContract("postgres", open)
  consoleContract("postgres", open)
  rotationKeyContract("postgres", open)
}
