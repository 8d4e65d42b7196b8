/** Reading a request: its query, its form, its headers. Bodies arrive as text and are parsed here, once. */
import { isUtf8 } from "node:buffer"
import { type Form, parseForm, parseQuery, refuseRepeated } from "../kernel/form.ts"
import { type Result, err } from "../kernel/result.ts"
import type { Refusal } from "../oauth/refusal.rules.ts"
import type { HttpRequest } from "./connection/message.ts"

/** The raw query string, without its question mark. */
export function queryOf(request: HttpRequest): string {
  const at = request.url.indexOf("?")
  return at < 0 ? "" : request.url.slice(at + 1)
}

/** A form as it came, repeated parameters and all. Null if the body is not a form. */
export function rawFormOf(request: HttpRequest): Form | null {
  const type = request.headers["content-type"]
  return type !== undefined && isForm(type) && typeof request.body === "string"
    ? parseForm(request.body)
    : null
}

/** The parameters of a form that can be read, though others cannot; null where the body is not a form at all. */
export function readableFormOf({ headers, body }: HttpRequest): Form | null {
  const type = headers["content-type"]
  return type !== undefined && isForm(type) && typeof body === "string" ? parseQuery(body).form : null
}

/** Refuses: bodyNotForm, parameterRepeated. */
export function formOf(request: HttpRequest): Result<Form, Refusal> {
  const form = rawFormOf(request)
  return form === null ? err({ reason: "bodyNotForm" }) : refuseRepeated(form)
}

/**
 * The text of a JSON body; null where the body says that it is something else, or is not in UTF-8: of bytes that are not,
 * two texts would become one.
 */
export function jsonTextOf({ headers, body }: HttpRequest): string | null {
  const isJson = isOfType(headers["content-type"] ?? "", "application/json")
  return isJson && typeof body === "string" && !NOT_UTF8.test(body) ? body : null
}

/** The replacement for bytes that are not UTF-8. No meaningful text contains it. */
export const NOT_UTF8 = /\ufffd/

const FORM = "application/x-www-form-urlencoded"

/** What arrives as bytes: forms that carry a file, and pictures. An address that wants neither reads it as no form. */
const IN_BYTES = /^(?:multipart\/form-data|image\/)/i

export function isInBytes({ headers }: HttpRequest): boolean {
  const type = headers["content-type"]
  return type !== undefined && type !== FORM && IN_BYTES.test(type)
}

/** The media type decides; of its parameters only a charset other than UTF-8 is refused. */
function isForm(type: string): boolean {
  return type === FORM || isOfType(type, FORM)
}

function isOfType(type: string, expected: string): boolean {
  const [mediaType = "", ...parameters] = type.toLowerCase().split(";")
  return (
    mediaType.trim() === expected &&
    parameters.every((text) => /^(?!charset\b)|^charset\s*=\s*"?utf-8"?$/.test(text.trim()))
  )
}

/** The text of a Basic header's base64, strictly; null if it is not base64. */
export function decodeBase64(text: string): string | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null
  const bytes = Buffer.from(text, "base64")
  return isUtf8(bytes) ? bytes.toString("utf8") : null
}

export function userAgentOf(request: HttpRequest): string {
  return request.headers["user-agent"] ?? ""
}
