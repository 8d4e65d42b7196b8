/** Replaces the service secret of a data directory, and kills itself after a step: the first of its name, or by its number. */
import { join } from "node:path"
import { deriveKeys, makeSecretFile, readServiceSecret } from "../../../src/kernel/keys.ts"
import { systemClock } from "../../../src/kernel/clock.ts"
import { openStore } from "../../../src/platform/config/open-store.ts"
import { secretInForce } from "../../../src/platform/services/secret/check-secret.ts"
import { readNextSecret } from "../../../src/platform/services/secret/held-secrets.ts"
import { rotateSecret } from "../../../src/admin/secret/rotate.ts"
import { existsSync } from "node:fs"

const [dataDir = "", killAt = ""] = process.argv.slice(2)
const databaseUrl = process.env["LATCHKEY_DATABASE_URL"] ?? null
const file = join(dataDir, "secret.key.next")
if (!existsSync(file)) makeSecretFile(file)
const store = await openStore({ dataDir, databaseUrl }, {})
const former = deriveKeys(readServiceSecret(dataDir, undefined))
const secret = await readNextSecret(dataDir)
if (secret === null) throw new Error("there is no new secret")
const next = deriveKeys(secret)
const isSwitched = (await secretInForce(store)) === next.checkValue
let steps = 0
await rotateSecret({
  store,
  clock: systemClock,
  former,
  next,
  isSwitched,
  step: (name) => {
    if (name === killAt || String(++steps) === killAt) process.kill(process.pid, "SIGKILL")
  },
})
await store.close()
