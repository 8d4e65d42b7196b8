/** Parses a form with a file as browsers send it: multipart/form-data, RFC 7578. */
import { type Form, formOfPairs, refuseRepeated } from "../../kernel/form.ts"
import { FORM_PARAMETERS_AT_MOST } from "../../kernel/limits.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import type { HttpRequest } from "./connection/message.ts"
import { NOT_UTF8 } from "./request.ts"

export type FormWithFile = {
  /** The text fields, in the same form as `formOf` returns them. */
  readonly form: Form
  /** The bytes of the file, or null if none was chosen. The file's name and media type are ignored. */
  readonly file: Uint8Array | null
}

const FILE_FIELD = "icon"
const notForm = { reason: "bodyNotForm" } as const

/**
 * Parses the form. Its route limits its length with `bodyBytes`. Only the field `icon` may hold a file.
 *
 * Refuses: bodyNotForm, parameterRepeated.
 */
export async function formWithFile(request: HttpRequest): Promise<Result<FormWithFile, Refusal>> {
  const entries = await entriesOf(request)
  if (entries === null) return err(notForm)
  const files = entries.filter((entry): entry is [string, File] => typeof entry[1] !== "string")
  if (files.some(([name]) => name !== FILE_FIELD)) return err(notForm)
  const fields = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string")
  if (fields.some(([name, value]) => name === FILE_FIELD || NOT_UTF8.test(name + value))) return err(notForm)
  const form = formOfPairs(fields)
  if (form === null) return err(notForm)
  if (files.length > 1) return err({ reason: "parameterRepeated", parameter: FILE_FIELD })
  const single = refuseRepeated(form)
  return single.ok ? ok({ form: single.value, file: await bytesOf(files[0]?.[1]) }) : single
}

/** Returns the parts of the form in order. Returns null for another media type or a malformed body. */
async function entriesOf({
  headers,
  body,
}: HttpRequest): Promise<readonly (readonly [string, string | File])[] | null> {
  const type = headers["content-type"] ?? ""
  const boundary = TYPE.exec(type)?.[1]
  if (boundary === undefined || !(body instanceof Uint8Array)) return null
  if (!isQuickToRead(boundary, body)) return null
  try {
    const parts = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData()
    return [...parts.entries()]
  } catch {
    return null
  }
}

/** The boundary is the only parameter, as browsers send it. Every parser then finds the same one. RFC 2046 §5.1.1. */
const TYPE = /^multipart\/form-data\s*;\s*boundary="?([A-Za-z0-9'()+_,./:=?-]{1,70})"?\s*$/i

/** The maximum size of the headers of all parts together. */
const HEADS_BYTES_AT_MOST = 16 * 1024

/** Any client can send thousands of parts, and parsing them would block all requests. */
function isQuickToRead(boundary: string, body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const delimiter = `--${boundary}`
  let [parts, heads] = [0, 0]
  for (let at = bytes.indexOf(delimiter); at >= 0; at = bytes.indexOf(delimiter, at + delimiter.length)) {
    const end = bytes.indexOf("\r\n\r\n", at)
    heads += (end < 0 ? bytes.length : end) - at
    if (++parts > FORM_PARAMETERS_AT_MOST + 2 || heads > HEADS_BYTES_AT_MOST) return false
  }
  return true
}

/** Returns the bytes of the file. A browser sends an empty file if the person chose none. */
async function bytesOf(file: File | undefined): Promise<Uint8Array | null> {
  return file === undefined || file.size === 0 ? null : new Uint8Array(await file.arrayBuffer())
}
