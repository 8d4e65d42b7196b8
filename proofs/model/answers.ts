/** Converts responses of the endpoints for apps to flat records, and checks what must hold for all of them. */
import assert from "node:assert/strict"
import { DESCRIPTION } from "../../test/support/answers.ts"
import type { Seen } from "./expected.ts"
import type { Reply } from "./wire.ts"

type Lists = { readonly groups?: readonly string[]; readonly aud?: readonly string[] }
type Body = Record<string, string | number | boolean | null>

function bodyOf({ headers, text }: Reply): Body {
  assert.equal(headers["cache-control"], "no-store", text)
  assert.match(headers["content-type"] ?? "", /^application\/json(; charset=utf-8)?$/)
  const { groups, aud, ...body } = JSON.parse(text) as Body & Lists
  const lists = { ...(groups && { groups: groups.join(" ") }), ...(aud && { aud: aud.join(" ") }) }
  return { ...body, ...lists }
}

/** Reads a response to an app. RFC 6749 §5.1, §5.2. `issuer` says where a device code is answered (RFC 8628 §3.2). */
export function appAnswer(reply: Reply, issuer: string | null = null): Seen {
  const { error_description, verification_uri, verification_uri_complete, ...body } = bodyOf(reply)
  const { status, headers, text } = reply
  if ("error" in body) assert.match(String(error_description), DESCRIPTION, text)
  else assert.equal(error_description, undefined, text)
  const ofBearer = body["error"] === "invalid_token" || body["error"] === "insufficient_scope"
  const challenge = ofBearer ? "Bearer" : status === 401 ? "Basic" : undefined
  assert.equal(headers["www-authenticate"]?.split(" ")[0], challenge, text)
  if ("device_code" in body && issuer !== null) {
    assert.equal(verification_uri, `${issuer}/oauth/device`)
    assert.equal(verification_uri_complete, `${issuer}/oauth/device?user_code=${String(body["user_code"])}`)
  } else assert.deepEqual([verification_uri, verification_uri_complete], [undefined, undefined], text)
  return { status, ...body }
}

/** Reads an introspection response. RFC 7662 §2.2. */
export function introspectionAnswer(reply: Reply, issuer: string): Seen {
  const body = bodyOf(reply)
  return { status: reply.status, ...body, ...(body["iss"] === issuer && { iss: "the issuer" }) }
}

/** Reads a response of the service's own API. Errors have its form, and three places report an elevation. */
export function apiAnswer(reply: Reply): Seen {
  const { status, headers, text } = reply
  if (status === 204) return { status }
  const { error, created_at, ...body } = bodyOf(reply) as Body & { error?: unknown }
  if (error === undefined) {
    // Only an account says when it was created. A credential says when its consent was.
    assert.equal(
      typeof created_at,
      "user_id" in body && !("consented_at" in body) ? "number" : "undefined",
      text,
    )
    return { status, ...body }
  }
  const { code, status: word, message } = error as Record<string, unknown>
  assert.deepEqual([code, typeof message, Object.keys(body)], [status, "string", []], text)
  const needsElevation = word === "FAILED_PRECONDITION"
  assert.equal(headers["service-elevation-required"], needsElevation ? "1" : undefined, text)
  const challenges = needsElevation || status === 401 || status === 403
  assert.equal(headers["www-authenticate"]?.startsWith("Bearer "), challenges ? true : undefined, text)
  return { status, error: String(word) }
}
