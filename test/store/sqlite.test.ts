import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openSqlite } from "../../src/store/sqlite/sqlite-store.ts"
import type { Store } from "../../src/store/store.ts"
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
