/**
 * Parses `smtp_url`. `smtps://` uses TLS from the start. `smtp://` must switch to TLS (STARTTLS), except on loopback, or
 * if the URL ends in `?tls=off`. MAIL-1.
 */
import { type Problem, type Result, err, ok } from "../../../kernel/result.ts"

export type SmtpServer = {
  readonly host: string
  readonly port: number
  readonly tls: "from-the-start" | "required" | "if-offered" | "off"
  readonly login: { readonly user: string; readonly password: string } | null
}

/** The parts of the URL. User and password end at the last "@". */
const SMTP_URL =
  /^(smtps?):\/\/(?:([^/?#]*)@)?([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?\/?(?:\?tls=(off))?$/i

const EXPECTED =
  "expected smtp://USER:PASSWORD@HOST:PORT or smtps://HOST, with user and password percent-encoded"

/** The problem never repeats the URL, because the URL contains a password. */
export function parseSmtpUrl(text: string): Result<SmtpServer, Problem> {
  const [matched, scheme = "", userInfo, host = "", port, off] = SMTP_URL.exec(text) ?? []
  const isSecure = scheme.toLowerCase() === "smtps"
  if (matched === undefined || /[^\x21-\x7e]/.test(text)) return err(EXPECTED)
  if (isSecure && off !== undefined) return err("tls=off contradicts smtps://")
  const number = port === undefined ? (isSecure ? 465 : 587) : Number(port)
  if (number < 1 || number > 65_535) return err("the port is a number from 1 to 65535")
  const login = userInfo === undefined ? ok(null) : loginOf(userInfo)
  if (!login.ok) return login
  const name = host.toLowerCase().replace(/^\[|\]$/g, "")
  if (off !== undefined && login.value !== null && !isLoopback(name))
    return err("tls=off would send the password in the clear: leave out user and password, or tls=off")
  return ok({ host: name, port: number, tls: tlsOf(name, isSecure, off !== undefined), login: login.value })
}

function tlsOf(host: string, isSecure: boolean, isOff: boolean): SmtpServer["tls"] {
  if (isSecure) return "from-the-start"
  if (isOff) return "off"
  return isLoopback(host) ? "if-offered" : "required"
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.[0-9]{1,3}){3}$/.test(host)
}

function loginOf(userInfo: string): Result<SmtpServer["login"], Problem> {
  const colon = userInfo.indexOf(":")
  if (colon < 1) return err(EXPECTED)
  try {
    const [user, password] = [userInfo.slice(0, colon), userInfo.slice(colon + 1)].map(decodeURIComponent)
    return ok({ user: user ?? "", password: password ?? "" })
  } catch {
    return err(EXPECTED)
  }
}
