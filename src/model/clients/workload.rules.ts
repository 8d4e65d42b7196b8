/**
 * The workload identity of an app: the tokens of a platform (GitHub Actions, Kubernetes) that authenticate it, by
 * issuer, audience and subject. Interface WORK-1, WORK-2.
 */
import { parseHttpsUrl } from "../../kernel/https-url.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"

export type Workload = {
  /** Compared with `iss` byte for byte. */
  readonly issuer: string
  readonly audience: string
  /** The `sub`, or a pattern for it. */
  readonly subject: string
}

/** The members in the order of flags, fields and JSON. */
export const workloadMembers = [
  {
    member: "issuer",
    claim: "iss",
    value: "URL",
    title: "Issuer",
    meaning: "the iss of the platform's tokens; its discovery names the keys",
    example: "https://token.actions.githubusercontent.com",
  },
  {
    member: "audience",
    claim: "aud",
    value: "TEXT",
    title: "Audience",
    meaning: "the only aud of the platform's tokens, which no other service accepts",
    example: "https://auth.example.com",
  },
  {
    member: "subject",
    claim: "sub",
    value: "PATTERN",
    title: "Subject",
    meaning: "the sub of the platform's tokens; a * stands for text without : and /",
    example: "repo:acme/app:environment:production",
  },
] as const satisfies readonly {
  readonly member: keyof Workload
  readonly [words: string]: string
}[]

export type WorkloadMember = keyof Workload

/** Returns undefined if no member has a text. */
export function workloadFrom(textOf: (member: WorkloadMember) => string): Workload | undefined {
  const [issuer, audience, subject] = [textOf("issuer"), textOf("audience"), textOf("subject")]
  return `${issuer}${audience}${subject}` === "" ? undefined : { issuer, audience, subject }
}

const TEXT_LENGTH_AT_MOST = 500
/** Without a space at an end. A pattern matches no other characters. */
const TEXT = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/
const EXAMPLES =
  "Examples: repo:acme/app:ref:refs/heads/main, repo:acme/app:environment:production, system:serviceaccount:ns:name."

/** Parses what an administrator entered. */
export function parseWorkload({ issuer, audience, subject }: Workload): Result<Workload, Problem> {
  if (issuer === "" || audience === "" || subject === "")
    return err("A workload needs its issuer, audience and subject together.")
  const address = parseHttpsUrl(discoveryOf(issuer))
  if (!address.ok) return err(`The issuer of a workload: ${address.error}`)
  if (issuer.includes("?")) return err("The issuer of a workload has no query.")
  const problem =
    textProblem("audience", audience) ?? textProblem("subject", subject) ?? patternProblem(subject)
  return problem === null ? ok({ issuer, audience, subject }) : err(problem)
}

/** Returns the workload of an app as it is stored, or null. */
export function workloadText(keys: { readonly workload: Workload | null } | null): string | null {
  return keys === null || keys.workload === null ? null : JSON.stringify(keys.workload)
}

/** OpenID Connect Discovery §4: the path is appended to the issuer, and a slash at its end is dropped first. */
export function discoveryOf(issuer: string): string {
  return `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`
}

function textProblem(name: string, text: string): Problem | null {
  if (text.length > TEXT_LENGTH_AT_MOST)
    return `The ${name} of a workload has at most ${TEXT_LENGTH_AT_MOST} characters.`
  return TEXT.test(text) ? null : `The ${name} of a workload has only ASCII, and no space at an end.`
}

/** The text without a `*` is the subject itself, in any form. */
function patternProblem(pattern: string): Problem | null {
  if (!pattern.includes("*")) return null
  const parts = pattern.split(/[:/]/)
  if (parts.slice(0, 2).some((part) => part === "" || part.includes("*")))
    return `The first two parts of the subject's pattern are literal. ${EXAMPLES}`
  if (parts.some((part) => part.indexOf("*") !== part.lastIndexOf("*")))
    return `A part of the subject's pattern has at most one *. ${EXAMPLES}`
  // The subject of a pull request has the fewest parts: a pattern for "everything of this repository" matches it alone.
  return /^repo:[^:/]+\/[^:/]+:[^:/]+$/.test(pattern) && matchesSubject(parts[3] ?? "", "pull_request")
    ? `The subject's pattern matches only pull requests, which strangers can open. ${EXAMPLES}`
    : null
}

/**
 * Whether `subject` is the text, or matches the pattern: the same parts between the same `:` and `/`, and a `*` for one
 * or more characters of its part. Nothing is folded, decoded or trimmed.
 */
export function matchesSubject(pattern: string, subject: string): boolean {
  if (!pattern.includes("*")) return pattern === subject
  const literal = pattern.replaceAll(/[^\w*]/g, "\\$&")
  return TEXT.test(subject) && new RegExp(`^${literal.replaceAll("*", "[^:/]+")}$`).test(subject)
}
