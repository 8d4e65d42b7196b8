/** Reads the parts of a request: query, form, JSON and headers. Bodies arrive as text. */
import { isUtf8 } from "node:buffer"
import { type Cookies, parseCookie } from "cookie"
import { type Form, formFlaw, parseForm, parseQuery, refuseRepeated } from "../../kernel/form.ts"
import { type Result, err } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import type { HttpRequest } from "./connection/message.ts"

/** Returns the raw query string without its question mark. */
export function queryOf(request: HttpRequest): string {
  const at = request.url.indexOf("?")
  return at < 0 ? "" : request.url.slice(at + 1)
}

/** Returns the cookies of a request, which are parsed once. */
export function cookiesOf(request: HttpRequest): Cookies {
  return (request.cookies ??= parseCookie(request.headers.cookie ?? ""))
}

/** Parses a form that may contain repeated parameters. Returns null if the body is not a well-formed form. */
export function rawFormOf(request: HttpRequest): Form | null {
  const text = formTextOf(request)
  return text === null ? null : parseForm(text)
}

/** Parses a form and skips malformed parameters. Returns null if the body is not a form. */
export function readableFormOf(request: HttpRequest): Form | null {
  const text = formTextOf(request)
  return text === null ? null : parseQuery(text).form
}

export function formOf(request: HttpRequest): Result<Form, Refusal> {
  const text = formTextOf(request)
  if (text === null) return err({ reason: "bodyNotForm" })
  const form = parseForm(text)
  return form === null ? err({ reason: "bodyNotForm", ...formFlaw(text) }) : refuseRepeated(form)
}

/** Returns null for another media type. */
function formTextOf({ headers, body }: HttpRequest): string | null {
  const type = headers["content-type"]
  return type !== undefined && isForm(type) && typeof body === "string" ? body : null
}

/** Null for another media type, and for invalid UTF-8, because different invalid bytes decode to the same text. */
export function jsonTextOf({ headers, body }: HttpRequest): string | null {
  const isJson = isOfType(headers["content-type"] ?? "", "application/json")
  return isJson && typeof body === "string" && !NOT_UTF8.test(body) ? body : null
}

/** The replacement character stands for bytes that are not UTF-8. No meaningful text contains it. */
export const NOT_UTF8 = /\ufffd/

const FORM = "application/x-www-form-urlencoded"

/** Bodies of these media types stay binary: forms with a file, and images. Other endpoints refuse such a body. */
const IN_BYTES = /^(?:multipart\/form-data|image\/)/i

export function isInBytes({ headers }: HttpRequest): boolean {
  const type = headers["content-type"]
  return type !== undefined && type !== FORM && IN_BYTES.test(type)
}

/** Whether the media type is that of a form. Parameters are ignored, but a charset must be UTF-8. */
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

/** Decodes the base64 text of a Basic header. Returns null for invalid base64 or UTF-8. */
function decodeBase64(text: string): string | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null
  const bytes = Buffer.from(text, "base64")
  return isUtf8(bytes) ? bytes.toString("utf8") : null
}

/** Decodes a part of a JWT. RFC 7515 §2 allows no padding. Returns null if the text is not base64url of UTF-8. */
function decodeBase64Url(text: string): string | null {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return null
  const bytes = Buffer.from(text, "base64url")
  return isUtf8(bytes) ? bytes.toString("utf8") : null
}

export const decoders = { base64: decodeBase64, base64Url: decodeBase64Url } as const

export function userAgentOf(request: HttpRequest): string {
  return request.headers["user-agent"] ?? ""
}
