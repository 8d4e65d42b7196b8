/**
 * The shape of a JSON value. It parses requests, with errors that name the member, and yields the JSON Schema (2020-12)
 * of the OpenAPI document. One definition for both keeps them consistent.
 */
import type { Json, JsonObject } from "../../kernel/json.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"

export type JsonSchema = { readonly [keyword: string]: unknown }

export type Shape<T> = {
  /** The name in the OpenAPI document. If it is null, the schema is written inline. */
  readonly name: string | null
  readonly schema: JsonSchema
  /** The shapes inside this shape: its members or items. */
  readonly parts: readonly Shape<unknown>[]
  readonly example: T
  /** `at` is the path of the value, such as `body.redirect_uris[2]`. */
  readonly parse: (value: Json, at: string) => Result<T, Problem>
}

/** The type of the values that a shape accepts. */
export type Parsed<S> = S extends Shape<infer T> ? T : never

export type Optional<T> = Shape<T> & { readonly isOptional: true }

type Members = Readonly<Record<string, Shape<unknown>>>
type OptionalNames<M> = { [K in keyof M]: M[K] extends { isOptional: true } ? K : never }[keyof M]

export type ValueOf<M> = {
  readonly [K in Exclude<keyof M, OptionalNames<M>>]: M[K] extends Shape<infer T> ? T : never
} & { readonly [K in OptionalNames<M>]?: M[K] extends Shape<infer T> ? T : never }

/** Returns the schema for use inside another schema. A named shape becomes a reference. */
export function schemaOf({ name, schema }: Shape<unknown>): JsonSchema {
  return name === null ? schema : { $ref: `#/components/schemas/${name}` }
}

type TextRules = { readonly least?: number; readonly most?: number; readonly format?: string }

/**
 * The shape of a string. `most` and `least` count UTF-16 units and only bound the work. Other rules check the content.
 */
export function text(
  description: string,
  example: string,
  { least = 0, most, format }: TextRules = {},
): Shape<string> {
  const schema = {
    type: "string",
    description,
    ...(least > 0 && { minLength: least }),
    ...(most !== undefined && { maxLength: most }),
    ...(format !== undefined && { format }),
  }
  const parse = (value: Json, at: string): Result<string, Problem> => {
    if (typeof value !== "string") return err(`${at} is not a string.`)
    if (value.length < least) return err(`${at} is too short.`)
    return most !== undefined && value.length > most ? err(`${at} is too long.`) : ok(value)
  }
  return { name: null, schema, parts: [], example, parse }
}

export const EXAMPLE_ID = "01k3v7m2q8xj5c9d4e6f7g8h9j"

export function idShape(what: string): Shape<string> {
  return text(`Identifier of the ${what}.`, EXAMPLE_ID)
}

export function scopeShape(description: string): Shape<string> {
  return text(`${description} Permissions, separated by spaces.`, "account:read")
}

export const usernameShape = text("The name of the account, as its holder writes it.", "ada")

/**
 * Adds a check that the schema cannot express. The error consists of the path of the value and `problem`, such as `is
 * not an identifier.`
 */
export function refined<T>(shape: Shape<T>, isGood: (value: T) => boolean, problem: string): Shape<T> {
  const parse = (value: Json, at: string): Result<T, Problem> => {
    const parsed = shape.parse(value, at)
    return !parsed.ok || isGood(parsed.value) ? parsed : err(`${at} ${problem}`)
  }
  return { ...shape, parse }
}

export function choice<const C extends string>(description: string, choices: readonly C[]): Shape<C> {
  const [example] = choices
  if (example === undefined) throw new Error("a choice needs at least one value")
  const parse = (value: Json, at: string): Result<C, Problem> => {
    const chosen = choices.find((one) => one === value)
    return chosen === undefined ? err(`${at} is not one of ${choices.join(", ")}.`) : ok(chosen)
  }
  return { name: null, schema: { type: "string", enum: choices, description }, parts: [], example, parse }
}

export function flag(description: string, example = true): Shape<boolean> {
  const parse = (value: Json, at: string): Result<boolean, Problem> =>
    typeof value === "boolean" ? ok(value) : err(`${at} is not true or false.`)
  return { name: null, schema: { type: "boolean", description }, parts: [], example, parse }
}

export function integer(
  description: string,
  example: number,
  { least = 0, most = Number.MAX_SAFE_INTEGER }: { readonly least?: number; readonly most?: number } = {},
): Shape<number> {
  const schema = { type: "integer", minimum: least, maximum: most, description }
  const parse = (value: Json, at: string): Result<number, Problem> =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most
      ? ok(value)
      : err(`${at} is not a whole number from ${least} to ${most}.`)
  return { name: null, schema, parts: [], example, parse }
}

/** The shape of a time in seconds since 1970. */
export function instant(description: string, example = 1_800_000_000): Shape<number> {
  return integer(`${description}, in seconds since 1970.`, example)
}

export function orNull<T>(shape: Shape<T>, example: T | null = shape.example): Shape<T | null> {
  const { type, enum: choices } = shape.schema
  // Scalars use the short form `type: [..., "null"]`. Named shapes and objects need `anyOf`.
  const schema =
    shape.name === null && typeof type === "string" && choices === undefined
      ? { ...shape.schema, type: [type, "null"] }
      : { anyOf: [schemaOf(shape), { type: "null" }] }
  const parse = (value: Json, at: string): Result<T | null, Problem> =>
    value === null ? ok(null) : shape.parse(value, at)
  return { name: null, schema, parts: [shape], example, parse }
}

export function list<T>(
  description: string,
  item: Shape<T>,
  { most, example = [item.example] }: { readonly most?: number; readonly example?: readonly T[] } = {},
): Shape<readonly T[]> {
  const schema = {
    type: "array",
    items: schemaOf(item),
    description,
    ...(most !== undefined && { maxItems: most }),
  }
  const parse = (value: Json, at: string): Result<readonly T[], Problem> => {
    if (!Array.isArray(value)) return err(`${at} is not an array.`)
    if (most !== undefined && value.length > most) return err(`${at} has more than ${most} entries.`)
    const items: T[] = []
    for (const [place, entry] of (value as readonly Json[]).entries()) {
      const parsed = item.parse(entry, `${at}[${place}]`)
      if (!parsed.ok) return parsed
      items.push(parsed.value)
    }
    return ok(items)
  }
  return { name: null, schema, parts: [item], example, parse }
}

/** The shape of an object whose members another part of the service checks. */
export function opaque<T extends object>(description: string, example: T): Shape<T> {
  const schema = { type: "object", description }
  const parse = (value: Json, at: string): Result<T, Problem> =>
    value instanceof Map ? ok(plain(value) as T) : err(`${at} is not an object.`)
  return { name: null, schema, parts: [], example, parse }
}

function plain(value: Json): unknown {
  if (value instanceof Map)
    return Object.fromEntries([...(value as JsonObject)].map(([name, member]) => [name, plain(member)]))
  return Array.isArray(value) ? (value as readonly Json[]).map(plain) : value
}

export function optional<T>(shape: Shape<T>): Optional<T> {
  return { ...shape, isOptional: true }
}

/** The shape of an object. It refuses unknown members, because a misspelled member would otherwise have no effect. */
export function record<const M extends Members>(name: string | null, members: M): Shape<ValueOf<M>> {
  const entries = Object.entries<Shape<unknown>>(members)
  const required = entries.filter(([, shape]) => !isOptional(shape)).map(([key]) => key)
  const schema = {
    type: "object",
    properties: Object.fromEntries(entries.map(([key, shape]) => [key, schemaOf(shape)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
  const example = Object.fromEntries(entries.map(([key, shape]) => [key, shape.example])) as ValueOf<M>
  const parse = (value: Json, at: string): Result<ValueOf<M>, Problem> => parseMembers(members, value, at)
  return { name, schema, parts: Object.values(members), example, parse }
}

function parseMembers<M extends Members>(members: M, value: Json, at: string): Result<ValueOf<M>, Problem> {
  if (!(value instanceof Map)) return err(`${at} is not an object.`)
  const given = value as ReadonlyMap<string, Json>
  const unknown = [...given.keys()].find((key) => !Object.hasOwn(members, key))
  if (unknown !== undefined) return err(unknownMember(at, unknown))
  const values: [string, unknown][] = []
  for (const [key, shape] of Object.entries(members)) {
    const member = given.get(key)
    if (member === undefined) {
      if (isOptional(shape)) continue
      return err(`${at}.${key} is missing.`)
    }
    const parsed = shape.parse(member, `${at}.${key}`)
    if (!parsed.ok) return parsed
    values.push([key, parsed.value])
  }
  return ok(Object.fromEntries(values) as ValueOf<M>)
}

/** The error repeats at most this many characters of an unknown name. */
const MAX_SHOWN = 100

function isOptional(shape: Shape<unknown>): boolean {
  return "isOptional" in shape
}

export function unknownMember(at: string, name: string): string {
  const place =
    at === "query" ? "a parameter of this operation" : `a member of ${at === "body" ? "this body" : at}`
  return `${JSON.stringify(name.slice(0, MAX_SHOWN))} is not ${place}; see /api/openapi.json.`
}
