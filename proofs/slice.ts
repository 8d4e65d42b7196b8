/** A small part of a proof, for `npm test`. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestContext } from "node:test"
import type { Engine } from "../test/support/database.ts"
import type { Attempt } from "./proof.ts"

/** Always of the same seed, so that a failure comes again. */
const SEED = 6

export function slice(t: TestContext, engine: Engine, scale: number): Attempt {
  const work = mkdtempSync(join(tmpdir(), "latchkey-prove-"))
  t.after(() => rmSync(work, { recursive: true, force: true }))
  return { seed: SEED, scale, engine, work, say: (line) => t.diagnostic(line) }
}
