/** Runs a small part of a proof, for `npm test`. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestContext } from "node:test"
import type { Engine } from "../test/support/database.ts"
import type { Attempt } from "./proof.ts"

/** The seed is fixed, so that a failure can be repeated. */
const SEED = 6

export function slice(t: TestContext, engine: Engine, scale: number): Attempt {
  const work = mkdtempSync(join(tmpdir(), "latchkey-prove-"))
  t.after(() => rmSync(work, { recursive: true, force: true }))
  return { seed: SEED, scale, engine, work, say: (line) => t.diagnostic(line) }
}
