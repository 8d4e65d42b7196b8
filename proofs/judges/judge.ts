/** What a test suite by others is given, and what it says. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import type { Figures } from "../proof.ts"
import type { Installed } from "./install.ts"
import type { Subject } from "./subject.ts"

export type Verdict = {
  readonly figures: Figures
  /** Failures that no reason is known for. */
  readonly broken: readonly string[]
}

export type Judge = (subject: Subject, installed: Installed, work: string) => Promise<Verdict>

/** Failures that are known, and why each is one: by the name that the judge gives its check. */
export type Reasons = Readonly<Record<string, string>>

/** One line for each failure, with its reason. */
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

/** Runs a command to its end; `heard` gets what it prints meanwhile. */
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
