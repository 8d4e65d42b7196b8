/**
 * Decides which hosts may publish documents of clients. The settings are `clients.document_domains` and
 * `clients.denied_document_domains`. CD-8.
 */
import { DOCUMENT_DOMAINS_AT_MOST } from "../../kernel/limits.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"

/** Host names. A leading `*.` stands for all subdomains. Null stands for every host. */
export type DocumentDomains = readonly string[] | null

const EVERY_ONE = "*"
const DOMAIN = /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/

export function parseDocumentDomains(text: string): Result<DocumentDomains, Problem> {
  return text === EVERY_ONE ? ok(null) : parseDomainList(text)
}

export function parseDomainList(text: string): Result<readonly string[], Problem> {
  const domains = text === "" ? [] : text.toLowerCase().split(" ")
  return domains.length <= DOCUMENT_DOMAINS_AT_MOST && domains.every((domain) => DOMAIN.test(domain))
    ? ok([...new Set(domains)])
    : err(
        `Write up to ${DOCUMENT_DOMAINS_AT_MOST} host names with one space between, such as app.example *.example.org.`,
      )
}

export type DomainPolicy = {
  readonly documentDomains: DocumentDomains
  readonly deniedDocumentDomains: readonly string[]
}

/**
 * Returns `named` if the operator listed the host or a parent domain. Returns `allowed` if only `*` allows the host.
 */
export function judgeHost(host: string, policy: DomainPolicy): "named" | "allowed" | "unlisted" | "denied" {
  const { documentDomains, deniedDocumentDomains } = policy
  if (isListed(host, deniedDocumentDomains)) return "denied"
  if (documentDomains === null) return "allowed"
  return isListed(host, documentDomains) ? "named" : "unlisted"
}

function isListed(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) =>
    domain.startsWith("*.") ? host.endsWith(domain.slice(1)) : host === domain,
  )
}
