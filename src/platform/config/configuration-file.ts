/**
 * Parses the configuration file, which is YAML and is read once at the start. Every problem names its line and the
 * expected value.
 *
 * trusted_proxies: [10.0.0.0/8]
 * outgoing: { allowed_ranges: [10.0.0.0/8], ca_file: internal-ca.pem }
 * mail: { smtp_url: smtps://mail.example, from: id@example.org, name: Example, ca_file: internal-ca.pem }
 * resource_servers: see resource-server-entries.ts
 * sign_in_providers: see provider-entries.ts
 * languages: languages
 * permissions: { files:read: { title: Read your files, implies: [worker:read], hub_administration: false } }
 */
import type { Node } from "yaml"
import { type Entry, type FileName, type FileProblem, isEmpty, parseYaml, YamlReader } from "./yaml-reader.ts"
import { type ProviderEntry, readProviders } from "./provider-entries.ts"
import { readResourceServers } from "./resource-server-entries.ts"
import { parseEmailAddress } from "../../model/mail/email-address.rules.ts"
import { parseSenderName } from "../outgoing/smtp/sender-name.rules.ts"
import { parseSmtpUrl, type SmtpServer } from "../outgoing/smtp/smtp-url.rules.ts"
import type { Problem, Result } from "../../kernel/result.ts"
import { builtInPermissions } from "../../model/permissions/built-in-permissions.rules.ts"
import { openidPermissions } from "../../model/permissions/openid-permissions.rules.ts"
import type { PermissionDefinition } from "../../model/permissions/permission-catalog.rules.ts"
import type { ResourceServer } from "../../model/known-resources.rules.ts"

/** A permission from the file. `line` is the line of its name. */
export type AddedPermission = {
  readonly name: string
  readonly line: number
  readonly definition: PermissionDefinition
}

/** Additional address ranges and certificate authorities for outgoing requests, for the operator's own hosts. */
export type OutgoingEntry = {
  readonly allowedRanges: readonly string[]
  readonly caFile: FileName | null
}

/** The sender of e-mail. `smtp_url` may come from the environment. */
export type MailEntry = {
  readonly line: number
  readonly server: SmtpServer | null
  readonly from: string
  readonly name: string | null
  readonly caFile: FileName | null
}

export type ConfigurationFile = {
  readonly trustedProxies: readonly string[]
  readonly outgoing: OutgoingEntry
  readonly mail: MailEntry | null
  /** The `resource` values (RFC 8707) that clients may name. Null without a list. */
  readonly resourceServers: ReadonlyMap<string, ResourceServer> | null
  readonly signInProviders: readonly ProviderEntry[]
  /** The directory with the operator's texts. */
  readonly languages: FileName | null
  readonly permissions: readonly AddedPermission[]
  readonly problems: readonly FileProblem[]
}

export const TOP_KEYS: readonly string[] = [
  "trusted_proxies",
  "outgoing",
  "mail",
  "resource_servers",
  "sign_in_providers",
  "languages",
  "permissions",
]
const OUTGOING_KEYS = ["allowed_ranges", "ca_file"]
const MAIL_KEYS = ["smtp_url", "from", "name", "ca_file"]
const PERMISSION_KEYS = ["title", "description", "implies", "hub_administration", "group", "for_groups"]

/** Parses the file. If it has problems, the result may be incomplete. */
export function readConfigurationFile(text: string): ConfigurationFile {
  const { root, lines, problems } = parseYaml(text)
  const file = new Reader(lines)
  const isUnread = problems.length > 0 || isEmpty(root)
  const top = isUnread ? new Map<string, Entry>() : file.entries(root, TOP_KEYS, "The file")
  const permissions = file.permissions(top.get("permissions")?.value)
  const names = [
    ...Object.keys({ ...builtInPermissions, ...openidPermissions }),
    ...permissions.map(({ name }) => name),
  ]
  const read = {
    trustedProxies: file.ranges(top.get("trusted_proxies")?.value, "trusted_proxies"),
    outgoing: file.outgoing(top.get("outgoing")?.value),
    mail: file.mail(top.get("mail")),
    resourceServers: readResourceServers(file, top.get("resource_servers")?.value),
    signInProviders: readProviders(file, top.get("sign_in_providers")?.value, names),
    languages: file.file(top.get("languages"), "languages"),
    permissions,
  }
  return { ...read, problems: [...problems, ...file.problems] }
}

class Reader extends YamlReader {
  outgoing(node: Node | null | undefined): OutgoingEntry {
    if (isEmpty(node)) return { allowedRanges: [], caFile: null }
    const entries = this.entries(node, OUTGOING_KEYS, "outgoing")
    return {
      allowedRanges: this.ranges(entries.get("allowed_ranges")?.value, "outgoing: allowed_ranges"),
      caFile: this.file(entries.get("ca_file"), "outgoing: ca_file"),
    }
  }

  mail(entry: Entry | undefined): MailEntry | null {
    if (entry === undefined || isEmpty(entry.value)) return null
    const { value, line } = entry
    const entries = this.entries(value, MAIL_KEYS, "mail", line)
    const from = this.#parsed(entries.get("from") ?? { value: null, line }, "mail: from", parseEmailAddress)
    return {
      line,
      server: this.#parsed(entries.get("smtp_url"), "mail: smtp_url", parseSmtpUrl),
      from: from?.address ?? "",
      name: this.#parsed(entries.get("name"), "mail: name", parseSenderName),
      caFile: this.file(entries.get("ca_file"), "mail: ca_file"),
    }
  }

  /** Returns null for a missing entry, and for an entry with a problem. */
  #parsed<T>(entry: Entry | undefined, what: string, parse: (text: string) => Result<T, Problem>): T | null {
    const text = this.text(entry, what)
    if (text === undefined || entry === undefined) return null
    const parsed = parse(text)
    if (parsed.ok) return parsed.value
    this.problems.push({ line: entry.line, problem: `${what}: ${parsed.error}` })
    return null
  }

  permissions(node: Node | null | undefined): readonly AddedPermission[] {
    if (isEmpty(node)) return []
    const entries = this.entries(node, null, "permissions")
    return [...entries].map(([name, entry]) => this.#permission(name, entry))
  }

  #permission(name: string, { value, line }: Entry): AddedPermission {
    const facts = this.entries(value, PERMISSION_KEYS, name, line)
    const title = facts.get("title")
    if (title === undefined) this.problems.push({ line, problem: `${name}: expected a title` })
    const definition = {
      title: this.localText(title, `${name}: title`) ?? "",
      description: this.localText(facts.get("description"), `${name}: description`),
      group: this.localText(facts.get("group"), `${name}: group`),
      implies: this.texts(facts.get("implies"), `${name}: implies`, "a list of permission names"),
      for_groups: this.texts(facts.get("for_groups"), `${name}: for_groups`, "a list of groups"),
      hub_administration: this.truth(facts.get("hub_administration"), `${name}: hub_administration`),
    }
    return { name, line, definition }
  }
}
