/** A real browser, for tests that concern the browser. */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { leaveOut } from "./leave-out.ts"
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

/** The first program uses the same engine as the others but takes only two thirds of the processor time. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]

/** The timeout of a page load. */
const PATIENCE_MILLISECONDS = 20_000

/** The browser that the variable CHROMIUM names, or the first that is installed. */
const executable = findChromium()

/**
 * The options of a test that needs the browser. If it is missing, the test fails under CI=true. Otherwise it is skipped
 * with a message.
 */
export const needsChromium = executable === null ? { skip: "no Chromium is installed" } : {}

/** Hosts that lead to a loopback port, such as `{ "app.example:443": 40123 }`. */
export type HostRules = Readonly<Record<string, number>>

/** A browser that starts with its first page, so it is not needed where its tests are skipped. It ends with its span. */
export class Chromium {
  readonly #span: Span
  readonly #args: readonly string[]
  #browser: Promise<Browser> | null = null
  #listen: (page: Page) => void = () => undefined

  constructor(span: Span, hosts: HostRules = {}) {
    const rules = Object.entries(hosts).map(([host, port]) => `MAP ${host} 127.0.0.1:${port}`)
    this.#span = span
    this.#args = rules.length === 0 ? ARGUMENTS : [...ARGUMENTS, `--host-resolver-rules=${rules.join(",")}`]
    span.after(async () => (await this.#browser)?.close())
  }

  /** Opens a page in its own profile. */
  async page(options: BrowserContextOptions = {}): Promise<Page> {
    this.#browser ??= chromium.launch({ executablePath: executable ?? "", args: [...this.#args] })
    const context = await (await this.#browser).newContext({ reducedMotion: "reduce", ...options })
    context.setDefaultTimeout(PATIENCE_MILLISECONDS)
    this.#span.after(() => context.close())
    const page = await context.newPage()
    this.#listen(page)
    return page
  }

  /** Calls `listen` with every page that is opened from now on. */
  onPage(listen: (page: Page) => void): void {
    this.#listen = listen
  }
}

/** Fills in the sign-in form of the page and waits for the next page. */
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
  leaveOut("no Chromium is installed", "the tests in a real browser")
  return null
}

/**
 * Waits until `expression` holds in the page, for ten seconds of its frames. Playwright's own function evaluates text
 * inside the page, which the policy of our pages forbids.
 */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  for (let frames = 0; frames < 600; frames++) {
    if (await page.evaluate<boolean>(expression)) return
    await page.evaluate("new Promise((resolve) => void requestAnimationFrame(resolve))")
  }
  throw new Error(`it does not come to hold: ${expression}`)
}
