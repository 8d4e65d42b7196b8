/**
 * Strict application/x-www-form-urlencoded, for bodies and queries alike. RFC 6749 §3.1, §3.2 and appendix B.
 *
 * A parameter without a value counts as omitted, but a name given twice is repeated even where a value is empty: two
 * readers of one request must not see two different requests.
 */
import { FORM_PARAMETERS_AT_MOST } from "./limits.ts"
import { type Result, err, ok } from "./result.ts"

/** What a form refuses by itself. */
export type FormRefusal =
  | { readonly reason: "parameterMissing"; readonly parameter: string }
  | { readonly reason: "parameterRepeated"; readonly parameter: string }

export type Form = {
  /** The first non-empty value of each name. */
  readonly values: ReadonlyMap<string, string>
  /** Names that occur more than once. */
  readonly repeated: ReadonlySet<string>
  /** Every non-empty value of each repeated name. Read with `allValues`. */
  readonly valuesOfRepeated: ReadonlyMap<string, readonly string[]>
}

/** The only parameter that may be given more than once. RFC 8707 §2. */
const MAY_REPEAT = "resource"

/** What may stand in an encoded form. Anything else was not encoded by the sender. */
const ENCODED = /^[\x21-\x7e]*$/
const ESCAPE = /[%+]/

/**
 * The parameters of `text`; null where it is not well-formed: characters outside visible ASCII, a broken percent
 * escape, bytes that are not UTF-8, or more than a hundred parameters.
 */
export function parseForm(text: string): Form | null {
  if (!ENCODED.test(text)) return null
  const decode = ESCAPE.test(text) ? decodeFormComponent : asItIs
  const reading = begun()
  let count = 0
  for (const pair of text.split("&")) {
    if (pair === "") continue
    if (++count > FORM_PARAMETERS_AT_MOST) return null
    const equals = pair.indexOf("=")
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    const value = equals < 0 ? "" : decode(pair.slice(equals + 1))
    if (name === null || value === null) return null
    add(reading, name, value)
  }
  return reading
}

/** A query whose well-formed parameters can be read though others cannot. */
export type Query = {
  readonly form: Form
  /** Parameters whose name or value is not valid percent-encoded UTF-8, with the value as it came. */
  readonly malformed: ReadonlyMap<string, string>
}

/** More than the address of a request can hold. */
const PARAMETERS_READ_AT_MOST = 10_000

/**
 * Each parameter is read by itself, however many there are: so that the authorization endpoint can return an error to an
 * app that the others identify, and the token endpoint sees a replayed code in a malformed request. A malformed one counts as given, for what is given twice.
 */
export function parseQuery(text: string): Query {
  const form = begun()
  const malformed = new Map<string, string>()
  for (const pair of text.split("&", PARAMETERS_READ_AT_MOST)) {
    if (pair === "") continue
    const equals = pair.indexOf("=")
    const name = decodeFormComponent(equals < 0 ? pair : pair.slice(0, equals))
    const raw = equals < 0 ? "" : pair.slice(equals + 1)
    const value = decodeFormComponent(raw)
    if (name === null || value === null) malformed.set(name ?? "", raw)
    if (name !== null) add(form, name, value ?? "")
  }
  return { form, malformed }
}

/** A form whose pairs came in another encoding; null where there are more than a hundred. */
export function formOfPairs(pairs: readonly (readonly [name: string, value: string])[]): Form | null {
  if (pairs.length > FORM_PARAMETERS_AT_MOST) return null
  const reading = begun()
  for (const [name, value] of pairs) add(reading, name, value)
  return reading
}

/** Hardly any form repeats a name or leaves a value empty: what only such a one needs is made for it alone. */
type Reading = {
  readonly values: Map<string, string>
  repeated: Set<string>
  valuesOfRepeated: Map<string, string[]>
  /** Names that came without a value. */
  empty: Set<string>
}

const NO_NAMES: Set<string> = new Set()
const NO_VALUES: Map<string, string[]> = new Map()

function begun(): Reading {
  return { values: new Map(), repeated: NO_NAMES, valuesOfRepeated: NO_VALUES, empty: NO_NAMES }
}

function add(reading: Reading, name: string, value: string): void {
  const first = reading.values.get(name)
  if (first !== undefined || reading.empty.has(name)) repeat(reading, name, value, first)
  if (value === "") {
    if (reading.empty === NO_NAMES) reading.empty = new Set()
    reading.empty.add(name)
  } else if (first === undefined) reading.values.set(name, value)
}

function repeat(reading: Reading, name: string, value: string, first: string | undefined): void {
  if (reading.repeated === NO_NAMES) {
    reading.repeated = new Set()
    reading.valuesOfRepeated = new Map()
  }
  reading.repeated.add(name)
  const all = reading.valuesOfRepeated.get(name) ?? (first === undefined ? [] : [first])
  if (value !== "") all.push(value)
  reading.valuesOfRepeated.set(name, all)
}

/**
 * One name or value out of an encoded form; null where its escapes are broken or not UTF-8. Most hold none, and decoding
 * is what takes the time.
 */
export function decodeFormComponent(text: string): string | null {
  if (!ENCODED.test(text)) return null
  if (!ESCAPE.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return null
  }
}

/** Every non-empty value of `name`, in order. */
export function allValues(form: Form, name: string): readonly string[] {
  const repeated = form.valuesOfRepeated.get(name)
  if (repeated !== undefined) return repeated
  const value = form.values.get(name)
  return value === undefined ? [] : [value]
}

/**
 * The form again, where nothing that must stand alone occurs twice, known or not. RFC 6749 §3.1 and §3.2.
 * Refuses: parameterRepeated.
 */
export function refuseRepeated(form: Form): Result<Form, FormRefusal> {
  for (const name of form.repeated) {
    if (name !== MAY_REPEAT) return err({ reason: "parameterRepeated", parameter: nameForLog(name) })
  }
  return ok(form)
}

/**
 * The value of a parameter that must be there.
 * Refuses: parameterMissing.
 */
export function required(form: Form, name: string): Result<string, FormRefusal> {
  const value = form.values.get(name)
  return value === undefined ? err({ reason: "parameterMissing", parameter: name }) : ok(value)
}

/** A name that a client made up may hold anything, a secret too; what looks like a parameter's name is told. */
export function nameForLog(name: string): string {
  return /^[a-z_]{1,40}$/.test(name) ? name : "(unknown)"
}

function asItIs(text: string): string {
  return text
}
