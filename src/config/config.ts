/** The configuration outside the database: its location, the trusted proxies and the permissions. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Catalogue, loadCatalogue } from "../permissions/permission-catalogue.rules.ts"
import type { AddedPermission } from "./configuration-file.ts"
import { addressProblem, poolSizeOf } from "../store/postgres/driver/address.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"

export type Config = {
  readonly dataDir: string
  /** Null means SQLite in `dataDir`. */
  readonly databaseUrl: string | null
  /** The most connections to PostgreSQL; null for the number in the URL, or the default. */
  readonly databasePool: number | null
  readonly catalogue: Catalogue
  /** Address ranges in CIDR notation whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
}

export type ConfigSource = {
  readonly data: string
  readonly config: string | null
  readonly databaseUrl: string | null
}

/** Problems in the file name the file and the line. */
export type ReadConfig = Result<Config, readonly Problem[]>

/** Reads the configuration and reports every problem in it. */
export async function readConfig({ data, config, databaseUrl }: ConfigSource): Promise<ReadConfig> {
  if (data.trim() === "") return refused("--data is empty: name a directory.")
  const unknown = databaseUrl === null ? null : addressProblem(databaseUrl)
  if (unknown !== null) return refused(unknown)
  const pool = process.env["LATCHKEY_DATABASE_POOL"] ?? ""
  const databasePool = poolSizeOf(pool)
  if (databasePool === null && pool !== "")
    return refused(`LATCHKEY_DATABASE_POOL must be a number from 2 to 500, not "${pool}".`)
  const usual = join(data, "latchkey.yaml")
  const file = config ?? (existsSync(usual) ? usual : null)
  const read = file === null ? nothing : await readFile(file)
  if (!read.ok) return read
  const { permissions, trustedProxies } = read.value
  const catalogue = loadCatalogue(extension(permissions))
  if (!catalogue.ok) {
    const lines = new Map(permissions.map(({ name, line }) => [name, line]))
    const problems = catalogue.error.map(
      ({ permission, problem }) => `${file}:${lines.get(permission) ?? 1}: ${permission}: ${problem}`,
    )
    return err(problems)
  }
  const place = { dataDir: data, databaseUrl, databasePool }
  return ok({ ...place, catalogue: catalogue.value, trustedProxies })
}

const nothing = ok({ trustedProxies: [], permissions: [] as readonly AddedPermission[] })

async function readFile(file: string) {
  let text: string
  try {
    text = readFileSync(file, "utf8")
  } catch (error) {
    return refused(`The configuration file ${file} cannot be read: ${(error as Error).message}`)
  }
  // Loaded only if there is a file, because the YAML parser would slow every start.
  const { readConfigurationFile } = await import("./configuration-file.ts")
  const { problems, ...read } = readConfigurationFile(text)
  if (problems.length === 0) return ok(read)
  const inOrder = problems.toSorted((a, b) => a.line - b.line)
  return err(inOrder.map(({ line, problem }) => `${file}:${line}: ${problem}`))
}

function extension(added: readonly AddedPermission[]) {
  return Object.fromEntries(added.map(({ name, definition }) => [name, definition]))
}

function refused(...problems: readonly string[]) {
  return err(problems)
}
