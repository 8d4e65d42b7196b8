/**
 * Reads `sign_in_providers` of the configuration file.
 *
 * sign_in_providers:
 *   - { name: work, issuer: https://id.example.org/realms/staff, client_id: latchkey, client_secret_file: work.secret }
 */
import type { Node } from "yaml"
import { parseHttpsUrl } from "../../kernel/https-url.ts"
import {
  type ClaimRule,
  entraIssuer,
  type GroupRule,
  type IssuerPlace,
  issuerPlace,
  type Preset,
  presetOf,
  presets,
  PROVIDER_NAME,
  type SignInProvider,
  usualIssuer,
  usualLabel,
  usualScopes,
} from "../../model/sign-in/provider.rules.ts"
import { GROUP_NAME_FORM, isGroupName } from "../../model/permissions/group.rules.ts"
import { parseEmailAddress } from "../../model/mail/email-address.rules.ts"
import { problemOfScopes, problemOfSecrets, problemOfTrust } from "./provider-problems.ts"
import type { Entry, YamlReader } from "./yaml-reader.ts"

const KEYS = [
  "name",
  "preset",
  "issuer",
  "tenant",
  "client_id",
  "client_secret_file",
  "client_key_file",
  "key_id",
  "team_id",
  "scopes",
  "label",
  "icon",
  "username_claim",
  "allowed_ranges",
  "create_accounts",
  "authoritative_domains",
  "second_factor",
  "administrators",
  "groups",
]
const CLAIM_KEYS = ["claim", "value"]
const PROVIDERS_AT_MOST = 20
const VALUES_AT_MOST = 500
const VALUE_LENGTH_AT_MOST = 200

export type FileEntry = { readonly path: string; readonly line: number; readonly member: string }

/** A provider whose files have not been read yet. */
export type ProviderEntry = {
  readonly provider: Omit<SignInProvider, "secret" | "icon">
  readonly line: number
  readonly secretFile: FileEntry | null
  readonly keyFile: FileEntry | null
  readonly keyId: string | null
  readonly teamId: string | null
  readonly iconFile: FileEntry | null
}

export function readProviders(reader: YamlReader, node: Node | null | undefined): readonly ProviderEntry[] {
  const items = reader.items(node, "sign_in_providers", "a list of providers")
  const entries = items.flatMap((item) => readProvider(reader, item))
  const names = new Set<string>()
  for (const { provider, line } of entries) {
    if (names.has(provider.name))
      reader.problems.push({
        line,
        problem: `sign_in_providers: there are two providers named ${provider.name}`,
      })
    names.add(provider.name)
  }
  if (entries.length > PROVIDERS_AT_MOST)
    reader.problems.push({ line: 1, problem: `sign_in_providers: expected at most ${PROVIDERS_AT_MOST}` })
  return entries
}

function readProvider(reader: YamlReader, item: Node): readonly ProviderEntry[] {
  const entries = reader.entries(item, KEYS, "sign_in_providers")
  const line = entries.get("name")?.line ?? reader.lineOf(item) ?? 1
  const name = reader.text(entries.get("name"), "sign_in_providers: name") ?? ""
  const problem = (at: string, text: string) => {
    reader.problems.push({
      line: entries.get(at)?.line ?? line,
      problem: `sign_in_providers: ${name}: ${text}`,
    })
    return []
  }
  if (!PROVIDER_NAME.test(name))
    return problem("name", "name: expected lower-case letters, digits and hyphens, at most 32")
  const text = (member: string) => reader.text(entries.get(member), `sign_in_providers: ${name}: ${member}`)
  const texts = (member: string) => reader.texts(entries.get(member), `sign_in_providers: ${name}: ${member}`)
  const file = (member: string): FileEntry | null => {
    const path = text(member)
    return path === undefined ? null : { path, line: entries.get(member)?.line ?? line, member }
  }
  const presetText = text("preset")
  const preset = presets.find((one) => one === presetText) ?? null
  if (presetText !== undefined && preset === null)
    return problem("preset", `preset: expected ${presets.join(", ")}, or none`)
  const place = placeOf(preset, text("issuer"), text("tenant"))
  if ("problem" in place) return problem(place.at, place.problem)
  const clientId = text("client_id")
  if (clientId === undefined) return problem("client_id", "expected a client_id")
  const scopes = entries.has("scopes") ? texts("scopes") : usualScopes(preset)
  const scopeProblem = problemOfScopes(preset, scopes)
  if (scopeProblem !== null) return problem("scopes", scopeProblem)
  const provider = {
    name,
    // Its way to verify an address holds, whether or not the file names the preset.
    preset: preset ?? presetOf(place.issuer),
    ...place,
    clientId,
    scopes,
    label: text("label") ?? usualLabel(preset, name),
    usernameClaim: text("username_claim") ?? null,
    ...readTrust(reader, entries, name),
  }
  const trustProblem = problemOfTrust(provider)
  if (trustProblem !== null) return problem(trustProblem.at, `${trustProblem.at}: ${trustProblem.problem}`)
  const secrets = {
    secretFile: file("client_secret_file"),
    keyFile: file("client_key_file"),
    keyId: text("key_id") ?? null,
    teamId: text("team_id") ?? null,
  }
  const secretProblem = problemOfSecrets(preset, secrets)
  if (secretProblem !== null) return problem("client_id", secretProblem)
  return [{ provider, line, ...secrets, iconFile: file("icon") }]
}

/** Reads for what the service trusts the provider. */
function readTrust(reader: YamlReader, entries: ReadonlyMap<string, Entry>, name: string) {
  const what = `sign_in_providers: ${name}`
  return {
    allowedRanges: reader.ranges(entries.get("allowed_ranges")?.value, `${what}: allowed_ranges`),
    createAccounts: createAccounts(reader, entries.get("create_accounts"), name),
    authoritativeDomains: domains(
      reader,
      entries.get("authoritative_domains"),
      `${what}: authoritative_domains`,
    ),
    secondFactor: secondFactor(reader, entries.get("second_factor"), name),
    administrators: claimRule(reader, entries.get("administrators"), `${name}: administrators`, "claim"),
    groups: groupRule(reader, entries.get("groups"), `${what}: groups`),
  }
}

type Misplaced = { readonly at: "issuer" | "tenant" | "name"; readonly problem: string }

function placeOf(
  preset: Preset | null,
  given: string | undefined,
  tenant: string | undefined,
): IssuerPlace | Misplaced {
  const issuer = given ?? usualIssuer(preset)
  if (issuer === null) return { at: "name", problem: "expected an issuer" }
  if (preset === "entra") {
    const cloud = parseHttpsUrl(`${issuer.replace(/\/$/, "")}/`)
    if (!cloud.ok) return { at: "issuer", problem: `issuer: ${cloud.error}` }
    const { origin, path } = cloud.value
    if (path !== "/")
      return { at: "issuer", problem: `issuer: expected ${origin} alone. tenant names the tenant` }
    const place = entraIssuer(origin, tenant ?? "")
    const expected = "tenant: expected the id of a tenant in lower case, organizations, common or consumers"
    return place ?? { at: "tenant", problem: expected }
  }
  if (tenant !== undefined) return { at: "tenant", problem: "tenant: only the preset entra has one" }
  const place = issuerPlace(preset, preset === "github" ? issuer.replace(/\/$/, "") : issuer)
  const url = parseHttpsUrl(place.metadataUrl ?? `${issuer}/`)
  return url.ok ? place : { at: "issuer", problem: `issuer: ${url.error}` }
}

function domains(reader: YamlReader, entry: Entry | undefined, what: string): readonly string[] {
  const listed = reader.texts(entry, what)
  for (const domain of listed)
    if (!parseEmailAddress(`a@${domain}`).ok)
      reader.problems.push({
        line: entry?.line ?? 1,
        problem: `${what}: ${JSON.stringify(domain)}: expected a domain such as example.org`,
      })
  return listed.map((domain) => domain.toLowerCase())
}

function createAccounts(
  reader: YamlReader,
  entry: Entry | undefined,
  name: string,
): SignInProvider["createAccounts"] {
  if (entry === undefined) return null
  const what = `sign_in_providers: ${name}: create_accounts`
  const entries = reader.entries(entry.value, ["domains", "claim"], what, entry.line)
  return {
    domains: domains(reader, entries.get("domains"), `${what}: domains`),
    claim: claimRule(reader, entries.get("claim"), `${name}: create_accounts: claim`, "name"),
  }
}

function secondFactor(
  reader: YamlReader,
  entry: Entry | undefined,
  name: string,
): SignInProvider["secondFactor"] {
  if (entry === undefined) return { acr: [], amr: [] }
  const what = `sign_in_providers: ${name}: second_factor`
  const entries = reader.entries(entry.value, ["acr", "amr"], what, entry.line)
  return {
    acr: reader.texts(entries.get("acr"), `${what}: acr`),
    amr: reader.texts(entries.get("amr"), `${what}: amr`),
  }
}

function claimRule(
  reader: YamlReader,
  entry: Entry | undefined,
  where: string,
  member: "claim" | "name",
): ClaimRule | null {
  if (entry === undefined) return null
  const what = `sign_in_providers: ${where}`
  const keys = member === "claim" ? CLAIM_KEYS : ["name", "value"]
  const entries = reader.entries(entry.value, keys, what, entry.line)
  const name = reader.text(entries.get(member), `${what}: ${member}`)
  const value = reader.text(entries.get("value"), `${what}: value`)
  if (name !== undefined && value !== undefined) return { name, value }
  reader.problems.push({ line: entry.line, problem: `${what}: expected ${keys.join(" and ")}` })
  return null
}

function groupRule(reader: YamlReader, entry: Entry | undefined, what: string): GroupRule | null {
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
