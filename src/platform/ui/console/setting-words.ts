/** The titles of settings, and their values as text. */
import { settings } from "../../../model/setting.rules.ts"
import { DAY, HOUR, MINUTE } from "../../../kernel/time.ts"
import { counted } from "./words.ts"

type Words = {
  readonly title: string
  /** Formats a value with its unit. */
  readonly format: (value: string) => string
  /** The possible values, if the setting has only a few. */
  readonly choices?: readonly {
    readonly value: string
    readonly title: string
    readonly explanation: string
  }[]
}

const words: { readonly [K in keyof typeof settings]: Words } = {
  anonymousBudget: { title: "Rate limit per IP address", format: budgetInWords },
  accessSeconds: { title: "Access token lifetime", format: secondsInWords },
  openRegistration: {
    title: "Open registration",
    format: (value) => (value === "on" ? "On" : "Off"),
    choices: [
      {
        value: "off",
        title: "Off",
        explanation: "Only administrators and account holders can register apps.",
      },
      {
        value: "on",
        title: "On",
        explanation: "Any app can register itself over the network. It stays unverified.",
      },
    ],
  },
  openid: {
    title: "OpenID Connect",
    format: (value) => (value === "on" ? "On" : "Off"),
    choices: [
      { value: "off", title: "Off", explanation: "Apps use plain OAuth." },
      { value: "on", title: "On", explanation: "Apps may also sign people in with id_tokens." },
    ],
  },
  openPermissions: {
    title: "Permissions for self-registered apps",
    format: (value) => (value === "*" ? "All except administration" : value),
  },
  openSchemes: {
    title: "Redirect URI schemes without a period",
    format: (value) => (value === "" ? "None" : value),
  },
  documents: {
    title: "Clients by document",
    format: (value) => (value === "on" ? "On" : "Off"),
    choices: [
      { value: "off", title: "Off", explanation: "A client_id is always an id of this service." },
      {
        value: "on",
        title: "On",
        explanation: "A client_id may be the URL of a document. The service fetches it from that host.",
      },
    ],
  },
  documentDomains: {
    title: "Hosts of documents",
    format: (value) => (value === "*" ? "Every host" : value === "" ? "None" : value),
  },
  deniedDocumentDomains: {
    title: "Refused hosts of documents",
    format: (value) => (value === "" ? "None" : value),
  },
  stepUpSeconds: { title: "Step-up duration", format: secondsInWords },
  eventsKeptDays: { title: "Event retention", format: (value) => counted(Number(value), "day") },
  defaultLanguage: { title: "Default language", format: (value) => value },
}

const byKey: ReadonlyMap<string, Words> = new Map(
  (Object.keys(words) as (keyof typeof settings)[]).map((name) => [settings[name].key, words[name]]),
)

/** Returns the texts of a setting. If the key is unknown, the title is the key. */
export function settingInWords(key: string): Words {
  return byKey.get(key) ?? { title: key, format: (value) => value }
}

/** Formats `600/60` as `600 requests in 60 seconds`. */
function budgetInWords(value: string): string {
  const [requests, seconds] = value.split("/").map(Number)
  if (requests === undefined || seconds === undefined) return "No limit"
  return `${counted(requests, "request")} in ${counted(seconds, "second")}`
}

/** Formats `5400` as `5,400 seconds (90 minutes)`. */
function secondsInWords(value: string): string {
  const seconds = Number(value)
  const unit = units.find(([length]) => seconds >= length && seconds % length === 0)
  const format = counted(seconds, "second")
  return unit === undefined ? format : `${format} (${counted(seconds / unit[0], unit[1])})`
}

const units = [
  [DAY, "day"],
  [HOUR, "hour"],
  [MINUTE, "minute"],
] as const
