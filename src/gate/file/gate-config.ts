import { readFileSync } from "node:fs"
import { dirname, isAbsolute, join, resolve } from "node:path"
import { err, ok, type Result } from "../../kernel/result.ts"
import { type Imported, importRoutes } from "../openapi/import.rules.ts"
import { readOpenApi } from "../openapi/openapi-reader.ts"
import { routeTable } from "../routes/match.rules.ts"
import type { GateHost } from "../routes/route.rules.ts"
import type { FileName } from "../../platform/config/yaml-reader.ts"
import { type AssertionEntry, type HostEntry, readGateFile } from "./gate-file.ts"

export type GateConfig = {
  readonly service: string
  readonly clientId: string
  readonly clientSecret: string
  /** Address ranges in CIDR notation. If the list is empty, the secret alone decides. */
  readonly trusted: readonly string[]
  /** The value of `Latchkey-Gate-Secret`. If it is null, the address alone decides. */
  readonly sharedSecret: string | null
  readonly hosts: readonly GateHost[]
  readonly assertion: (Omit<AssertionEntry, "keys"> & { readonly keys: string }) | null
}

/** A shorter secret could be guessed. */
const SECRET_LENGTH_AT_LEAST = 32
const VISIBLE = /^[\x21-\x7e]+$/

/** Returns the configuration, or every problem with its file and line. */
export function readGateConfig(path: string): Result<GateConfig, readonly string[]> {
  const text = contentOf(path)
  if (text === null) return err([`${path} cannot be read. Name the file of the gate with --config.`])
  const read = readGateFile(text, path)
  if (read.file === null) return err(read.problems.map(({ line, problem }) => `${path}:${line}: ${problem}`))
  const { file } = read
  const problems: string[] = []
  const secretIn = (name: FileName, least: number): string => {
    const secret = contentOf(beside(path, name.path))?.trim() ?? null
    if (secret === null) problems.push(`${path}:${name.line}: ${name.path} cannot be read`)
    else if (secret.length < least || !VISIBLE.test(secret))
      problems.push(`${path}:${name.line}: ${name.path}: expected at least ${least} visible characters`)
    return secret ?? ""
  }
  const config = {
    service: file.service,
    clientId: file.clientId,
    clientSecret: secretIn(file.clientSecretFile, 1),
    trusted: file.trusted,
    sharedSecret:
      file.sharedSecretFile === null ? null : secretIn(file.sharedSecretFile, SECRET_LENGTH_AT_LEAST),
    hosts: file.hosts.map((host) => hostOf(host, importedBy(host, path, problems))),
    assertion:
      file.assertion === null ? null : { ...file.assertion, keys: beside(path, file.assertion.keys.path) },
  }
  return problems.length > 0 ? err(problems) : ok(config)
}

function hostOf(host: HostEntry, imported: Imported | null): GateHost {
  const { name, resource, requireAudience, routes: explicit } = host
  // Of equally specific paths, the first decides.
  const routes = [...explicit, ...(imported?.routes ?? [])]
  const uncovered = imported?.uncovered ?? []
  return { name, resource, requireAudience, routes, table: routeTable(routes), uncovered }
}

/** Returns the routes of the host's OpenAPI document, or null without one. Adds its problems to `problems`. */
function importedBy(host: HostEntry, path: string, problems: string[]): Imported | null {
  const { openapi, name, routes } = host
  if (openapi === null) return null
  const text = contentOf(beside(path, openapi.path))
  if (text === null) {
    problems.push(`${path}:${openapi.line}: ${openapi.path} cannot be read`)
    return null
  }
  const file = isAbsolute(openapi.path) ? openapi.path : join(dirname(path), openapi.path)
  const document = readOpenApi(text)
  const imported = document.ok
    ? importRoutes({ document: document.value, file, host: name, explicit: routes })
    : null
  const found = document.ok ? (imported?.problems ?? []) : document.error
  problems.push(...found.map(({ line, problem }) => `${file}:${line}: ${problem}`))
  return imported
}

/** A relative path starts at the directory of the file that names it. */
function beside(file: string, path: string): string {
  return resolve(dirname(file), path)
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return null
  }
}
