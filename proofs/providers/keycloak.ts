/** A real Keycloak of its Maven distribution, over https on loopback, and what a browser does there. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { request } from "node:https"
import { homedir } from "node:os"
import { join } from "node:path"
import type { selfSigned } from "../../test/support/certificate.ts"
import { freePort } from "../../test/support/free-port.ts"
import { until } from "../../test/support/until.ts"

export const KEYCLOAK = "26.7.3"
const START_MILLISECONDS = 240_000
const ADMIN = "admin"

/** Returns the archive of the distribution, or why it cannot be had. It is kept for the next run. */
export function keycloakArchive(): { readonly zip: string } | { readonly missing: string } {
  if (spawnSync("java", ["-version"]).status !== 0) return { missing: "Java is not installed" }
  const dir = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "latchkey-prove")
  const zip = join(dir, `keycloak-quarkus-dist-${KEYCLOAK}.zip`)
  if (existsSync(zip)) return { zip }
  mkdirSync(dir, { recursive: true })
  const artifact = `org.keycloak:keycloak-quarkus-dist:${KEYCLOAK}:zip`
  const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"
  const { status } = spawnSync("mvn", [
    "-q",
    "-B",
    plugin,
    `-Dartifact=${artifact}`,
    `-DoutputDirectory=${dir}`,
  ])
  return status === 0 && existsSync(zip) ? { zip } : { missing: "Maven does not bring the distribution" }
}

export type Answer = {
  readonly status: number
  readonly location: string | null
  readonly text: string
}

export class Keycloak {
  readonly certificate: string
  readonly url: string
  readonly #home: string
  readonly #port: number
  #process: ChildProcess | null = null

  private constructor(home: string, port: number, certificate: string) {
    this.#home = home
    this.#port = port
    this.certificate = certificate
    this.url = `https://localhost:${port}`
  }

  /** Unpacks the distribution below `work`. `realm` is imported at the first start. */
  static async unpack(
    zip: string,
    work: string,
    { key, cert }: ReturnType<typeof selfSigned>,
    realm: object,
  ): Promise<Keycloak> {
    const { status } = spawnSync("unzip", ["-q", zip, "-d", work])
    if (status !== 0) throw new Error("the distribution cannot be unpacked")
    const home = join(work, `keycloak-${KEYCLOAK}`)
    writeFileSync(join(home, "key.pem"), key)
    writeFileSync(join(home, "cert.pem"), cert)
    mkdirSync(join(home, "data/import"), { recursive: true })
    writeFileSync(join(home, "data/import/realm.json"), JSON.stringify(realm))
    return new Keycloak(home, await freePort(), cert)
  }

  /** `core` is the only one that it may use. Null stands for all. */
  async start(core: number | null = null): Promise<void> {
    const flags = [
      "start-dev",
      "--import-realm",
      "--http-enabled=false",
      `--https-port=${this.#port}`,
      `--https-certificate-file=${join(this.#home, "cert.pem")}`,
      `--https-certificate-key-file=${join(this.#home, "key.pem")}`,
    ]
    let said = ""
    const command = [join(this.#home, "bin/kc.sh"), ...flags]
    const [file = "", ...args] = core === null ? command : ["taskset", "-c", String(core), ...command]
    const child = spawn(file, args, {
      detached: true,
      env: {
        ...process.env,
        JAVA_OPTS_KC_HEAP: "-Xmx700m",
        KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN,
        KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN,
      },
      stdio: ["ignore", "pipe", "pipe"],
    })
    const hear = (piece: Buffer) => (said = (said + piece.toString()).slice(-4000))
    child.stdout.on("data", hear)
    child.stderr.on("data", hear)
    this.#process = child
    const isUp = () => {
      if (child.exitCode !== null) throw new Error(`Keycloak ended: ${said}`)
      return said.includes("Listening on:")
    }
    await until(isUp, "Keycloak listens", START_MILLISECONDS)
  }

  /** The process. 0 while it does not run. */
  get pid(): number {
    return this.#process?.pid ?? 0
  }

  async stop(): Promise<void> {
    const child = this.#process
    this.#process = null
    if (child?.pid === undefined || child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once("close", resolve))
    process.kill(-child.pid, "SIGTERM")
    await ended
  }

  send(
    url: string,
    method = "GET",
    headers: Record<string, string> = {},
    body = "",
  ): Promise<Answer & Cookies> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer & Cookies>()
    const sent = request(url, { method, headers, ca: this.certificate, agent: false }, (response) => {
      let text = ""
      response.on("data", (piece: Buffer) => (text += piece.toString()))
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          location: response.headers.location ?? null,
          cookies: response.headers["set-cookie"] ?? [],
          text,
        }),
      )
    })
    sent.on("error", reject)
    sent.end(body)
    return promise
  }

  /** Calls the administration of Keycloak. Returns its JSON. */
  async administer<T>(method: string, path: string, body: object | null = null): Promise<T> {
    const grant = new URLSearchParams({ grant_type: "password", client_id: "admin-cli" })
    grant.set("username", ADMIN)
    grant.set("password", ADMIN)
    const form = { "content-type": "application/x-www-form-urlencoded" }
    const tokens = await this.send(
      `${this.url}/realms/master/protocol/openid-connect/token`,
      "POST",
      form,
      grant.toString(),
    )
    const { access_token: token } = JSON.parse(tokens.text) as { readonly access_token: string }
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const sent = body === null ? "" : JSON.stringify(body)
    const answer = await this.send(`${this.url}/admin${path}`, method, headers, sent)
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status} ${answer.text}`)
    return (answer.text === "" ? null : JSON.parse(answer.text)) as T
  }
}

type Cookies = { readonly cookies: readonly string[] }

/** A browser at Keycloak. It has a session there after the first sign-in. */
export class KeycloakBrowser {
  readonly #keycloak: Keycloak
  readonly #cookies = new Map<string, string>()
  /** The number of times that Keycloak asked for the password. */
  asked = 0

  constructor(keycloak: Keycloak) {
    this.#keycloak = keycloak
  }

  /** Follows `start`, signs in if it is asked to, and returns where Keycloak sends the browser. */
  async visit(start: string, username: string, password: string): Promise<string> {
    let answer = await this.#send(start, "GET", "")
    for (let step = 0; step < 8; step += 1) {
      if (answer.location !== null) {
        const next = new URL(answer.location, this.#keycloak.url).href
        if (!next.startsWith(this.#keycloak.url)) return next
        answer = await this.#send(next, "GET", "")
        continue
      }
      const [, action = ""] = /<form[^>]*\saction="([^"]*login-actions[^"]*)"/.exec(answer.text) ?? []
      if (action === "") throw new Error(`no form at Keycloak: ${answer.status} ${answer.text.slice(0, 500)}`)
      this.asked += 1
      const body = new URLSearchParams({ username, password, credentialId: "" }).toString()
      answer = await this.#send(action.replaceAll("&amp;", "&"), "POST", body)
    }
    throw new Error("Keycloak does not send the browser back")
  }

  async #send(url: string, method: string, body: string): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const headers = { cookie, ...(body !== "" && { "content-type": "application/x-www-form-urlencoded" }) }
    const answer = await this.#keycloak.send(url, method, headers, body)
    for (const line of answer.cookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0/i.test(line)) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return answer
  }
}
