/** The examples of products with a login of their own, and the MCP server and MCP client beside each. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import type { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { needsChromium } from "../support/chromium.ts"
import { freePort } from "../support/free-port.ts"
import { go, needsGo } from "../support/go.ts"
import { leaveOut, needsModules } from "../support/leave-out.ts"
import { environmentWith, newDirectory, type Span } from "../support/spawn.ts"
import { until } from "../support/until.ts"
import { called, connectedTo, PATIENCE_MILLISECONDS, Program, transportOf } from "./mcp-program.ts"
import { INSTALL, McpProgram, PYTHON, pythonCommand } from "./mcp-python.ts"

const root = join(import.meta.dirname, "../..")
const examples = join(root, "examples")
const kit = join(root, "packages/resource-server-python/src")

/** Takes the browser to a URL, where a person consents. Returns the URL of the client to which it leads. */
export type Visit = (address: URL) => Promise<URL>

export type ToolClient = {
  readonly call: (tool: string, args?: Readonly<Record<string, unknown>>) => Promise<unknown>
  readonly accessToken: () => Promise<string>
  readonly close: () => Promise<void>
}

type Environment = Readonly<Record<string, string>>

export type ProductExample = {
  readonly name: string
  readonly needs: { readonly skip?: string }
  /** The command of the product, which listens on `PORT`. */
  readonly product: (span: Span) => readonly string[]
  /** The command of the MCP server. */
  readonly mcp: (span: Span) => readonly string[]
  readonly environment: Environment
  readonly connect: (span: Span, url: URL, visit: Visit) => Promise<ToolClient>
}

const node = (file: string) => [process.execPath, "--conditions=latchkey-source", join(examples, file)]
const python = (file: string) => [PYTHON, join(examples, file)]

export const productExamples: readonly ProductExample[] = [
  {
    name: "Express",
    needs: needsChromium,
    product: () => node("login-express/main.ts"),
    mcp: () => node("mcp/main.ts"),
    environment: {},
    connect: (_, url, visit) => connectSdk(url, visit),
  },
  {
    name: "FastAPI",
    needs: both(
      needsChromium,
      needsModules(["mcp", "fastmcp", "fastapi", "itsdangerous", "httpx"], PYTHON, INSTALL),
    ),
    product: () => python("login-fastapi/main.py"),
    mcp: () => python("fastmcp/main.py"),
    environment: { PYTHONPATH: kit },
    connect: connectPython,
  },
  {
    name: "Go",
    needs: both(needsChromium, needsGo, needsGoModules()),
    product: (span) => [built(span, "login-go")],
    mcp: (span) => [built(span, "go-mcp")],
    environment: {},
    connect: (_, url, visit) => connectSdk(url, visit),
  },
]

/** Starts a program of an example. Returns its URL. */
export async function launch(
  span: Span,
  [file = "", ...args]: readonly string[],
  environment: Environment,
  port?: number,
): Promise<string> {
  const listens = `http://localhost:${port ?? (await freePort())}`
  const child = spawn(file, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: environmentWith({ ...environment, PORT: new URL(listens).port, PYTHONDONTWRITEBYTECODE: "1" }),
  })
  span.after(() => child.kill("SIGKILL"))
  let said = ""
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said += text))
  await until(
    () => said.includes(listens) || child.exitCode !== null,
    `${file} listens`,
    PATIENCE_MILLISECONDS,
  )
  if (child.exitCode !== null) throw new Error(said)
  return listens
}

/** The client of the MCP SDK for Node. */
async function connectSdk(url: URL, visit: Visit): Promise<ToolClient> {
  const program = new Program()
  const first = transportOf(program, url)
  await connectedTo(first).then(
    () => {
      throw new Error("the MCP server asked for no token")
    },
    () => undefined,
  )
  if (program.sentTo === undefined) throw new Error("the client opened no browser")
  const back = await visit(program.sentTo)
  await first.finishAuth(back.searchParams.get("code") ?? "")
  const client: Client = await connectedTo(transportOf(program, url))
  return {
    call: (tool, args) => called(client, tool, { ...args }),
    accessToken: () => Promise.resolve(program.kept?.access_token ?? ""),
    close: () => client.close(),
  }
}

/** The client of the MCP SDK for Python. */
async function connectPython(span: Span, url: URL, visit: Visit): Promise<ToolClient> {
  const program = new McpProgram(span, visit, pythonCommand(PYTHON, "with_mcp.py", url.href))
  await program.next()
  return {
    call: async (tool, args = {}) => {
      const { error, value } = await program.does({ do: "call", tool, arguments: args })
      if (error === true) throw new Error(`${tool} failed`)
      return value
    },
    accessToken: async () => String((await program.does({ do: "tokens" }))["access_token"]),
    close: () => program.end(),
  }
}

function built(span: Span, example: string): string {
  const program = join(newDirectory(span), example)
  const { status, output } = go(join(examples, example), "build", "-o", program, ".")
  if (status !== 0) throw new Error(output)
  return program
}

function needsGoModules(): { skip?: string } {
  if ("skip" in needsGo || go(join(examples, "go-mcp"), "list", "-deps", ".").status === 0) return {}
  const remedy = "To fetch them: go -C examples/go-mcp mod download"
  return { skip: leaveOut("the modules of examples/go-mcp are not here", "the tests of its login", remedy) }
}

function both(...needs: readonly { readonly skip?: string }[]): { readonly skip?: string } {
  return needs.find(({ skip }) => skip !== undefined) ?? {}
}
