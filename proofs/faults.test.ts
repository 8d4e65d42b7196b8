/** Runs a small part of the proof `faults`: the faults that take little time. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, test } from "node:test"
import { needsPostgres } from "../test/support/postgres.ts"
import { everyFault, tried } from "./faults/faults.ts"

const SEED = 20_261

describe("faults", { concurrency: 2 }, () => {
  for (const fault of everyFault.filter(({ slice }) => slice > 0))
    for (const engine of fault.engines) {
      const missing = fault.missing()
      const needed = engine === "postgres" ? needsPostgres : {}
      const options = missing === null ? needed : { skip: missing }
      test(`${fault.rows}: ${fault.name} (${engine})`, options, async (t) => {
        const work = mkdtempSync(join(tmpdir(), "latchkey-prove-"))
        t.after(() => rmSync(work, { recursive: true, force: true }))
        const say = (line: string) => t.diagnostic(line)
        await tried({ seed: SEED, engine, work, say }, fault, fault.slice)
      })
    }
})
