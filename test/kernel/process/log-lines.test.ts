/** If a log cannot be written, only lines are lost. */
import assert from "node:assert/strict"
import { closeSync, existsSync, openSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { LogLines } from "../../../src/kernel/process/log-lines.ts"
import { newDirectory, SpawnedServer, type Span } from "../../support/spawn.ts"
import { until } from "../../support/until.ts"

const onlyLinux = existsSync("/dev/full") ? {} : { skip: "there is no /dev/full here" }

/** A thread may still be writing. By then, its descriptor number could belong to another file. */
const untilWritten = () =>
  until(() => !process.getActiveResourcesInfo().includes("FSReqCallback"), "nothing is being written")

function opened(t: Span, file: string, flags: string): number {
  const descriptor = openSync(file, flags)
  t.after(async () => {
    await untilWritten()
    closeSync(descriptor)
  })
  return descriptor
}

const linesIn = (file: string) => readFileSync(file, "utf8").split("\n").filter(Boolean)

test("lines are written in order, gathered or at the end", async (t) => {
  const file = join(newDirectory(t), "log")
  const descriptor = opened(t, file, "a")
  const lines = new LogLines(descriptor)
  const all = Array.from({ length: 3000 }, (_, n) => `{"n":${n}}`)
  for (const line of all) lines.write(`${line}\n`)
  await until(() => linesIn(file).length === all.length, "they are written")
  assert.deepEqual(linesIn(file), all)
  lines.write("last\n")
  lines.flushSync()
  assert.equal(linesIn(file).at(-1), "last")
})

test("what a reader that does not read would pile up is bounded, and counted", async (t) => {
  const file = join(newDirectory(t), "log")
  const descriptor = opened(t, file, "a")
  const lines = new LogLines(descriptor)
  const line = `${"x".repeat(1023)}\n`
  for (let n = 0; n < 20_000; n++) lines.write(line)
  lines.flushSync()
  const written = linesIn(file).filter((one) => one.startsWith("x")).length
  assert.ok(written > 8000 && written < 10_000, `${written} lines`)
  const [missing = "{}"] = linesIn(file).filter((one) => one.startsWith("{"))
  const { level, lost, msg } = JSON.parse(missing) as Record<string, unknown>
  assert.deepEqual([level, msg], [40, "log lines were lost"])
  assert.ok(Number(lost) >= 20_000 - written)
  lines.write("again\n")
  await until(() => linesIn(file).at(-1) === "again", "it goes on")
})

test("lost lines are counted for as long as nothing can be written", onlyLinux, async (t) => {
  const file = join(newDirectory(t), "log")
  const descriptor = openSync("/dev/full", "w")
  const lines = new LogLines(descriptor)
  for (const count of [100, 5, 1]) {
    for (let n = 0; n < count; n++) lines.write(`{"n":${n}}\n`)
    lines.flush()
    await untilWritten()
  }
  lines.write("at once\n")
  lines.flushSync()
  closeSync(descriptor)
  // The number is free again. The same descriptor now has room.
  assert.equal(openSync(file, "a"), descriptor)
  t.after(() => closeSync(descriptor))
  lines.write("again\n")
  lines.flushSync()
  const [missing = "{}", ...rest] = linesIn(file)
  assert.equal((JSON.parse(missing) as { lost?: number }).lost, 107)
  assert.deepEqual(rest, ["again"])
})

test("what could not wait takes along what is being written, and what comes after it is whole", async (t) => {
  const file = join(newDirectory(t), "log")
  const descriptor = opened(t, file, "a")
  const lines = new LogLines(descriptor)
  const all = Array.from({ length: 40 }, (_, n) => `${n} ${"x".repeat(1000 + 50 * n)}`)
  for (const [n, line] of all.entries()) {
    lines.write(`${line}\n`)
    if (n % 10 === 9) lines.flush()
    if (n % 10 === 9 && n < 30) lines.flushSync()
  }
  await until(() => linesIn(file).includes(all.at(-1) ?? ""), "the last one is written")
  await untilWritten()
  const written = linesIn(file)
  assert.deepEqual([...new Set(written)].toSorted(), all.toSorted())
})

test("a full disk takes no line: nothing is thrown, nothing waits, also at the end", onlyLinux, async (t) => {
  const descriptor = opened(t, "/dev/full", "w")
  const lines = new LogLines(descriptor)
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 1000; n++) lines.write(`{"n":${n}}\n`)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const begun = performance.now()
  lines.flushSync()
  assert.ok(performance.now() - begun < 1000)
})

test("SVC-2: a service whose log is on a full disk serves, and stops on a signal", onlyLinux, async (t) => {
  const through = ["sh", "-c", 'exec "$@" 2>/dev/full', "sh"]
  const server = await SpawnedServer.start(t, newDirectory(t), { LATCHKEY_LOG_LEVEL: "trace" }, { through })
  for (let n = 0; n < 50; n++) {
    const answer = await fetch(`${server.url}/oauth/token`, { method: "POST" })
    assert.equal(answer.status, 400)
  }
  assert.equal((await fetch(`${server.url}/health`)).status, 200)
  assert.deepEqual(await server.stop(), { code: 0, signal: null })
})
