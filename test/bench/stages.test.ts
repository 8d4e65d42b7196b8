/** Tests `npm run bench:stages`: that it runs, and that its table of code still describes the code. */
import { deepEqual, equal, ok } from "node:assert/strict"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { pathToFileURL } from "node:url"
import { engines } from "../../bench/one-service.ts"
import type { Stages } from "../../bench/results.ts"
import { type Frame, stageOf } from "../../bench/stages/profile.ts"
import { rows, stages } from "../../bench/stages/stages.ts"
import { benchDirectory, runBench } from "./run-bench.ts"

const root = join(import.meta.dirname, "../..")
const sources = globSync(["src/**/*.ts", "node_modules/pg*/lib/*.js"], { cwd: root })

test("each row of the table of stages describes code that exists", () => {
  for (const { files, functions = [] } of rows) {
    const matching = sources.filter((file) => files.test(file))
    ok(matching.length > 0, `no file matches ${files}`)
    const text = matching.map((file) => readFileSync(join(root, file), "utf8")).join("\n")
    for (const name of functions)
      ok(new RegExp(`(?:^|[\\s#])${name.replace("#", "")}[<(]`, "m").test(text), `no ${name} in ${files}`)
  }
})

test("each folder that a request passes through has a stage", () => {
  const folders = ["oauth/**", "accounts/sessions", "platform/{http,ui,languages,services}/**", "store/**"]
  const passed = globSync(
    folders.map((folder) => `src/${folder}/*.ts`),
    { cwd: root },
  )
  const other = passed.filter((file) => rows.find(({ files }) => files.test(file))?.stage === "other")
  deepEqual(other, [])
})

test("a sample belongs to the innermost function that has a stage", () => {
  const frame = (file: string, functionName = ""): Frame => ({
    functionName,
    url: file === "" || file.startsWith("node:") ? file : pathToFileURL(join(root, file)).href,
  })
  const commit = frame("src/store/sqlite/engine/connection.ts", "transaction")
  const statement = [frame("", "run"), frame("src/store/sqlite/engine/connection.ts", "run")]
  const write = frame("src/store/sqlite/statements/apply.ts", "write")
  equal(stageOf([...statement, commit]), "commit")
  equal(stageOf([...statement, write, commit]), "write")
  equal(stageOf([frame("src/kernel/hash.ts", "digest"), frame("src/oauth/clients/resolve.ts")]), "client")
  equal(stageOf([frame("", "writev"), frame("node:net", "_writeGeneric")]), "connection")
  equal(stageOf([frame("", "(garbage collector)")]), "garbage")
  equal(stageOf([frame("", "(idle)")]), null)
  equal(stageOf([frame("src/cli/main.ts", "main"), commit]), "other")
})

test("the budget has every stage of every request, on both engines", async (t) => {
  const dir = benchDirectory(t)
  const file = join(dir, "stages.json")
  const args = ["bench/stages/main.ts", "--tiny", "--work", dir, "--json", file]
  const { code, stderr } = await runBench(t, args)
  equal(code, 0, stderr)
  const measured = JSON.parse(readFileSync(file, "utf8")) as Stages
  const workloads = ["refresh", "exchange", "introspect", "poll-pending", "authorize"]
  for (const engine of engines) {
    const budgets = measured[engine]?.budgets ?? []
    deepEqual(
      budgets.map(({ workload }) => workload),
      workloads,
    )
    for (const budget of budgets)
      deepEqual(
        budget.stages.map(({ stage }) => stage),
        stages,
      )
  }
})
