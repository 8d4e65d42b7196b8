import assert from "node:assert/strict"
import { chmodSync, existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import type { Log } from "../../../src/kernel/log.ts"
import { warnOfReadableSecret } from "../../../src/platform/services/readable-secret.ts"
import { newDirectory } from "../../support/spawn.ts"

test("CLI-4 a file with the service secret that others can read is warned of, and a mounted one is not", (t) => {
  const dir = newDirectory(t)
  const file = join(dir, "given.key")
  const warnings: string[] = []
  const log = { warn: (_facts: unknown, text: string) => void warnings.push(text) } as unknown as Log
  const text = "s".repeat(44)
  writeFileSync(file, text)
  chmodSync(file, 0o600)
  warnOfReadableSecret(dir, text, log, file)
  assert.deepEqual(warnings, [])
  chmodSync(file, 0o640)
  warnOfReadableSecret(dir, text, log, file)
  assert.deepEqual(warnings, [`other users of this machine can read the service secret: chmod 600 ${file}`])
  const mounted = "/run/secrets/latchkey-of-no-test"
  assert.equal(existsSync(mounted), false, "it would fail if it were read")
  warnOfReadableSecret(dir, text, log, mounted)
  warnOfReadableSecret(dir, text, log, "")
  assert.equal(warnings.length, 1)
})
