/**
 * Parses an e-mail address: exactly one mailbox, `local@domain`, in ASCII. Names, comments, quoted local parts, address
 * literals and lists are refused, so that no mail library has to interpret the text. RFC 5321 §4.1.2, EMAIL-1.
 */
import { EMAIL_ADDRESS_LENGTH } from "../../kernel/account-limits.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"

export type EmailAddress = {
  /** The local part as typed, and the domain in lower case. */
  readonly address: string
  /** The whole address in lower case. */
  readonly addressKey: string
}

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** The problems of addresses, for commands and the configuration. Pages have these texts in the language of the person. */
const problems = {
  "too-long": `The address is longer than ${EMAIL_ADDRESS_LENGTH.whole} characters.`,
  "not-ascii": "The address has a space, or a character outside ASCII. Write the domain in its xn-- form.",
  malformed: "That is not an e-mail address such as alice@example.org.",
} as const

export type EmailAddressProblem = keyof typeof problems

export function parseEmailAddress(text: string): Result<EmailAddress, Problem> {
  const parsed = newEmailAddress(text)
  return parsed.ok ? parsed : err(problems[parsed.error])
}

/** Parses like `parseEmailAddress`. A page chooses the text of the problem. */
export function newEmailAddress(text: string): Result<EmailAddress, EmailAddressProblem> {
  if (text.length > EMAIL_ADDRESS_LENGTH.whole) return err("too-long")
  if (/[^\x21-\x7e]/.test(text)) return err("not-ascii")
  const at = text.lastIndexOf("@")
  const local = text.slice(0, Math.max(at, 0))
  const domain = text.slice(at + 1).toLowerCase()
  if (at < 1 || local.length > EMAIL_ADDRESS_LENGTH.local || !LOCAL.test(local)) return err("malformed")
  const labels = domain.split(".")
  // A domain that ends in a number is an IP address.
  if (
    labels.length < 2 ||
    !labels.every((label) => LABEL.test(label)) ||
    /^[0-9]+$/.test(labels.at(-1) ?? "")
  )
    return err("malformed")
  return ok({ address: `${local}@${domain}`, addressKey: `${local.toLowerCase()}@${domain}` })
}
