/** Reads the vectors that define the behavior of every kit: packages/vectors. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type {
  Access,
  RefusalReason,
  ResourceServerOptions,
} from "../../packages/resource-server/src/resource-server.ts"

const folder = join(import.meta.dirname, "../../packages/vectors")

export function vectors<File>(name: string): File {
  return JSON.parse(readFileSync(join(folder, name), "utf8")) as File
}

export type Case = { readonly name: string; readonly because: string }

/** An introspection response, or any other JSON value. */
export type Body = unknown

export type RequirementVector = { readonly permissions?: readonly string[]; readonly elevation?: boolean }

export type OptionsVector = {
  readonly issuer?: string
  readonly resource?: string
  readonly client_id?: string
  readonly client_secret?: string
  readonly permissions?: readonly string[]
  readonly resource_name?: string
  readonly resource_documentation?: string
  readonly require_audience?: boolean
  readonly cache_entries?: number
  readonly concurrency?: number
  readonly timeout_seconds?: number
  readonly stream?: boolean
}

const RIGHT = {
  issuer: "https://id.example",
  resource: "https://api.example",
  clientId: "api-1",
  clientSecret: "lks_secret",
}

/** Converts the options to those of the Node kit. */
export function optionsOf(given: OptionsVector): ResourceServerOptions {
  const { timeout_seconds: seconds, ...rest } = given
  const named = Object.entries(rest).map(([name, value]) => [camel(name), value] as const)
  return {
    ...RIGHT,
    ...Object.fromEntries(named),
    ...(seconds !== undefined && { timeoutMilliseconds: seconds * 1000 }),
  }
}

/** Converts the name of a reason to the one in the Node kit. */
export function reasonOf(vector: string): RefusalReason {
  return camel(vector) as RefusalReason
}

/** Converts the access to that of the Node kit. */
export function accessOf(vector: Readonly<Record<string, unknown>>): Access {
  return Object.fromEntries(Object.entries(vector).map(([name, value]) => [camel(name), value])) as Access
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
