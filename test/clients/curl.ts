/** Tests curl. The commands are those that docs/clients.md tells people to type. */
import assert from "node:assert/strict"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { decide } from "../support/connect.ts"
import { leaveOut } from "../support/leave-out.ts"
import { environmentWith } from "../support/spawn.ts"
import { type App, type Client, type Decision, type Held, Refused, type Way } from "./client.ts"
import { commands } from "./documented.ts"
import { type Deployment, REDIRECT_URIS } from "./deployment.ts"

const [, REDIRECT_URI] = REDIRECT_URIS

export const openssl = findPrograms()

export const curl: Client = {
  name: "curl",
  needs: openssl,
  ways: ["public", "basic", "registered"],
  can: ["registration", "refresh", "revocation", "device"],
  open: async (deployment, way) => new CurlApp(deployment, way, await knownAs(deployment, way)),
}

type Variables = Readonly<Record<string, string>>

async function knownAs(deployment: Deployment, way: Way): Promise<Variables> {
  const base = { base: deployment.url }
  if (way === "registered") {
    const { client_id: client = "" } = await answered(deployment, base, "register")
    return { ...base, client }
  }
  const { clientId, secret } = deployment.app(way)
  return { ...base, client: clientId, secret: secret ?? "" }
}

class CurlApp implements App {
  readonly #deployment: Deployment
  readonly #way: Way
  readonly #identity: Variables

  constructor(deployment: Deployment, way: Way, identity: Variables) {
    this.#deployment = deployment
    this.#way = way
    this.#identity = identity
  }

  get clientId(): string {
    return this.#identity["client"] ?? ""
  }

  async connect(decision: Decision): Promise<Held> {
    const known = { redirect: REDIRECT_URI }
    const said = await run(this.#deployment, { ...this.#identity, ...known }, [
      commands("authorize"),
      `printf '%s\\n' "$verifier" "$state"`,
    ])
    const [address = "", verifier = "", state = ""] = said.split("\n")
    const { searchParams } = await decide(this.#deployment.alice, new URL(address), decision)
    assert.equal(searchParams.get("state"), state)
    if (searchParams.has("error")) throw new Refused(searchParams.get("error"))
    return this.#held("exchange", { ...known, verifier, code: searchParams.get("code") ?? "" })
  }

  refresh({ refreshToken }: Held): Promise<Held> {
    return this.#held("refresh", { refresh_token: refreshToken })
  }

  async revoke({ refreshToken }: Held): Promise<void> {
    await this.#answered("revoke", { refresh_token: refreshToken })
  }

  async device(decision: Decision): Promise<Held> {
    const { user_code: userCode = "", device_code = "" } = await this.#answered("device", {})
    await assert.rejects(this.#answered("poll", { device_code }), { code: "authorization_pending" })
    await this.#deployment.answer(userCode, decision)
    return this.#held("poll", { device_code })
  }

  async #held(name: string, more: Variables): Promise<Held> {
    const { access_token: accessToken = "", refresh_token: refreshToken = "" } = await this.#answered(
      name,
      more,
    )
    const account = await answered(this.#deployment, { ...this.#identity, access_token: accessToken }, "call")
    assert.equal(account["username"], "alice")
    return { accessToken, refreshToken }
  }

  #answered(name: string, more: Variables): Promise<Variables> {
    const who = commands(this.#way === "basic" ? "confidential" : "public")
    return answered(this.#deployment, { ...this.#identity, ...more }, name, who)
  }
}

/** Returns the JSON that the commands with this name print. */
async function answered(
  deployment: Deployment,
  variables: Variables,
  name: string,
  who = "",
): Promise<Variables> {
  const answer = JSON.parse(await run(deployment, variables, [who, commands(name)])) as Variables
  if (answer["error"] !== undefined) throw new Refused(answer["error"])
  return answer
}

/** Returns the output of a shell. If the service refuses, curl fails, but its output is still returned. */
async function run(deployment: Deployment, variables: Variables, script: readonly string[]): Promise<string> {
  const env = environmentWith({ ...deployment.environment, ...variables })
  const shell = spawn("sh", ["-u", "-c", script.join("\n")], { env, stdio: ["ignore", "pipe", "pipe"] })
  const said = { stdout: "", stderr: "" }
  shell.stdout.on("data", (part: Buffer) => (said.stdout += part.toString()))
  shell.stderr.on("data", (part: Buffer) => (said.stderr += part.toString()))
  await once(shell, "close")
  if (said.stdout === "") throw new Error(said.stderr)
  return said.stdout
}

/** If a program is missing, the tests fail under CI=true. Otherwise they are skipped with a message. */
function findPrograms(): { skip?: string } {
  const missing = ["curl", "openssl"].filter(
    (name) => spawnSync("sh", ["-c", `command -v ${name}`]).status !== 0,
  )
  if (missing.length === 0) return {}
  return { skip: leaveOut(`${missing.join(" and ")} not installed`, "the tests of curl") }
}
