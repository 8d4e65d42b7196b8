/** Runs a command of `bench/` as a person does. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestContext } from "node:test"

const root = join(import.meta.dirname, "../..")

/** Makes a directory for a command. PostgreSQL, which may run as another user, may enter it. */
export function benchDirectory(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), "latchkey-bench-test-"))
  t.after(() => rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  chmodSync(dir, 0o711)
  return dir
}

/** `printed` is called with everything on standard error so far. */
export async function runBench(
  t: TestContext,
  args: readonly string[],
  printed?: (child: ChildProcess, stderr: string) => void,
) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] })
  t.after(() => child.kill())
  let [stdout, stderr] = ["", ""]
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
    printed?.(child, stderr)
  })
  const [code] = (await once(child, "close")) as [number | null]
  return { code, stdout, stderr }
}
