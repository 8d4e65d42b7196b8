/**
 * Checks the query and body of a request against the shapes of its operation. Refuses unknown members and parameters.
 */
import { ICON_BYTES_AT_MOST } from "../../kernel/limits.ts"
import { parseForm } from "../../kernel/form.ts"
import { type Json, readJson } from "../../kernel/json.ts"
import type { HttpRequest } from "../../platform/http/connection/message.ts"
import { jsonTextOf, queryOf } from "../../platform/http/request.ts"
import { refused, type Refused } from "../../platform/http/api-error.ts"
import { type Shape, unknownMember } from "../../platform/json/shape.rules.ts"

/** A body that is an image file. It lists the accepted media types and the maximum number of bytes. */
export type PictureBody<B> = {
  readonly picture: readonly string[]
  readonly most: number
  readonly read: (bytes: Uint8Array) => B
}

export type Body<B> = Shape<B> | PictureBody<B>

export const pictureBody: Body<Uint8Array> = {
  picture: ["image/png", "image/jpeg", "image/webp", "image/gif"],
  most: ICON_BYTES_AT_MOST,
  read: (bytes) => bytes,
}

export type Input<Q, B> = { readonly query: Q; readonly body: B }

type Invalid = Refused<"INVALID_ARGUMENT">

const invalid = (message: string): Invalid => refused("INVALID_ARGUMENT", message)

export function inputOf<Q, B>(
  request: HttpRequest,
  queryShape: Shape<Q> | null,
  bodyShape: Body<B> | null,
): Input<Q, B> | Invalid {
  const query = parsedQuery(request, queryShape)
  if ("refused" in query) return query
  const body = parsedBody(request, bodyShape)
  if ("refused" in body) return body
  return { query: query.value as Q, body: body.value as B }
}

/** Parses the body as JSON. Returns undefined for invalid JSON, and `inputOf` later refuses the request. */
export function jsonBodyOf(request: HttpRequest): Json | undefined {
  const text = jsonTextOf(request)
  return text === null ? undefined : readJson(text).value
}

/** Returns a member of an unchecked body. */
export function memberOf(body: Json | undefined, name: string): Json | undefined {
  return body instanceof Map ? body.get(name) : undefined
}

type Read = { readonly value: unknown }

/** Checks the query. Refuses repeated and unknown parameters. */
function parsedQuery(request: HttpRequest, shape: Shape<unknown> | null): Read | Invalid {
  const form = parseForm(queryOf(request))
  if (form === null) return invalid("The query is not well-formed.")
  const [repeated] = form.repeated
  if (repeated !== undefined) return invalid(`query.${repeated.slice(0, 100)} is given more than once.`)
  if (shape === null) {
    const [name] = [...form.values.keys()]
    return name === undefined ? { value: null } : invalid(unknownMember("query", name))
  }
  const properties = shape.schema["properties"] as Readonly<Record<string, { readonly type?: string }>>
  const values = new Map<string, Json>()
  for (const [name, text] of form.values) {
    const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined
    values.set(name, jsonOf(text, type))
  }
  const parsed = shape.parse(values, "query")
  return parsed.ok ? { value: parsed.value } : invalid(parsed.error)
}

/**
 * Converts a parameter to the type of its shape. A text that does not convert is returned unchanged, and the shape then
 * refuses it.
 */
function jsonOf(text: string, type: string | undefined): Json {
  switch (type) {
    case "integer":
      return /^(?:0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : text
    case "boolean":
      return text === "1" || text === "true" ? true : text === "0" || text === "false" ? false : text
    case "array":
      return text.split(",")
    default:
      return text
  }
}

function parsedBody(request: HttpRequest, shape: Body<unknown> | null): Read | Invalid {
  if (shape === null) return parsedNothing(request)
  if ("picture" in shape) return parsedPicture(request, shape)
  const text = jsonTextOf(request)
  if (text === null) return { ...invalid("The body is not application/json in UTF-8."), code: 415 }
  const { value, repeated } = readJson(text)
  if (repeated !== null)
    return invalid(`The body has the member ${JSON.stringify(repeated.slice(0, 100))} twice.`)
  if (value === undefined) return invalid("The body is not well-formed JSON.")
  const parsed = shape.parse(value, "body")
  return parsed.ok ? { value: parsed.value } : invalid(parsed.error)
}

/** Reads a request that has no input. An empty object is accepted too, because some clients always send a body. */
function parsedNothing({ body }: HttpRequest): Read | Invalid {
  const isEmpty =
    body === undefined ||
    body === null ||
    (typeof body === "string" && /^\s*(?:\{\s*\})?\s*$/.test(body)) ||
    (body instanceof Uint8Array && body.length === 0)
  return isEmpty ? { value: null } : invalid("This operation takes no body.")
}

function parsedPicture(
  { headers, body }: HttpRequest,
  { picture: types, read }: PictureBody<unknown>,
): Read | Invalid {
  const [type = ""] = (headers["content-type"] ?? "").toLowerCase().split(";", 1)
  if (!types.includes(type.trim()) || !(body instanceof Uint8Array))
    return { ...invalid(`The body must be an image of one of these types: ${types.join(", ")}.`), code: 415 }
  return { value: read(body) }
}
