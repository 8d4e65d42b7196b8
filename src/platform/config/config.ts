/** What is not in the database: data directory, database URL, proxies, outgoing requests and permissions. */
import { X509Certificate } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { type Catalog, loadCatalog } from "../../model/permissions/permission-catalog.rules.ts"
import type { ResourceServer } from "../../model/known-resources.rules.ts"
import type { OutgoingConfig } from "../outgoing/guarded-fetch.ts"
import type { AddedPermission, MailEntry, OutgoingEntry } from "./configuration-file.ts"
import type { ProviderEntry } from "./provider-entries.ts"
import type { FileName } from "./yaml-reader.ts"
import type { SignInProvider, SignInProviders } from "../../model/sign-in/provider.rules.ts"
import type { MailConfig } from "../outgoing/smtp/send-mail.ts"
import { parseSmtpUrl } from "../outgoing/smtp/smtp-url.rules.ts"
import { addressProblem, poolSizeOf } from "../../store/postgres/driver/address.ts"
import { Languages } from "../languages/languages.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { causeOf } from "../../kernel/process/file-problem.ts"
import { variableName } from "../../kernel/process/variable-name.ts"

export type Config = {
  readonly dataDir: string
  /** Null stands for SQLite in `dataDir`. */
  readonly databaseUrl: string | null
  /** The maximum number of connections to PostgreSQL. If it is null, the URL or the default decides. */
  readonly databasePool: number | null
  readonly catalog: Catalog
  /** Address ranges in CIDR notation. `X-Forwarded-For` is trusted from these addresses. */
  readonly trustedProxies: readonly string[]
  readonly outgoing: OutgoingConfig
  /** Null disables e-mail. */
  readonly mail: MailConfig | null
  /** The `resource` values that clients may name. Null allows every value. */
  readonly resourceServers: ReadonlyMap<string, ResourceServer> | null
  readonly providers: SignInProviders
  readonly languages: Languages
}

export type ConfigSource = {
  readonly data: string
  readonly config: string | null
  readonly databaseUrl: string | null
  /** Returns where the value of a flag came from. The default is the flag. */
  readonly sourceOf?: (flag: string) => string
}

/** A problem in the file begins with the file's name and the line. */
type ReadConfig = Result<Config, readonly Problem[]>

export async function readConfig({
  data,
  config,
  databaseUrl,
  sourceOf = (flag) => `--${flag}`,
}: ConfigSource): Promise<ReadConfig> {
  if (data.trim() === "") return refused("--data is empty: name a directory.")
  const unknown = databaseUrl === null ? null : addressProblem(databaseUrl, sourceOf("database-url"))
  if (unknown !== null) return refused(unknown)
  const pool = process.env["LATCHKEY_DATABASE_POOL"] ?? ""
  const databasePool = poolSizeOf(pool)
  if (databasePool === null && pool !== "")
    return refused(`LATCHKEY_DATABASE_POOL must be a number from 2 to 500, not "${pool}".`)
  const usual = join(data, "latchkey.yaml")
  const file = config ?? (existsSync(usual) ? usual : null)
  const read = file === null ? nothing : await readFile(file, config === null ? null : sourceOf("config"))
  if (!read.ok) return read
  const { permissions, trustedProxies, outgoing, resourceServers, signInProviders } = read.value
  const mail = mailOf(file ?? "", read.value.mail, process.env["LATCHKEY_SMTP_URL"] ?? "")
  if (!mail.ok) return mail
  const certificates =
    outgoing.caFile === null ? ok(null) : readCertificates(file ?? "", "outgoing", outgoing.caFile)
  if (!certificates.ok) return certificates
  const providers = await readProviderFiles(signInProviders, file ?? "")
  if (!providers.ok) return providers
  const own = await readOwnTexts(read.value.languages, file ?? "")
  if (!own.ok) return own
  const catalog = loadCatalog(extension(permissions))
  if (!catalog.ok) {
    const lines = new Map(permissions.map(({ name, line }) => [name, line]))
    const problems = catalog.error.map(
      ({ permission, problem }) => `${file}:${lines.get(permission) ?? 1}: ${permission}: ${problem}`,
    )
    return err(problems)
  }
  const place = { dataDir: data, databaseUrl, databasePool }
  return ok({
    ...place,
    catalog: catalog.value,
    trustedProxies,
    resourceServers,
    providers: providers.value,
    languages: own.value,
    outgoing: { allowedRanges: outgoing.allowedRanges, certificates: certificates.value },
    mail: mail.value,
  })
}

const nothing = ok({
  trustedProxies: [],
  outgoing: { allowedRanges: [], caFile: null } as OutgoingEntry,
  mail: null as MailEntry | null,
  resourceServers: null as ReadonlyMap<string, ResourceServer> | null,
  languages: null as FileName | null,
  signInProviders: [] as readonly ProviderEntry[],
  permissions: [] as readonly AddedPermission[],
})

/** LATCHKEY_SMTP_URL wins over the part `mail` of the file. It has a password, so no problem repeats it. */
function mailOf(
  file: string,
  entry: MailEntry | null,
  url: string,
): Result<MailConfig | null, readonly Problem[]> {
  const given = url === "" ? null : parseSmtpUrl(url)
  if (given?.ok === false) return refused(`${variableName("LATCHKEY_SMTP_URL")}: ${given.error}.`)
  if (entry === null)
    return given === null
      ? ok(null)
      : refused(
          `${variableName("LATCHKEY_SMTP_URL")} needs the sender's address: add mail: {from: ADDRESS} to the configuration file.`,
        )
  const server = given?.value ?? entry.server
  if (server === null)
    return refused(`${file}:${entry.line}: mail: expected smtp_url, or LATCHKEY_SMTP_URL in the environment`)
  const certificates = entry.caFile === null ? ok(null) : readCertificates(file, "mail", entry.caFile)
  if (!certificates.ok) return certificates
  return ok({ server, from: entry.from, name: entry.name, certificates: certificates.value })
}

/** Reads the PEM file `ca_file`. A relative path starts at the directory of the configuration file. */
function readCertificates(file: string, part: string, { path, line }: NonNullable<OutgoingEntry["caFile"]>) {
  try {
    const text = readFileSync(resolve(dirname(file), path), "utf8")
    void new X509Certificate(text)
    return ok(text)
  } catch (error) {
    return refused(`${file}:${line}: ${part}: ca_file: ${path}: ${causeOf(error)}`)
  }
}

async function readProviderFiles(entries: readonly ProviderEntry[], file: string) {
  const providers = new Map<string, SignInProvider>()
  if (entries.length === 0) return ok(providers)
  const { loadProvider } = await import("./provider-files.ts")
  const problems: string[] = []
  for (const entry of entries) {
    const loaded = loadProvider(entry, file)
    if ("provider" in loaded) providers.set(loaded.provider.name, loaded.provider)
    else problems.push(`${file}:${loaded.problem.line}: ${loaded.problem.problem}`)
  }
  return problems.length === 0 ? ok(providers) : err(problems)
}

async function readOwnTexts(entry: FileName | null, file: string) {
  if (entry === null) return ok(new Languages())
  const { readLanguageFiles } = await import("./language-files.ts")
  const own = readLanguageFiles(entry, file)
  return own.ok ? ok(new Languages(own.value)) : own
}

/** `source` is the flag or the variable that names the file. Null stands for the file that is found by itself. */
async function readFile(file: string, source: string | null) {
  let text: string
  try {
    text = readFileSync(file, "utf8")
  } catch (error) {
    const named = source === null || source.startsWith("-") ? file : `${file} of ${source}`
    return refused(`The configuration file ${named} cannot be read: ${causeOf(error)}.`)
  }
  // The YAML parser slows the start, so it is loaded only if there is a configuration file.
  const { readConfigurationFile } = await import("./configuration-file.ts")
  const { problems, ...read } = readConfigurationFile(text)
  if (problems.length === 0) return ok(read)
  const inOrder = problems.toSorted((a, b) => a.line - b.line)
  return err(inOrder.map(({ line, problem }) => `${file}:${line}: ${problem}`))
}

function extension(added: readonly AddedPermission[]) {
  return Object.fromEntries(added.map(({ name, definition }) => [name, definition]))
}

function refused(...problems: readonly string[]) {
  return err(problems)
}
