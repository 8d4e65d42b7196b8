/**
 * `schemathesis` derives requests from the description of the API. No response may have status 5xx or differ from the
 * description. Ids are invented or come from earlier responses.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { connect, send, signedInBrowser } from "../../test/support/connect.ts"
import { addApp, allowLongStepUps } from "../../test/support/seed.ts"
import { PASSWORD } from "../../test/support/test-server.ts"
import { openCode, poll, started } from "../../test/oauth/device/device.ts"
import { HOLDER } from "./browser.ts"
import { versions } from "./install.ts"
import { explained, type Judge, ran, type Reasons, type Verdict } from "./judge.ts"
import type { Subject } from "./subject.ts"

const NAME = "schemathesis"

const reasons: Reasons = {}

const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
]
const COMMON = ["--checks", CHECKS.join(","), "--seed", "1", "--no-color", "--generation-database", "none"]

/** Operations that may end the run's own credential or account, because `schemathesis` uses ids from responses. */
const ENDING =
  "(DELETE /api/credentials/|(PATCH|DELETE) /api/admin/(accounts|apps|credentials)/|PUT /api/admin/accounts/)"
const FRESH = ["--phases", "examples,coverage,fuzzing", "--max-examples", "20"]
const LINKED = ["--phases", "stateful", "--max-examples", "20"]

type Run = {
  readonly as: string
  readonly scope: string
  /** The names of the operations, which are called by method and path. */
  readonly names: string
  readonly flags: readonly string[]
  readonly mayEnd: boolean
}

const holder = { as: "as an account holder", scope: "account:write credentials:write apps:write" }
const administrator = {
  as: "as an administrator",
  scope: "admin:accounts admin:apps admin:credentials admin:settings admin:events",
}

const runs: readonly Run[] = [
  { ...holder, names: `^(?!${ENDING})\\S+ /api/(?!admin)`, flags: FRESH, mayEnd: false },
  { ...holder, names: `^(?!${ENDING})\\S+ /api/(?!admin)`, flags: LINKED, mayEnd: false },
  { ...administrator, names: `^(?!${ENDING})\\S+ /api/admin`, flags: FRESH, mayEnd: false },
  { ...administrator, names: `^(?!${ENDING})\\S+ /api/admin`, flags: LINKED, mayEnd: false },
  { ...holder, names: `^(?=${ENDING})\\S+ /api/(?!admin)`, flags: FRESH, mayEnd: true },
  { ...administrator, names: `^(?=${ENDING})\\S+ /api/admin`, flags: FRESH, mayEnd: true },
]

type Failure = { readonly title: string; readonly count: number; readonly operations: readonly string[] }
type Report = {
  readonly operations: { readonly tested: number }
  readonly test_cases: { readonly generated: number }
  readonly failures: readonly Failure[]
  readonly errors: readonly object[]
}

export const schemathesis: Judge = async (subject, { bin }, work) => {
  await allowLongStepUps(subject.dir)
  // The runs rename the account and change its factors, so all tokens are issued before.
  const tokens: string[] = []
  for (const { scope } of runs) tokens.push(await elevatedToken(subject, scope))
  const counts = new Map<string, { operations: number; requests: number }>()
  const failed = new Map<string, string>()
  for (const [n, run] of runs.entries()) {
    const token = tokens[n] ?? ""
    const output = join(work, `${n}.json`)
    const report = await reportOf(subject, run, [join(bin, NAME), token, output], work)
    const count = counts.get(run.as) ?? { operations: 0, requests: 0 }
    counts.set(run.as, {
      // Runs that follow links between operations count the same operations again.
      operations: count.operations + (run.flags === LINKED ? 0 : report.operations.tested),
      requests: count.requests + report.test_cases.generated,
    })
    for (const { title, count: times, operations } of report.failures)
      failed.set(title, `${times} times, ${operations.join(", ")}`)
    for (const error of report.errors) failed.set(`error ${run.as}`, JSON.stringify(error))
    if (!run.mayEnd && !(await isLive(subject, token))) failed.set(`run ${n}`, "its own token ended")
  }
  const figures = Object.fromEntries(
    [...counts].map(([as, { operations, requests }]) => [
      `${NAME} ${versions[NAME]}, ${as}`,
      `${operations} operations, ${requests.toLocaleString("en")} requests`,
    ]),
  )
  const found: Verdict = explained(NAME, failed, reasons)
  return { figures: { ...figures, ...found.figures }, broken: found.broken }
}

async function isLive({ url }: Subject, token: string): Promise<boolean> {
  const answer = await fetch(`${url}/api/credential`, { headers: { authorization: `Bearer ${token}` } })
  await answer.arrayBuffer()
  return answer.status !== 401
}

async function reportOf(
  { url }: Subject,
  { names, flags }: Run,
  [command = "", token = "", output = ""]: readonly string[],
  work: string,
): Promise<Report> {
  const given = ["--header", `Authorization: Bearer ${token}`, "--include-name-regex", names, ...flags]
  const report = ["--report", "json", "--report-json-path", output]
  const { stdout, stderr } = await ran(
    [command, "run", `${url}/api/openapi.json`, ...COMMON, ...given, ...report],
    {
      cwd: work,
    },
  )
  try {
    return JSON.parse(readFileSync(output, "utf8")) as Report
  } catch (cause) {
    throw new Error(`${NAME} wrote no report: ${stdout}${stderr}`, { cause })
  }
}

/** Returns a token for a separate app. It stays elevated during the whole run. */
async function elevatedToken(subject: Subject, scope: string): Promise<string> {
  const app = await addApp(subject.dir, { type: "public", permissions: scope.split(" "), stepUp: true })
  const { access_token: token } = await connect(subject, app, HOLDER, { scope })
  const opened = await send(subject, "/oauth/step-up", {}, { authorization: `Bearer ${token}` })
  const ceremony = started(opened.body)
  const browser = await signedInBrowser(subject, HOLDER)
  const page = await openCode(browser, ceremony.userCode)
  await browser.submit(page, "/oauth/consent", { decision: "authorize", password: PASSWORD })
  const answer = await poll(subject, app, ceremony)
  if (answer.body["elevated"] !== true) throw new Error(`not elevated: ${JSON.stringify(answer.body)}`)
  return token
}
