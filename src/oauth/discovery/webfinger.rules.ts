/**
 * Leads a host's addresses to the issuer. No account is looked up, so the answer says nothing about one. RFC 7033,
 * OpenID Connect Discovery §2; interface OIDC-11.
 */
import { allValues, type Form } from "../../kernel/form.ts"
import { isResource, resourceKey } from "../../kernel/resource.ts"

const ISSUER = "http://openid.net/specs/connect/1.0/issuer"

/** The longest address that can get mail has 254 characters. RFC 5321 §4.5.3.1. */
const ACCOUNT = /^acct:[\w.~!$&'()*+,;=%@-]{1,254}@([^@]{1,254})$/i

/** Returns the description of the resource, or the status of an error. `form` is null for a malformed query. */
export function describedResource(form: Form | null, issuer: string): object | 400 | 404 {
  const resource = form?.values.get("resource") ?? ""
  if (form === null || form.repeated.has("resource") || !isResource(resource)) return 400
  const host = ACCOUNT.exec(resource)?.[1]?.toLowerCase()
  const ours = /^https?:\/\/([^/]+)/.exec(issuer)?.[1] ?? ""
  const isIssuer = resourceKey(resource).replace(/\/$/, "") === resourceKey(issuer).replace(/\/$/, "")
  if (host !== ours && host !== ours.replace(/:\d+$/, "") && !isIssuer) return 404
  const asked = allValues(form, "rel")
  const isAsked = asked.length === 0 || asked.includes(ISSUER)
  return { subject: resource, links: isAsked ? [{ rel: ISSUER, href: issuer }] : [] }
}
