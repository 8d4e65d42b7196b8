import { openPostgres } from "../../src/store/postgres/postgres-store.ts"
import type { Store } from "../../src/store/store.ts"
import { freshDatabase, needsPostgres } from "../support/postgres.ts"
import { consoleContract } from "./console-contract.ts"
import { storeContract } from "./contract.ts"
import { factorContract } from "./factor-contract.ts"
import { importContract } from "./import-contract.ts"
import { invalidationContract } from "./invalidation-contract.ts"
import { identityContract } from "./identity-contract.ts"
import { keyContract } from "./key-contract.ts"
import { listContract } from "./list-contract.ts"
import { rotationKeyContract } from "./rotation-key-contract.ts"
import { serviceContract } from "./service-contract.ts"

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
