/** Reads what every kind of sign-in provider may have. */
import type { Node } from "yaml"
import { isClientId } from "../../kernel/identifier.ts"
import type { ClientId, Permission } from "../../kernel/ids.ts"
import { isAdmin } from "../../model/permissions/permission.rules.ts"
import {
  type AccountRules,
  type Assertions,
  type ClaimRule,
  type GroupRule,
  PROVIDER_NAME,
} from "../../model/sign-in/provider.rules.ts"
import { GROUP_NAME_FORM, isGroupName } from "../../model/permissions/group.rules.ts"
import { didYouMean } from "../../kernel/suggest.ts"
import { parseEmailAddress } from "../../model/mail/email-address.rules.ts"
import type { Entry, YamlReader } from "./yaml-reader.ts"

const VALUES_AT_MOST = 500
const VALUE_LENGTH_AT_MOST = 200

/** Opens an entry. Returns null without a good name. `problem` reports a problem of a member, and returns no provider. */
export function membersOf(reader: YamlReader, item: Node, known: readonly string[]) {
  const entries = reader.entries(item, known, "sign_in_providers")
  const line = entries.get("name")?.line ?? reader.lineOf(item) ?? 1
  const name = reader.text(entries.get("name"), "sign_in_providers: name") ?? ""
  const what = `sign_in_providers: ${name}`
  const problem = (at: string, text: string) => {
    reader.say(entries.get(at)?.line ?? line, `${what}: ${text}`)
    return []
  }
  if (!PROVIDER_NAME.test(name)) {
    problem("name", "name: expected lower-case letters, digits and hyphens, at most 32")
    return null
  }
  const text = (member: string) => reader.text(entries.get(member), `${what}: ${member}`)
  return { entries, line, name, what, problem, text }
}

export function domains(reader: YamlReader, entry: Entry | undefined, what: string): readonly string[] {
  const listed = reader.textsWithLines(entry, what)
  for (const { text, line } of listed)
    if (!parseEmailAddress(`a@${text}`).ok)
      reader.say(line, `${what}: ${JSON.stringify(text)}: expected a domain such as example.org`)
  return listed.map(({ text }) => text.toLowerCase())
}

export function createAccounts(
  reader: YamlReader,
  entry: Entry | undefined,
  what: string,
): AccountRules | null {
  if (entry === undefined) return null
  const entries = reader.entries(entry.value, ["domains", "claim"], what, entry.line)
  return {
    domains: domains(reader, entries.get("domains"), `${what}: domains`),
    claim: claimRule(reader, entries.get("claim"), `${what}: claim`, "name"),
  }
}

export function claimRule(
  reader: YamlReader,
  entry: Entry | undefined,
  what: string,
  member: "claim" | "name",
): ClaimRule | null {
  if (entry === undefined) return null
  const keys = [member, "value"]
  const entries = reader.entries(entry.value, keys, what, entry.line)
  const name = reader.text(entries.get(member), `${what}: ${member}`)
  const value = reader.text(entries.get("value"), `${what}: value`)
  if (name !== undefined && value !== undefined) return { name, value }
  reader.say(entry.line, `${what}: expected ${keys.join(" and ")}`)
  return null
}

export function groupRule(reader: YamlReader, entry: Entry | undefined, what: string): GroupRule | null {
  if (entry === undefined) return null
  const entries = reader.entries(entry.value, ["claim", "map"], what, entry.line)
  const name = reader.text(entries.get("claim"), `${what}: claim`)
  const given = entries.get("map")
  const groups = given && reader.entries(given.value, null, `${what}: map`, given.line)
  if (name === undefined || groups === undefined || groups.size === 0 || groups.size > VALUES_AT_MOST) {
    reader.say(entry.line, `${what}: expected claim and map, with 1 to ${VALUES_AT_MOST} values`)
    return null
  }
  const map = new Map<string, string>()
  for (const [value, one] of groups) {
    const group = reader.text(one, `${what}: map: ${value}`) ?? ""
    if (!isGroupName(group))
      reader.say(one.line, `${what}: map: ${value}: a group’s name has ${GROUP_NAME_FORM}`)
    if (value === "" || value.length > VALUE_LENGTH_AT_MOST)
      reader.say(one.line, `${what}: map: expected values of 1 to ${VALUE_LENGTH_AT_MOST} characters`)
    map.set(value, group)
  }
  return { name, map }
}

/** What the provider's word may give, and to which apps. ORG-1. */
export function assertions(
  reader: YamlReader,
  entry: Entry | undefined,
  what: string,
  known: readonly string[],
): { readonly assertions?: Assertions } {
  if (entry === undefined) return {}
  const before = reader.problems.length
  const entries = reader.entries(entry.value, ["clients", "permissions"], what, entry.line)
  const clients = reader.textsWithLines(entries.get("clients"), `${what}: clients`)
  const permissions = reader.textsWithLines(entries.get("permissions"), `${what}: permissions`)
  if ((clients.length === 0 || permissions.length === 0) && reader.problems.length === before)
    reader.say(entry.line, `${what}: expected clients and permissions, each with at least one`)
  for (const { text, line } of clients)
    if (!isClientId(text) || text.includes("*"))
      reader.say(line, `${what}: ${text}: expected a client_id, which may be an https URL, not a pattern`)
  for (const { text, line } of permissions)
    if (isAdmin(text)) reader.say(line, `${what}: ${text} needs the consent of its holder`)
    else if (!known.includes(text))
      reader.say(line, `${what}: ${text} is no permission.${didYouMean(text, known)}`)
  const [ids, names] = [clients, permissions].map((list) => list.map(({ text }) => text))
  return { assertions: { clients: ids as ClientId[], permissions: names as Permission[] } }
}
