/** `mcp-authlab` signs in as a client does, tries the flow with faults, and scans the MCP server. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { explained, type Judge, ran, type Reasons } from "./judge.ts"
import { versions } from "./install.ts"

const NAME = "mcp-authlab"

const reasons: Reasons = {
  "TLS-01": "a warning: it is plain http on loopback here; anywhere else the base URL has to be https",
  "SESS-01": "left out: the example has no sessions, each request is checked by itself",
  "SESS-02": "left out: the example has no sessions",
}

type Report = {
  readonly grade: string
  readonly conformance: string
  readonly results: readonly { readonly id: string; readonly status: string; readonly message: string }[]
}

export const authlab: Judge = async (subject, { bin }, work) => {
  const mcp = await subject.startMcp(() => null)
  const env = {
    MCP_AUTHLAB_TOKENS: join(work, "authlab-tokens.json"),
    BROWSER: `${process.execPath} ${join(import.meta.dirname, "browser.ts")} %s`,
  }
  const command = join(bin, NAME)
  const login = await ran([command, "login", "--no-color", "--thorough", mcp], { cwd: work, env })
  if (login.code !== 0) return { figures: {}, broken: [`${NAME}: ${login.stdout}${login.stderr}`] }
  const output = join(work, "authlab.json")
  const scan = await ran([command, "scan", "--format", "json", "--output", output, mcp], { cwd: work, env })
  if (scan.code !== 0) return { figures: {}, broken: [`${NAME}: ${scan.stdout}${scan.stderr}`] }
  const { grade, conformance, results } = JSON.parse(readFileSync(output, "utf8")) as Report
  const passed = results.filter(({ status }) => status === "pass").map(({ id }) => id)
  const failed = results.filter(({ status }) => status !== "pass")
  const said = new Map(failed.map(({ id, status, message }) => [id, `${status}: ${message}`]))
  const { figures, broken } = explained(NAME, said, reasons)
  return {
    figures: {
      [`${NAME} ${versions[NAME]}: grade`]: `${grade}, ${conformance}`,
      [`${NAME}: checks passed`]: passed.join(", "),
      ...figures,
    },
    broken,
  }
}
