/**
 * Reads `sign_in_providers` of the configuration file.
 *
 * sign_in_providers:
 *   - { name: work, issuer: https://id.example.org/realms/staff, client_id: latchkey, client_secret_file: work.secret }
 */
import { isMap, type Node } from "yaml"
import { parseHttpsUrl } from "../../kernel/https-url.ts"
import {
  entraIssuer,
  type IssuerPlace,
  issuerPlace,
  type Preset,
  presetOf,
  presets,
  type OpenIdProvider,
  usualIssuer,
  usualLabel,
  usualScopes,
} from "../../model/sign-in/provider.rules.ts"
import { type ApplicationEntry, readApplication } from "./application-entry.ts"
import { problemOfScopes, problemOfSecrets, problemOfTrust } from "./provider-problems.ts"
import {
  assertions,
  claimRule,
  createAccounts,
  domains,
  groupRule,
  membersOf,
} from "./provider-rule-entries.ts"
import type { Entry, FileName, YamlReader } from "./yaml-reader.ts"

const KEYS = (
  "name preset issuer tenant client_id client_secret_file client_key_file key_id team_id scopes label " +
  "icon username_claim allowed_ranges create_accounts authoritative_domains second_factor administrators groups assertions"
).split(" ")
const PROVIDERS_AT_MOST = 20

export type FileEntry = FileName & { readonly member: string }

export type OpenIdEntry = {
  readonly kind: "openid"
  readonly provider: Omit<OpenIdProvider, "secret" | "icon">
  readonly line: number
  readonly secretFile: FileEntry | null
  readonly keyFile: FileEntry | null
  readonly keyId: string | null
  readonly teamId: string | null
  readonly iconFile: FileEntry | null
}

/** A provider whose files have not been read yet. */
export type ProviderEntry = OpenIdEntry | ApplicationEntry

/** `permissions` are the names that an entry may give. */
export function readProviders(
  reader: YamlReader,
  node: Node | null | undefined,
  permissions: readonly string[],
): readonly ProviderEntry[] {
  const items = reader.items(node, "sign_in_providers", "a list of providers")
  const entries = items.flatMap((item): readonly ProviderEntry[] =>
    isMap(item) && item.get("preset") === "application"
      ? readApplication(reader, item)
      : readProvider(reader, item, permissions),
  )
  const names = new Set<string>()
  for (const { provider, line } of entries) {
    if (names.has(provider.name))
      reader.say(line, `sign_in_providers: there are two providers named ${provider.name}`)
    names.add(provider.name)
  }
  const [, second] = entries.filter((entry) => entry.kind === "application" && entry.provider.only)
  if (second !== undefined)
    reader.say(
      second.line,
      `sign_in_providers: ${second.provider.name}: only one provider can be the only one`,
    )
  if (entries.length > PROVIDERS_AT_MOST)
    reader.say(1, `sign_in_providers: expected at most ${PROVIDERS_AT_MOST}`)
  return entries
}

function readProvider(
  reader: YamlReader,
  item: Node,
  permissions: readonly string[],
): readonly OpenIdEntry[] {
  const members = membersOf(reader, item, KEYS)
  if (members === null) return []
  const { entries, line, name, what, problem, text } = members
  const file = (member: string): FileEntry | null => {
    const path = text(member)
    return path === undefined ? null : { path, line: entries.get(member)?.line ?? line, member }
  }
  const presetText = text("preset")
  const preset = presets.find((one) => one === presetText) ?? null
  if (presetText !== undefined && preset === null)
    return problem("preset", `preset: expected ${presets.join(", ")}, application, or none`)
  const place = placeOf(preset, text("issuer"), text("tenant"))
  if ("problem" in place) return problem(place.at, place.problem)
  const clientId = text("client_id")
  if (clientId === undefined) return problem("client_id", "expected a client_id")
  const given = entries.get("scopes")
  const scopes = given === undefined ? usualScopes(preset) : reader.texts(given, `${what}: scopes`)
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
    ...readTrust(reader, entries, what, permissions),
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
  return [{ kind: "openid", provider, line, ...secrets, iconFile: file("icon") }]
}

/** Reads for what the service trusts the provider. */
function readTrust(
  reader: YamlReader,
  entries: ReadonlyMap<string, Entry>,
  what: string,
  permissions: readonly string[],
) {
  const trusted = entries.get("authoritative_domains")
  return {
    allowedRanges: reader.ranges(entries.get("allowed_ranges")?.value, `${what}: allowed_ranges`),
    createAccounts: createAccounts(reader, entries.get("create_accounts"), `${what}: create_accounts`),
    authoritativeDomains: domains(reader, trusted, `${what}: authoritative_domains`),
    secondFactor: secondFactor(reader, entries.get("second_factor"), `${what}: second_factor`),
    administrators: claimRule(reader, entries.get("administrators"), `${what}: administrators`, "claim"),
    groups: groupRule(reader, entries.get("groups"), `${what}: groups`),
    ...assertions(reader, entries.get("assertions"), `${what}: assertions`, permissions),
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

function secondFactor(
  reader: YamlReader,
  entry: Entry | undefined,
  what: string,
): OpenIdProvider["secondFactor"] {
  if (entry === undefined) return { acr: [], amr: [] }
  const entries = reader.entries(entry.value, ["acr", "amr"], what, entry.line)
  return {
    acr: reader.texts(entries.get("acr"), `${what}: acr`),
    amr: reader.texts(entries.get("amr"), `${what}: amr`),
  }
}
