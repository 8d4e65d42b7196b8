/** Tests `npm run bench -- --against COMMIT`: its verdict, and that it runs. */
import { deepEqual, equal, match } from "node:assert/strict"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { differenceOf } from "../../bench/difference.ts"
import { benchDirectory, runBench } from "./run-bench.ts"

/** Each place of the arrays is one start with one round. */
function compared(before: readonly number[], again: readonly number[], now: readonly number[]) {
  const sample = (requestsPerSecond = 0) => [
    { requestsPerSecond, serverMicroseconds: 1e6 / requestsPerSecond, databaseMicroseconds: null },
  ]
  const starts = before.map((rate, i) => ({
    before: sample(rate),
    again: sample(again[i]),
    now: sample(now[i]),
  }))
  const { ratio, noise, isLoss } = differenceOf("refresh", starts)
  return { ratio: Number(ratio.toFixed(4)), noise: Number(noise.toFixed(4)), isLoss }
}

test("a loss above 3 % is one, and above the noise where that is larger", () => {
  const quiet = [100, 100, 100, 100]
  deepEqual(compared(quiet, quiet, [98, 97, 97, 96]), { ratio: 0.97, noise: 0, isLoss: false })
  deepEqual(compared(quiet, quiet, [96, 96, 97, 120]), { ratio: 0.965, noise: 0, isLoss: true })
  const noisy = quiet.map((rate) => rate * 1.1)
  deepEqual(compared(quiet, noisy, [96, 96, 96, 96]), { ratio: 0.9143, noise: 0.1, isLoss: false })
  deepEqual(compared(quiet, noisy, [94, 94, 94, 94]), { ratio: 0.8952, noise: 0.1, isLoss: true })
  // Starts that differ make noise, even if their median does not.
  const scattered = [90, 110, 90, 110]
  deepEqual(compared(quiet, scattered, [90, 90, 90, 90]), { ratio: 0.9023, noise: 0.1159, isLoss: false })
  // Ratios are computed within a round, so a machine that becomes slower changes no ratio.
  deepEqual(compared([100, 50, 10], [100, 50, 10], [99, 49.5, 9.9]), { ratio: 0.99, noise: 0, isLoss: false })
  deepEqual(compared([], [], []), { ratio: Number.NaN, noise: Number.NaN, isLoss: true })
})

test("the benchmark compares this checkout with a commit", async (t) => {
  const few = ["--only", "introspect", "--rounds", "1", "--seconds", "0.3", "--credentials", "200"]
  const { code, stdout, stderr } = await bench(t, ["--against", "HEAD", ...few])
  // On a busy machine the verdict may be a loss, so the test accepts both verdicts.
  match(stdout, /This checkout compared with [0-9a-f]{40}/, stderr)
  match(stdout, /'introspect' [^\n]*('holds'|'LOSS of [\d.]+ %')/)
  equal(code, stdout.includes("LOSS") ? 1 : 0, stderr)
})

test("the benchmark refuses a name that is not a commit", async (t) => {
  const { code, stderr } = await bench(t, ["--against", "no-such-commit"])
  equal(code, 2)
  match(stderr, /"no-such-commit" is not a commit of this repository/)
})

for (const [signal, status] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)
  test(`${signal} ends the comparison with one line, and nothing of it is left`, async (t) => {
    const work = join(benchDirectory(t), "new")
    const args = ["bench/main.ts", "--against", "HEAD", "--work", work]
    const { code, stderr } = await runBench(t, args, (child, printed) => {
      if (printed.includes("checking out")) child.kill(signal)
    })
    match(stderr, new RegExp(`checking out \\w+\\s+Stopped by ${signal}\\.\\n$`))
    equal(code, status)
    equal(existsSync(work), false)
  })

const bench = (t: TestContext, args: readonly string[]) =>
  runBench(t, ["bench/main.ts", "--work", benchDirectory(t), ...args])
