/** A real browser for the tests whose subject is the browser. */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { type TestServer, PASSWORD } from "./test-server.ts"
import type { Span } from "./spawn.ts"

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
]

/** The first draws the same pages with the same engine, and takes two thirds of the processor's time. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]

/** The timeout of a page load. */
const PATIENCE_MILLISECONDS = 20_000

/** The CHROMIUM of the environment, or the first that is installed. */
const executable = findChromium()

/** For the options of a test that needs the browser. Under CI=true a missing one is an error, elsewhere it is said. */
export const needsChromium = executable === null ? { skip: "no Chromium is installed" } : {}

/** Hosts that lead to a loopback port instead: `{ "app.example:443": 40123 }`. */
export type HostRules = Readonly<Record<string, number>>

export class Chromium {
  readonly #browser: Browser
  readonly #span: Span
  #listen: (page: Page) => void = () => undefined

  private constructor(browser: Browser, span: Span) {
    this.#browser = browser
    this.#span = span
  }

  /** Starts the browser for as long as `span` lasts. */
  static async open(span: Span, hosts: HostRules = {}): Promise<Chromium> {
    const rules = Object.entries(hosts).map(([host, port]) => `MAP ${host} 127.0.0.1:${port}`)
    const args = rules.length === 0 ? ARGUMENTS : [...ARGUMENTS, `--host-resolver-rules=${rules.join(",")}`]
    const browser = await chromium.launch({ executablePath: executable ?? "", args })
    span.after(() => browser.close())
    return new Chromium(browser, span)
  }

  /** A page in a profile of its own. */
  async page(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({ reducedMotion: "reduce", ...options })
    context.setDefaultTimeout(PATIENCE_MILLISECONDS)
    this.#span.after(() => context.close())
    const page = await context.newPage()
    this.#listen(page)
    return page
  }

  /** Shows every page that is opened from now on to `listen`. */
  onPage(listen: (page: Page) => void): void {
    this.#listen = listen
  }
}

/** Fills in the sign-in form that the page shows, and waits for what comes next. */
export async function fillSignIn(page: Page, username: string): Promise<void> {
  await page.getByLabel("Username").fill(username)
  await page.getByLabel("Password").fill(PASSWORD)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

export async function signIn(page: Page, testServer: TestServer, username: string): Promise<void> {
  await page.goto(`${testServer.url}/sign-in`)
  await fillSignIn(page, username)
  await page.waitForURL(`${testServer.url}/account`)
}

function findChromium(): string | null {
  const given = process.env["CHROMIUM"]
  if (given !== undefined && existsSync(given)) return given
  for (const name of given === undefined ? NAMES : []) {
    const said = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" })
    if (said.status === 0) return said.stdout.trim()
  }
  if (process.env["CI"] === "true")
    throw new Error("no Chromium is installed: the browser's tests cannot be left out here")
  console.log("no Chromium is installed: the tests in a real browser are left out")
  return null
}

/**
 * Waits until `expression` holds in the page, frame by frame, for ten seconds of its frames. Playwright's own way evaluates
 * text inside the page where it does not hold at once, which the policy of our pages forbids.
 */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  for (let frames = 0; frames < 600; frames++) {
    if (await page.evaluate<boolean>(expression)) return
    await page.evaluate("new Promise((resolve) => void requestAnimationFrame(resolve))")
  }
  throw new Error(`it does not come to hold: ${expression}`)
}
