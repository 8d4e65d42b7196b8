/** The base URL of the service for `login` and `elevate`. */
import { isLoopback } from "../../platform/config/base-url.ts"
import { type Answer, usageError } from "../../platform/cli/command.ts"

const { LATCHKEY_BASE_URL: baseUrl, LATCHKEY_PORT: port = "8787" } = process.env

/** The flag for the issuer. Its default is the base URL of `serve` in the same environment. */
export const issuerFlag = {
  value: "URL",
  default: baseUrl ?? `http://localhost:${port}`,
  summary: "base URL of the service",
} as const

/** Parses the issuer. Returns an error message if the text is not a valid issuer. */
export function issuerOf(text: string): URL | Answer {
  const issuer = URL.canParse(text) ? new URL(text) : null
  const source = baseUrl !== undefined && text === baseUrl ? "LATCHKEY_BASE_URL" : "--issuer"
  if (issuer === null || !/^https?:$/.test(issuer.protocol))
    return usageError(`${source} is an address such as https://id.example.org, not "${text}".`)
  if (issuer.protocol === "http:" && !isLoopback(issuer))
    return usageError(`${source} must begin with https:// unless it is on this machine.`)
  return issuer
}

/** Whether the local database belongs to the service at `issuer`. */
export function isLocalIssuer(issuer: URL): boolean {
  return URL.canParse(issuerFlag.default) && issuer.href === new URL(issuerFlag.default).href
}
