import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openSqlite } from "../../src/store/sqlite/sqlite-store.ts"
import type { Store } from "../../src/store/store.ts"
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
  const dir = mkdtempSync(join(tmpdir(), "latchkey-"))
  const file = join(dir, "latchkey.db")
  const opened: Store[] = []
  const another = async () => {
    const store = openSqlite(file)
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
      rmSync(dir, { recursive: true })
    },
  }
}

storeContract("sqlite", open)
factorContract("sqlite", open)
identityContract("sqlite", open)
importContract("sqlite", open)
keyContract("sqlite", open)
serviceContract("sqlite", open)
listContract("sqlite", open)
invalidationContract("sqlite", open)
consoleContract("sqlite", open)
rotationKeyContract("sqlite", open)
