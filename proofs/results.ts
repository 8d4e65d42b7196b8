/** The results of the proofs, in the form of docs/reliability/results.json. */
import { existsSync, readFileSync } from "node:fs"
import { refuse } from "../bench/command.ts"
import type { Stamp } from "../bench/stamp.ts"
import type { Engine } from "../test/support/database.ts"
import type { Figures } from "./proof.ts"

export type Proven = Stamp & {
  readonly proof: string
  readonly engine: Engine
  readonly seed: number
  readonly scale: number
  readonly seconds: number
  /** The observation that broke a promise. */
  readonly broken: string | null
  readonly figures: Figures
}

/** Returns null if there is no such file. */
export function readProven(file: string): readonly Proven[] | null {
  if (!existsSync(file)) return null
  try {
    const read = JSON.parse(readFileSync(file, "utf8")) as readonly Partial<Proven>[]
    if (read.every(({ proof, figures }) => typeof proof === "string" && typeof figures === "object"))
      return read as readonly Proven[]
  } catch {
    // The line below says it.
  }
  return refuse(`${file}: not a file of "npm run prove -- --json"`)
}
