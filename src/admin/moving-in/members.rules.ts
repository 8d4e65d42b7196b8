/** Reads the members of a JSON object. A member of another type counts as missing. */
import { type Json, type JsonObject, parseJson } from "../../kernel/json.ts"

export function textIn(object: JsonObject, name: string): string {
  const value = object.get(name)
  return typeof value === "string" ? value : ""
}

export function numberIn(object: JsonObject, name: string): number | null {
  const value = object.get(name)
  return typeof value === "number" && Number.isFinite(value) ? value : null
}

export function objectIn(object: JsonObject, name: string): JsonObject {
  return objectOf(object.get(name))
}

export function objectsIn(object: JsonObject, name: string): readonly JsonObject[] {
  return listIn(object, name).filter((one): one is JsonObject => one instanceof Map)
}

export function textsIn(object: JsonObject, name: string): readonly string[] {
  return listIn(object, name).filter((one) => typeof one === "string")
}

/** Reads texts from a list, from a list that is written as JSON text, or from a text with a separator. */
export function separatedTextsIn(object: JsonObject, name: string, separator: string): readonly string[] {
  const text = textIn(object, name)
  const written = text.startsWith("[") ? parseJson(text) : undefined
  if (Array.isArray(written)) return (written as readonly Json[]).filter((one) => typeof one === "string")
  const parts = text === "" ? textsIn(object, name) : text.split(separator)
  return parts.map((part) => part.trim()).filter((part) => part !== "")
}

/** Whether a column is true. Some databases store 1. */
export function isTrueIn(object: JsonObject, name: string): boolean {
  return object.get(name) === true || object.get(name) === 1
}

/** Reads an object that is written as text. */
export function embeddedIn(object: JsonObject, name: string): JsonObject {
  return objectOf(parseJson(textIn(object, name)))
}

/** Returns a time in seconds, from a date as text or from a number of milliseconds. */
export function timeIn(object: JsonObject, name: string): number | null {
  const milliseconds = numberIn(object, name)
  if (milliseconds === null) return secondsOf(textIn(object, name))
  return milliseconds >= 0 ? Math.floor(milliseconds / 1000) : null
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|[+-]00:?00)?$/

/** Returns the seconds of a date in UTC, or null for any other text. */
function secondsOf(text: string): number | null {
  const [year, month, day, hours, minutes, seconds] = (DATE.exec(text) ?? []).slice(1).map(Number)
  if (year === undefined || month === undefined || day === undefined || year < 1970) return null
  // A year begins in March here, so that the leap day is its last day.
  const [from, since] = month > 2 ? [year, month - 3] : [year - 1, month + 9]
  const leapDays = Math.floor(from / 4) - Math.floor(from / 100) + Math.floor(from / 400)
  const days = 365 * from + leapDays + Math.floor((153 * since + 2) / 5) + day - 719_469
  return days * 86_400 + (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)
}

function listIn(object: JsonObject, name: string): readonly Json[] {
  const value = object.get(name)
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

function objectOf(value: Json | undefined): JsonObject {
  return value instanceof Map ? (value as JsonObject) : new Map()
}
