/** The input and the result of a foreign test suite. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import type { Figures } from "../proof.ts"
import type { Installed } from "./install.ts"
import type { Subject } from "./subject.ts"

export type Verdict = {
  readonly figures: Figures
  /** Failures without a known reason. */
  readonly broken: readonly string[]
}

export type Judge = (subject: Subject, installed: Installed, work: string) => Promise<Verdict>

/** Known failures and their reasons, by the name of the check. */
export type Reasons = Readonly<Record<string, string>>

/** Returns one line with the reason for each failure. */
export function explained(judge: string, failed: ReadonlyMap<string, string>, reasons: Reasons): Verdict {
  const figures: Record<string, string> = {}
  const broken: string[] = []
  for (const [check, said] of failed) {
    const reason = reasons[check]
    figures[`${judge}, not passed: ${check}`] = reason ?? said
    if (reason === undefined) broken.push(`${judge}: ${check}: ${said}`)
  }
  return { figures, broken }
}

export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

const LIMIT_MILLISECONDS = 600_000

/** Runs a command until it ends. `heard` receives its output meanwhile. */
export async function ran(
  command: readonly string[],
  options: {
    readonly cwd: string
    readonly env?: NodeJS.ProcessEnv
    readonly heard?: (text: string) => void
  },
): Promise<Ran> {
  const [file = "", ...args] = command
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LIMIT_MILLISECONDS,
  })
  const said = { stdout: "", stderr: "" }
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.stdout += text
    options.heard?.(said.stdout)
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.stderr += text))
  const [code] = (await once(child, "close").catch(() => [null])) as [number | null]
  return { code, ...said }
}
