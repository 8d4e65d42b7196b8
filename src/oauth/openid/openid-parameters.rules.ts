/** The parameters of a request that names `openid`. OpenID Connect Core §3.1.2.1; interface OIDC-5. */
import type { Form } from "../../kernel/form.ts"
import { NONCE_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"

export type OpenidParameters = {
  readonly nonce?: string
  readonly prompt?: readonly Prompt[]
  /** The session's last proof may be this many seconds old. */
  readonly maxAge?: number
  readonly loginHint?: string
  readonly idTokenHint?: string
}

const PROMPTS = ["none", "login", "consent", "select_account"] as const

export type Prompt = (typeof PROMPTS)[number]

/** The page shows a longer hint nowhere. */
const LOGIN_HINT_LENGTH_AT_MOST = 254

/** Refuses: requestObjectUnsupported, requestUriUnsupported. */
export function refuseRequestObject({ values }: Form): Result<null, Refusal> {
  if (values.has("request")) return err({ reason: "requestObjectUnsupported" })
  return values.has("request_uri") ? err({ reason: "requestUriUnsupported" }) : ok(null)
}

/** Ignores unknown values of `prompt`, and hints that are too long. Refuses: parameterMalformed (nonce, prompt, max_age). */
export function parseOpenidParameters({ values }: Form): Result<OpenidParameters, Refusal> {
  const malformed = (parameter: string) => err({ reason: "parameterMalformed", parameter } as const)
  const nonce = values.get("nonce")
  if (nonce !== undefined && nonce.length > NONCE_LENGTH_AT_MOST) return malformed("nonce")
  const prompts = values.get("prompt")?.split(" ") ?? []
  if (prompts.includes("none") && prompts.length > 1) return malformed("prompt")
  const prompt = PROMPTS.filter((one) => prompts.includes(one))
  const maxAge = values.get("max_age")
  if (maxAge !== undefined && !/^\d{1,10}$/.test(maxAge)) return malformed("max_age")
  const loginHint = values.get("login_hint")
  const idTokenHint = values.get("id_token_hint")
  return ok({
    ...(nonce !== undefined && { nonce }),
    ...(prompt.length > 0 && { prompt }),
    ...(maxAge !== undefined && { maxAge: Number(maxAge) }),
    ...(loginHint !== undefined && loginHint.length <= LOGIN_HINT_LENGTH_AT_MOST && { loginHint }),
    ...(idTokenHint !== undefined && { idTokenHint }),
  })
}

/** Writes the parameters back into pairs, for a request that begins again. */
export function openidPairs({
  nonce,
  prompt,
  maxAge,
  loginHint,
  idTokenHint,
}: OpenidParameters): readonly (readonly [name: string, value: string])[] {
  const pairs = [
    ["nonce", nonce],
    ["prompt", prompt?.join(" ")],
    ["max_age", maxAge?.toString()],
    ["login_hint", loginHint],
    ["id_token_hint", idTokenHint],
  ] as const
  return pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}
