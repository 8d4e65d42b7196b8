/**
 * Measures the pages of the console on a service of some years. A signed-in administrator requests each page several
 * times, one request after the other. `console-seed.ts` has filled DIR, or fills it now. Without DIR, it fills a
 * temporary folder. Filling takes a minute and 1.6 GB.
 *
 *   node bench/console.ts [--data DIR] [--times 15]
 */
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { Browser } from "../test/support/browser.ts"
import { count, flagsOf, madeDirectory, workDirectory } from "./command.ts"
import { printedBy, startNode, startService } from "./server-process.ts"

const LIMIT_MILLISECONDS = 200
/**
 * The preview of a change counts every credential that the change affects. For the busiest app, this is a tenth of all
 * credentials.
 */
const DEED_LIMIT_MILLISECONDS = 1000

type Timed = { readonly page: string; readonly status: number; readonly milliseconds: readonly number[] }

const asked = flagsOf({ data: { type: "string" }, times: { type: "string", default: "15" } })
const times = count("times", asked.times)
if (asked.data !== undefined) madeDirectory("data", asked.data)
const dir = resolve(asked.data ?? workDirectory("console"))
if (!existsSync(join(dir, "seeded.json")))
  await printedBy(startNode("any", ["bench/console-seed.ts", "--data", dir]))
const { username, password, clientId } = JSON.parse(readFileSync(join(dir, "seeded.json"), "utf8")) as {
  username: string
  password: string
  clientId: string
}
const server = await startService(dir)
try {
  const browser = new Browser(`http://localhost:${server.port}`)
  const { status } = await browser.signIn(username, password)
  if (status !== 303) throw new Error(`signing in answered ${status}`)
  const timed: Timed[] = []
  for (const [page, path] of await pages(browser)) timed.push(await timeOf(browser, page, path))
  console.log(tableOf(timed))
  const slow = timed.filter(
    ({ page, milliseconds, status: answered }) =>
      answered !== 200 ||
      median(milliseconds) > (page.startsWith("Before") ? DEED_LIMIT_MILLISECONDS : LIMIT_MILLISECONDS),
  )
  process.exitCode = slow.length === 0 ? 0 : 1
} finally {
  await server.stop()
}

/**
 * Every page, with the filters that take the longest: the app and the account with the most rows, rare events, and
 * events that never occurred.
 */
async function pages(browser: Browser): Promise<readonly (readonly [string, string])[]> {
  const linkIn = async (path: string, pattern: RegExp) => {
    const found = pattern.exec((await browser.get(path)).text)?.[1]
    if (found === undefined) throw new Error(`${path} has no link like ${String(pattern)}`)
    return found.replaceAll("&amp;", "&")
  }
  const credential = await linkIn("/console/credentials", /\/console\/credential\?id=(\w+)/)
  const account = await linkIn(`/console/accounts?name=${username}`, /\/console\/account\?id=(\w+)/)
  const older = await linkIn("/console/credentials", /href="([^"]*after=\w+)"/)
  const olderEvents = await linkIn("/console/events", /href="([^"]*after=\w+)"/)
  const day = new Date(Date.now() - 200 * 86_400_000).toISOString().slice(0, 10)
  const ofApp = `/console/credentials?app=${clientId}`
  const events = "/console/events"
  return [
    ["Overview, the last hour", "/console?period=hour"],
    ["Overview, the last day", "/console?period=day"],
    ["Overview, the last month", "/console?period=month"],
    ["Accounts", "/console/accounts"],
    ["Accounts by name", "/console/accounts?name=ad"],
    ["Accounts, administrators", "/console/accounts?only=administrators"],
    ["Accounts, disabled, by name", "/console/accounts?only=disabled&name=k"],
    ["The account with the most", `/console/account?id=${account}`],
    ["Before it is removed", `/console/account/act?id=${account}&do=remove`],
    ["Apps", "/console/apps"],
    ["Apps by name, verified", "/console/apps?name=sync&only=verified"],
    ["Apps, disabled", "/console/apps?only=disabled"],
    ["Apps of a name that none has", "/console/apps?name=nothing"],
    ["The app with the most", `/console/app?id=${clientId}`],
    ["Before it is disabled", `/console/app/act?id=${clientId}&do=disable`],
    ["Credentials", "/console/credentials"],
    ["Credentials, the next page", older],
    ["Credentials, active", "/console/credentials?state=live"],
    ["Credentials, over", "/console/credentials?state=over"],
    ["Credentials of the app", ofApp],
    ["Credentials of the app, over", `${ofApp}&state=over`],
    ["Credentials of the account", `/console/credentials?account=${username}`],
    ["Credentials of both, over", `${ofApp}&account=${username}&state=over`],
    ["A credential", `/console/credential?id=${credential}`],
    ["Events", events],
    ["Events, the next page", olderEvents],
    ["Events of a kind", `${events}?kind=refresh-token-reused`],
    ["Events of a kind that never occurred", `${events}?kind=factors-reset`],
    ["Events of the app", `${events}?app=${clientId}`],
    ["Events of the app, of a rare kind", `${events}?app=${clientId}&kind=code-replayed`],
    ["Events of the app, of no kind there is", `${events}?app=${clientId}&kind=factors-reset`],
    ["Events of the account", `${events}?account=${username}`],
    ["Events of a day, long ago", `${events}?since=${day}&until=${day}`],
    ["Events of a kind, of a day", `${events}?kind=sign-in-refused&since=${day}&until=${day}`],
    ["Events of a kind, since then", `${events}?kind=sign-in-refused&since=${day}`],
    ["App health, a week", "/console/health"],
    ["App health, a month", "/console/health?days=30"],
    ["Settings", "/console/settings"],
    ["Registering an app", "/console/app/new"],
    ["Changing the app", `/console/app/edit?id=${clientId}`],
  ]
}

async function timeOf(browser: Browser, page: string, path: string): Promise<Timed> {
  const milliseconds: number[] = []
  let status = 0
  for (let i = 0; i < times; i++) {
    const began = performance.now()
    ;({ status } = await browser.get(path))
    milliseconds.push(performance.now() - began)
  }
  return { page, status, milliseconds }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}

function tableOf(timed: readonly Timed[]): string {
  const rows = timed.map(({ page, status, milliseconds }) => {
    const [p50, most] = [median(milliseconds), Math.max(...milliseconds)].map((number) => number.toFixed(1))
    return `| ${page.padEnd(40)} | ${status} | ${p50?.padStart(7)} | ${most?.padStart(7)} |`
  })
  return [
    `| ${"page".padEnd(40)} |     |  p50 ms |  max ms |`,
    `| ${"-".repeat(40)} | --- | ------- | ------- |`,
    ...rows,
  ].join("\n")
}
