/** A form that carries a file: multipart/form-data, RFC 7578, as a browser sends it. */
import { type Form, formOfPairs, refuseRepeated } from "../kernel/form.ts"
import { FORM_PARAMETERS_AT_MOST } from "../kernel/limits.ts"
import { type Result, err, ok } from "../kernel/result.ts"
import type { Refusal } from "../oauth/refusal.rules.ts"
import type { HttpRequest } from "./connection/message.ts"
import { NOT_UTF8 } from "./request.ts"

export type FormWithFile = {
  /** The fields that are no file, as `formOf` gives them. */
  readonly form: Form
  /** The bytes of the one file; null where none was chosen. Its name and its claimed type are not kept. */
  readonly file: Uint8Array | null
}

const notForm = { reason: "bodyNotForm" } as const

/**
 * The form of a route whose `bodyBytes` bound it. Files are taken under the name `fileField` alone.
 * Refuses: bodyNotForm, parameterRepeated.
 */
export async function formWithFile(
  request: HttpRequest,
  fileField = "icon",
): Promise<Result<FormWithFile, Refusal>> {
  const entries = await entriesOf(request)
  if (entries === null) return err(notForm)
  const files = entries.filter((entry): entry is [string, File] => typeof entry[1] !== "string")
  if (files.some(([name]) => name !== fileField)) return err(notForm)
  const fields = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string")
  if (fields.some(([name, value]) => name === fileField || NOT_UTF8.test(name + value))) return err(notForm)
  const form = formOfPairs(fields)
  if (form === null) return err(notForm)
  if (files.length > 1) return err({ reason: "parameterRepeated", parameter: fileField })
  const single = refuseRepeated(form)
  return single.ok ? ok({ form: single.value, file: await bytesOf(files[0]?.[1]) }) : single
}

/** The parts in their order; null if the body is of another kind, or malformed. */
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

/** The boundary and nothing beside it, as browsers write it: every parser of the type finds the same one. RFC 2046 §5.1.1. */
const TYPE = /^multipart\/form-data\s*;\s*boundary="?([A-Za-z0-9'()+_,./:=?-]{1,70})"?\s*$/i

/** What stands in all parts together before their values: names, and that of a file. */
const HEADS_BYTES_AT_MOST = 16 * 1024

/**
 * Thousands of parts, or of lines in one, block all requests while they are parsed, and any client can send them. They are
 * measured before.
 */
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

/** A browser sends an empty part if no file was chosen. */
async function bytesOf(file: File | undefined): Promise<Uint8Array | null> {
  return file === undefined || file.size === 0 ? null : new Uint8Array(await file.arrayBuffer())
}
