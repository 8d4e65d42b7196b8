/**
 * Tests libraries of Debian's Python. A program in the folder "python" reads each step as a line of JSON and prints its
 * result as a line of JSON. The test acts as the person and the browser.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { decide } from "../support/connect.ts"
import { needsModules } from "../support/leave-out.ts"
import { environmentWith } from "../support/spawn.ts"
import { type Ability, type App, type Client, type Decision, type Held, Refused, type Way } from "./client.ts"
import { type Deployment, REDIRECT_URIS, SCOPE } from "./deployment.ts"

const PYTHON = "/usr/bin/python3"
const [, REDIRECT_URI] = REDIRECT_URIS

type Answer = { readonly error?: string; readonly fault?: string } & Readonly<Record<string, unknown>>

/** Returns the client that `program` in the folder "python" uses. */
export function pythonClient(
  name: string,
  {
    module,
    program,
    ways,
    can,
  }: {
    readonly module: string
    readonly program: string
    readonly ways: readonly Way[]
    readonly can: readonly Ability[]
  },
): Client {
  return {
    name,
    needs: needsModules([module]),
    ways,
    can,
    open: (deployment, way) => opened(deployment, way, program),
  }
}

async function opened(deployment: Deployment, way: Way, file: string): Promise<App> {
  const { clientId, secret: registered } = deployment.app(way === "registered" ? "public" : way)
  const secret = way === "key" ? await deployment.signer.pem() : registered
  const program = new Program(deployment, file)
  const about = { base: deployment.url, client_id: clientId, client_secret: secret, way, scope: SCOPE }
  const held = ({ access_token, refresh_token }: Answer): Held => ({
    accessToken: String(access_token),
    refreshToken: String(refresh_token),
  })
  return {
    clientId,
    connect: async (decision: Decision) => {
      const { address } = await program.does({ do: "begin", redirect_uri: REDIRECT_URI, ...about })
      const returned = await decide(deployment.alice, new URL(String(address)), decision)
      return held(await program.does({ do: "finish", returned: returned.href }))
    },
    refresh: async ({ refreshToken }) =>
      held(await program.does({ do: "refresh", refresh_token: refreshToken, ...about })),
    revoke: async ({ refreshToken }) => {
      await program.does({ do: "revoke", token: refreshToken, ...about })
    },
    device: async (decision: Decision) => {
      const grant = await program.does({ do: "device", ...about })
      const poll = () => program.does({ do: "poll", device_code: grant["device_code"], ...about })
      await poll().catch((error: unknown) => {
        if (!(error instanceof Refused && error.code === "authorization_pending")) throw error
      })
      await deployment.answer(String(grant["user_code"]), decision)
      return held(await poll())
    },
  }
}

class Program {
  readonly #child: ChildProcess
  readonly #waiting: ((line: string) => void)[] = []
  #said = ""

  constructor(deployment: Deployment, file: string) {
    const plain = deployment.certificate === null && { OAUTHLIB_INSECURE_TRANSPORT: "1" }
    const environment = { ...deployment.environment, OAUTHLIB_RELAX_TOKEN_SCOPE: "1", ...plain }
    const args = ["-B", join(import.meta.dirname, "python", file)]
    this.#child = spawn(PYTHON, args, { env: environmentWith(environment), stdio: ["pipe", "pipe", "pipe"] })
    const { stdin, stdout, stderr } = this.#child
    if (stdin === null || stdout === null || stderr === null) throw new Error("it has no pipes")
    createInterface({ input: stdout }).on("line", (line) => this.#waiting.shift()?.(line))
    stderr.on("data", (part: Buffer) => (this.#said += part.toString()))
    this.#child.once("close", () => {
      const end = JSON.stringify({ fault: `${file} ended: ${this.#said}` })
      for (const waits of this.#waiting.splice(0)) waits(end)
    })
    deployment.span.after(() => this.#child.kill("SIGKILL"))
  }

  async does(what: Readonly<Record<string, unknown>>): Promise<Answer> {
    const line = await new Promise<string>((resolve) => {
      this.#waiting.push(resolve)
      this.#child.stdin?.write(`${JSON.stringify(what)}\n`)
    })
    const answer = JSON.parse(line) as Answer
    if (answer.fault !== undefined) throw new Error(answer.fault)
    if (answer.error !== undefined) throw new Refused(answer.error)
    return answer
  }
}
