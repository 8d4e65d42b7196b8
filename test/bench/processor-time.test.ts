/** Tests the reading of the processor time of a process and its children. */
import { ok, throws } from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { test } from "node:test"
import { familyCpuSeconds } from "../../bench/server-process.ts"

const skip = existsSync("/proc/self/stat") ? false : "there is no /proc"
/** Starts children that each use processor time and end, without a pause between them. */
const PARENT =
  "while :; do i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done & j=0; while [ $j -lt 20000 ]; do j=$((j+1)); done & wait; echo; done"

test("the processor time of a family never falls when children end", { skip }, async (t) => {
  const child = spawn("sh", ["-c", PARENT], { stdio: ["ignore", "pipe", "ignore"] })
  t.after(() => child.kill("SIGKILL"))
  const { pid, stdout } = child
  ok(pid !== undefined && stdout !== null)
  const seen = { lines: 0 }
  stdout.on("data", (lines: Buffer) => (seen.lines += lines.length))
  let last = 0
  while (seen.lines < 30) {
    const seconds = familyCpuSeconds(pid)
    ok(seconds >= last, `${seconds} after ${last}`)
    last = seconds
    await new Promise(setImmediate)
  }
  ok(last > 0)
})

test("a process that has ended has no processor time to read", { skip }, async () => {
  const child = spawn("true")
  await once(child, "close")
  throws(() => familyCpuSeconds(child.pid ?? 0))
})
