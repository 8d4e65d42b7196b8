/**
 * Reads an application in `sign_in_providers` of the configuration file. Interface LOGIN-1.
 *
 * - { name: shop, preset: application, url: https://shop.example/oauth-login, key_file: shop.pem, label: Shop }
 */
import type { Node } from "yaml"
import { parseHttpsUrl, URL_BYTES_AT_MOST } from "../../kernel/https-url.ts"
import { APPLICATION_SESSION_MINUTES } from "../../kernel/account-limits.ts"
import {
  type ApplicationKeys,
  type ApplicationProvider,
  NO_TRUST,
} from "../../model/sign-in/provider.rules.ts"
import { isLoopback } from "./base-url.ts"
import type { FileEntry } from "./provider-entries.ts"
import { problemOfTrust } from "./provider-problems.ts"
import { createAccounts, groupRule, membersOf } from "./provider-rule-entries.ts"
import type { Entry, YamlReader } from "./yaml-reader.ts"

const KEYS = (
  "name preset url key_file jwks_uri secret_file label only session_minutes create_accounts username_claim groups " +
  "manager"
).split(" ")

/** An application whose file has not been read yet. */
export type ApplicationEntry = {
  readonly kind: "application"
  readonly provider: Omit<ApplicationProvider, "keys">
  readonly line: number
  readonly keys:
    { readonly kind: "file" | "secret"; readonly file: FileEntry } | Extract<ApplicationKeys, { kind: "url" }>
}

export function readApplication(reader: YamlReader, item: Node): readonly ApplicationEntry[] {
  const members = membersOf(reader, item, KEYS)
  if (members === null) return []
  const { entries, line, name, what, problem, text } = members
  const url = text("url") ?? ""
  if (!isPageUrl(url))
    return problem(
      "url",
      "url: expected an https URL without a fragment; http is for localhost and 127.0.0.1",
    )
  const keys = readKeys(entries, text)
  if ("problem" in keys) return problem(keys.at, keys.problem)
  const provider = {
    name,
    preset: "application" as const,
    issuer: name,
    url,
    label: text("label") ?? name,
    usernameClaim: text("username_claim") ?? null,
    createAccounts: createAccounts(reader, entries.get("create_accounts"), `${what}: create_accounts`) ?? {
      domains: [],
      claim: null,
    },
    groups: groupRule(reader, entries.get("groups"), `${what}: groups`),
    only: reader.truth(entries.get("only"), `${what}: only`),
    sessionSeconds:
      60 *
      reader.number(entries.get("session_minutes"), `${what}: session_minutes`, APPLICATION_SESSION_MINUTES),
    manager: text("manager") ?? null,
    ...NO_TRUST,
  }
  const trust = problemOfTrust(provider)
  if (trust !== null) return problem(trust.at, `${trust.at}: ${trust.problem}`)
  return [{ kind: "application", provider, line, keys }]
}

/** Whether a browser may be sent there. It is where the person signs in. */
function isPageUrl(text: string): boolean {
  if (text.length > URL_BYTES_AT_MOST || !/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return false
  const url = new URL(text)
  const isSecure = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))
  return isSecure && url.username === "" && url.password === "" && !/[#\\]/.test(text)
}

type Misplaced = { readonly at: string; readonly problem: string }

function readKeys(
  entries: ReadonlyMap<string, Entry>,
  text: (member: string) => string | undefined,
): ApplicationEntry["keys"] | Misplaced {
  const [member, more] = ["key_file", "jwks_uri", "secret_file"].filter((one) => entries.has(one))
  if (member === undefined || more !== undefined)
    return { at: more ?? "name", problem: "expected one of key_file, jwks_uri and secret_file" }
  const value = text(member) ?? ""
  if (member === "jwks_uri") {
    const url = parseHttpsUrl(value)
    return url.ok
      ? { kind: "url", jwksUri: value, allowedRanges: null }
      : { at: member, problem: `jwks_uri: ${url.error}` }
  }
  const file = { path: value, line: entries.get(member)?.line ?? 1, member }
  return { kind: member === "key_file" ? "file" : "secret", file }
}
