/**
 * A strict parser of application/x-www-form-urlencoded for bodies and queries. RFC 6749 §3.1, §3.2 and appendix B.
 *
 * A parameter without a value counts as omitted. A name that occurs twice counts as repeated even if one value is
 * empty. Otherwise two parsers could read different values.
 */
import { FORM_PARAMETERS_AT_MOST } from "./limits.ts"
import { type Result, err, ok } from "./result.ts"

export type FormRefusal =
  | { readonly reason: "parameterMissing"; readonly parameter: string }
  | { readonly reason: "parameterRepeated"; readonly parameter: string }

export type Form = {
  /** The first value of each name that is not empty. */
  readonly values: ReadonlyMap<string, string>
  readonly repeated: ReadonlySet<string>
  /** All values of each repeated name that are not empty. `allValues` reads them. */
  readonly valuesOfRepeated: ReadonlyMap<string, readonly string[]>
}

/** Only this parameter may be given more than once. RFC 8707 §2. */
const MAY_REPEAT = "resource"

/** An encoded form holds only visible ASCII characters. */
const ENCODED = /^[\x21-\x7e]*$/
const ESCAPE = /[%+]/

/** Returns null for characters outside visible ASCII, a broken escape, invalid UTF-8, or over a hundred parameters. */
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

/** A query string that may contain malformed parameters. Its well-formed parameters can still be read. */
export type Query = {
  readonly form: Form
  /** The raw values of malformed parameters, by name. Their name or value is not valid percent-encoded UTF-8. */
  readonly malformed: ReadonlyMap<string, string>
}

/** The maximum number of parameters that are read. No URL has room for more. The rest of a longer body is ignored. */
const PARAMETERS_READ_AT_MOST = 10_000
/** After this many malformed parameters the rest is ignored: each costs an exception, and thousands would block others. */
const MALFORMED_AT_MOST = 100

/**
 * Parses each parameter separately. The authorization endpoint can then identify the app of a malformed request and
 * redirect the error to the app. The token endpoint can detect a replayed code in a malformed request. A malformed
 * parameter counts as an occurrence of its name.
 */
export function parseQuery(text: string): Query {
  const form = begun()
  const malformed = new Map<string, string>()
  let wrong = 0
  for (const pair of text.split("&", PARAMETERS_READ_AT_MOST)) {
    if (pair === "") continue
    const equals = pair.indexOf("=")
    const name = decodeFormComponent(equals < 0 ? pair : pair.slice(0, equals))
    const raw = equals < 0 ? "" : pair.slice(equals + 1)
    const value = decodeFormComponent(raw)
    if (name !== null) add(form, name, value ?? "")
    if (name !== null && value !== null) continue
    malformed.set(name ?? "", raw)
    if (++wrong === MALFORMED_AT_MOST) break
  }
  return { form, malformed }
}

/** Where a form is malformed. */
export type FormFlaw = {
  readonly parameter: string
  /** The place of the first wrong character, from 1. Invalid UTF-8 counts as the place where its parameter begins. */
  readonly place: number
  /** Whether that character is a space. */
  readonly isSpace: boolean
}

/** What no encoded form contains: a character outside visible ASCII, or a broken escape. */
const WRONG = /[^\x21-\x7e]|%(?![0-9A-Fa-f]{2})/

/** Returns the first malformed parameter of a form. Returns null if each is well-formed. */
export function formFlaw(text: string): FormFlaw | null {
  let at = 0
  for (const pair of text.split("&", PARAMETERS_READ_AT_MOST)) {
    const equals = pair.indexOf("=")
    const name = decodeFormComponent(equals < 0 ? pair : pair.slice(0, equals))
    const value = equals < 0 ? "" : decodeFormComponent(pair.slice(equals + 1))
    if (name === null || value === null) {
      const wrong = Math.max(pair.search(WRONG), 0)
      return { parameter: nameForLog(name ?? ""), place: at + wrong + 1, isSpace: pair[wrong] === " " }
    }
    at += pair.length + 1
  }
  return null
}

/** Builds a form from decoded pairs. Returns null for more than a hundred pairs. */
export function formOfPairs(pairs: readonly (readonly [name: string, value: string])[]): Form | null {
  if (pairs.length > FORM_PARAMETERS_AT_MOST) return null
  const reading = begun()
  for (const [name, value] of pairs) add(reading, name, value)
  return reading
}

/** Few forms repeat a name or have an empty value, so three of the collections are created on first use. */
type Reading = {
  readonly values: Map<string, string>
  repeated: Set<string>
  valuesOfRepeated: Map<string, string[]>
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

/** Returns null for characters outside visible ASCII, broken escapes or invalid UTF-8. */
export function decodeFormComponent(text: string): string | null {
  if (!ENCODED.test(text)) return null
  if (!ESCAPE.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return null
  }
}

/** Returns all values of `name` that are not empty, in order. */
export function allValues(form: Form, name: string): readonly string[] {
  const repeated = form.valuesOfRepeated.get(name)
  if (repeated !== undefined) return repeated
  const value = form.values.get(name)
  return value === undefined ? [] : [value]
}

/** Unknown parameters count too, but `resource` may be repeated. RFC 6749 §3.1, §3.2. Refuses: parameterRepeated. */
export function refuseRepeated(form: Form): Result<Form, FormRefusal> {
  for (const name of form.repeated) {
    if (name !== MAY_REPEAT) return err({ reason: "parameterRepeated", parameter: nameForLog(name) })
  }
  return ok(form)
}

/** Refuses: parameterMissing. */
export function required(form: Form, name: string): Result<string, FormRefusal> {
  const value = form.values.get(name)
  return value === undefined ? err({ reason: "parameterMissing", parameter: name }) : ok(value)
}

/** Returns a parameter name for the log. Unusual names are hidden, because a client may put a secret into a name. */
export function nameForLog(name: string): string {
  return /^[a-z_]{1,40}$/.test(name) ? name : "(unknown)"
}

function asItIs(text: string): string {
  return text
}
