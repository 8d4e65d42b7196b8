/** Builds the programs. They are kept for the next run. */
import { cpSync, existsSync, mkdirSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { oauth2Proxy } from "../../test/clients/openid/oauth2-proxy.ts"
import type { SiteProgram } from "../../test/clients/openid/site.ts"
import {
  SPRING_API_SOURCES,
  SPRING_SOURCES,
  springApi,
  springSecurity,
} from "../../test/clients/openid/spring.ts"
import { ran } from "../judges/judge.ts"

export type Built = { readonly program: SiteProgram } | { readonly name: string; readonly missing: string }

type Say = (line: string) => void

const versions = { "oauth2-proxy": "7.15.6", spring: "4.0.7", "spring-api": "4.0.7" } as const

export async function buildOauth2Proxy(_work: string, say: Say): Promise<Built> {
  const dir = kept("oauth2-proxy")
  const file = join(dir, "oauth2-proxy")
  const module = `github.com/oauth2-proxy/oauth2-proxy/v7@v${versions["oauth2-proxy"]}`
  const missing = existsSync(file) ? null : await run(["go", "install", module], dir, say, { GOBIN: dir })
  return missing === null ? { program: oauth2Proxy(file) } : { name: "oauth2-proxy", missing }
}

export async function buildSpring(work: string, say: Say): Promise<Built> {
  const dir = kept("spring")
  const jar = join(dir, "target/site.jar")
  const missing = await packaged(jar, SPRING_SOURCES, dir, say)
  return missing === null ? { program: springSecurity(jar, work) } : { name: "Spring Security", missing }
}

export async function buildSpringApi(work: string, say: Say): Promise<Built> {
  const dir = kept("spring-api")
  const jar = join(dir, "target/api.jar")
  const missing = await packaged(jar, SPRING_API_SOURCES, dir, say)
  return missing === null ? { program: springApi(jar, work) } : { name: "Spring resource server", missing }
}

/** Makes the jar unless it exists. Returns why that failed, or null. */
async function packaged(jar: string, sources: string, dir: string, say: Say): Promise<string | null> {
  if (existsSync(jar)) return null
  cpSync(sources, dir, { recursive: true })
  return run(["mvn", "-q", "-B", "package"], dir, say)
}

function kept(name: keyof typeof versions): string {
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache")
  const dir = join(cache, "latchkey-prove", `${name}-${versions[name]}`)
  mkdirSync(dir, { recursive: true })
  return dir
}

/** Returns why the command failed, or null. */
async function run(
  command: readonly string[],
  cwd: string,
  say: Say,
  env: NodeJS.ProcessEnv = {},
): Promise<string | null> {
  say(command.join(" "))
  const { code, stdout, stderr } = await ran(command, { cwd, env }).catch((error: Error) => ({
    code: 1,
    stdout: "",
    stderr: error.message,
  }))
  return code === 0 ? null : (`${stdout}${stderr}`.trim().split("\n").at(-1)?.slice(0, 120) ?? "")
}
