import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openSqlite } from "../../src/store/sqlite/sqlite-store.ts"
import type { Store } from "../../src/store/store.ts"
import { storeContract } from "./contract/contract.ts"

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
