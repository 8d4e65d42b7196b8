/**
 * Takes pictures of the pages in a real browser, with the content security policy of the service.
 *
 *   node docs/screenshots.ts            updates docs/images
 *   node docs/screenshots.ts OUTDIR     every page at 360 and 1280 px, light and dark, as OUTDIR/*.png
 *
 * CHROMIUM names the browser. The default is /usr/bin/chromium. The exit status is 1 if a page violates its policy or
 * is wider than the window.
 */
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import sharp from "sharp"
import { faviconSvg } from "../src/platform/ui/mark.ts"
import { passkeyScript } from "../src/accounts/factors/passkey-script.ts"
import { sampleLogo, samplePages } from "./sample-pages.ts"

type Shot = {
  readonly page: string
  readonly width: number
  readonly scheme: "light" | "dark"
  readonly file: string
  /** The pixels of the picture for each pixel of the page. The default is 1. */
  readonly scale?: number
}

const kept: readonly Shot[] = [
  { page: "consent", width: 1280, scheme: "light", file: "consent-light" },
  { page: "consent", width: 1280, scheme: "dark", file: "consent-dark" },
  { page: "consent", width: 360, scheme: "light", file: "consent-phone" },
  { page: "consent-brand", width: 640, scheme: "light", file: "consent-brand", scale: 2 },
  { page: "account-few", width: 1280, scheme: "light", file: "account-light" },
  { page: "account-few", width: 1280, scheme: "dark", file: "account-dark" },
  { page: "console-overview", width: 1280, scheme: "light", file: "console-light" },
  { page: "console-overview", width: 1280, scheme: "dark", file: "console-dark" },
]

function everyShot(): readonly Shot[] {
  return Object.keys(samplePages).flatMap((page) =>
    [360, 1280].flatMap((width) =>
      (["light", "dark"] as const).map((scheme) => ({
        page,
        width,
        scheme,
        file: `${page}-${width}-${scheme}`,
      })),
    ),
  )
}

/** Pages of the console have a different style sheet, and pages with a color a second one. */
function contentPolicy(page: string): string {
  const sources = Array.from(
    page.matchAll(/<style>([^<]*)<\/style>/g),
    ([, sheet = ""]) => `'sha256-${createHash("sha256").update(sheet).digest("base64")}'`,
  )
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${sources.join(" ")}`,
    "img-src 'self' data:",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; ")
}

const server = createServer((request, response) => {
  const [path = "/"] = (request.url ?? "/").split("?")
  const page = samplePages[path.slice(1)]
  if (path === "/appearance/logo") return response.setHeader("content-type", "image/svg+xml").end(sampleLogo)
  if (path === "/favicon.svg" || path.endsWith("/icon"))
    return response.setHeader("content-type", "image/svg+xml").end(faviconSvg(null))
  if (path.startsWith("/assets/passkey.js"))
    return response.setHeader("content-type", "text/javascript").end(passkeyScript)
  if (page === undefined) return response.writeHead(404).end()
  return response
    .setHeader("content-type", "text/html; charset=utf-8")
    .setHeader("content-security-policy", contentPolicy(page))
    .end(page)
})

async function shoot(browser: Browser, origin: string, shot: Shot, outdir: string): Promise<string[]> {
  const page = await browser.newPage({
    viewport: { width: shot.width, height: 720 },
    deviceScaleFactor: shot.scale ?? 1,
    colorScheme: shot.scheme,
    reducedMotion: "reduce",
  })
  const complaints: string[] = []
  page.on("console", (message) => complaints.push(`${shot.file}: ${message.text()}`))
  await page.goto(`${origin}/${shot.page}`)
  const overflow = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  )
  if (overflow > 0) complaints.push(`${shot.file}: ${overflow} px too wide`)
  const picture = await page.screenshot({ fullPage: true })
  // A picture of many pixels is stored with a palette, which no one can tell from it.
  const stored = shot.scale === undefined ? picture : await sharp(picture).png({ palette: true }).toBuffer()
  writeFileSync(join(outdir, `${shot.file}.png`), stored)
  await page.close()
  return complaints
}

const outdir = process.argv[2] ?? join(import.meta.dirname, "images")
const shots = process.argv[2] === undefined ? kept : everyShot()
mkdirSync(outdir, { recursive: true })
server.listen(0, "127.0.0.1")
await once(server, "listening")
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
  ],
})
const complaints: string[] = []
for (const shot of shots) complaints.push(...(await shoot(browser, origin, shot, outdir)))
await browser.close()
server.close()
console.log([...complaints, `${shots.length} pictures in ${outdir}`].join("\n"))
process.exitCode = complaints.length === 0 ? 0 : 1
