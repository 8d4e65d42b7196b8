/** A form that carries a file: multipart/form-data, RFC 7578, as a browser sends it. */
import type { FastifyRequest } from "fastify"
import { type Form, formOfPairs, refuseRepeated } from "../core/form.ts"
import { FORM_PARAMETERS_AT_MOST } from "../core/limits.ts"
import { accept, refuse, type Result } from "../core/result.ts"

export type FormWithFile = {
  /** The fields that are no file, as `formOf` gives them. */
  readonly form: Form
  /** The bytes of the one file; null where none was chosen. Its name and its claimed type are not kept. */
  readonly file: Uint8Array | null
}

const notForm = { reason: "bodyNotForm" } as const

/** What no UTF-8 decodes to, and what a decoder puts in the place of what is none. */
const NOT_UTF8 = /\ufffd/

/**
 * The form of a route whose `bodyBytes` bound it. Files are taken under the name `fileField` alone.
 * Refuses: bodyNotForm, parameterRepeated.
 */
export async function formWithFile(
  request: FastifyRequest,
  fileField = "icon",
): Promise<Result<FormWithFile>> {
  const entries = await entriesOf(request)
  if (entries === null) return refuse(notForm)
  const files = entries.filter((entry): entry is [string, File] => typeof entry[1] !== "string")
  if (files.some(([name]) => name !== fileField)) return refuse(notForm)
  const fields = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string")
  if (fields.some(([name, value]) => name === fileField || NOT_UTF8.test(name + value)))
    return refuse(notForm)
  const form = formOfPairs(fields)
  if (form === null) return refuse(notForm)
  if (files.length > 1) return refuse({ reason: "parameterRepeated", parameter: fileField })
  const single = refuseRepeated(form)
  return single.ok ? accept({ form: single.value, file: await bytesOf(files[0]?.[1]) }) : single
}

/** The parts in their order; null where the body is none of this kind, or broken. */
async function entriesOf({
  headers,
  body,
}: FastifyRequest): Promise<readonly (readonly [string, string | File])[] | null> {
  const type = headers["content-type"] ?? ""
  if (!/^multipart\/form-data\s*;/i.test(type) || !(body instanceof Uint8Array)) return null
  if (hasTooManyParts(type, body)) return null
  try {
    const parts = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData()
    return [...parts.entries()]
  } catch {
    return null
  }
}

/** Thousands of empty parts take their time to read: they are counted before. */
function hasTooManyParts(type: string, body: Uint8Array): boolean {
  const boundary = /;\s*boundary="?([^\s";]{1,70})/i.exec(type)?.[1]
  if (boundary === undefined) return true
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  let count = 0
  for (let at = bytes.indexOf(`--${boundary}`); at >= 0; at = bytes.indexOf(`--${boundary}`, at + 1))
    if (++count > FORM_PARAMETERS_AT_MOST + 2) return true
  return false
}

/** A browser sends an empty part where nobody chose a file. */
async function bytesOf(file: File | undefined): Promise<Uint8Array | null> {
  return file === undefined || file.size === 0 ? null : new Uint8Array(await file.arrayBuffer())
}
