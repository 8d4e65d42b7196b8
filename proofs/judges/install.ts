/** Installs the judges by name and exact version, into a directory that is removed after the proof. */
import { join } from "node:path"
import { ran } from "./judge.ts"

export const versions = {
  "@modelcontextprotocol/conformance": "0.2.0-alpha.12",
  "mcp-authlab": "0.2.2",
  "testmcpy-oauth-probe": "0.1.0",
  schemathesis: "4.32.5",
} as const

export type Installed = {
  /** The script of the conformance suite, which runs on Node. */
  readonly conformance: string
  /** The directory with the commands of the Python judges. */
  readonly bin: string
}

/** Installs the judges. Returns a sentence if that is not possible, for example without a network or without Python. */
export async function install(dir: string): Promise<Installed | string> {
  const named = (name: keyof typeof versions, between: string) => `${name}${between}${versions[name]}`
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefix", dir]
  const npm = ["npm", "install", ...flags, named("@modelcontextprotocol/conformance", "@")]
  const bin = join(dir, "python/bin")
  const python = ["mcp-authlab", "testmcpy-oauth-probe", "schemathesis"] as const
  const pip = [join(bin, "pip"), "install", "--quiet", ...python.map((name) => named(name, "=="))]
  for (const command of [npm, ["python3", "-m", "venv", join(dir, "python")], pip]) {
    const { code, stdout, stderr } = await ran(command, { cwd: dir })
    if (code === 0) continue
    const last = `${stdout}${stderr}`.trim().split("\n").at(-1) ?? ""
    return `${command.slice(0, 2).join(" ")} failed (is there a network?): ${last.slice(0, 200)}`
  }
  return {
    conformance: join(dir, "node_modules/@modelcontextprotocol/conformance/dist/index.js"),
    bin,
  }
}
