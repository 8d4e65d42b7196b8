/** What an app has for OpenID Connect. Only administrators set it. OpenID Connect Registration §2; interface OIDC-10. */
import { REDIRECT_URIS_AT_MOST } from "../../kernel/limits.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { registerableRedirectUri } from "./redirect-registration.rules.ts"

export const ID_TOKEN_ALGORITHMS = ["RS256", "ES256"] as const
type IdTokenAlgorithm = (typeof ID_TOKEN_ALGORITHMS)[number]

export type OpenidMembers = {
  /** The algorithm of its id_tokens. */
  readonly idTokenAlgorithm: IdTokenAlgorithm
  /** Where a browser may go after the app signed it out. They are compared byte by byte. */
  readonly postLogoutRedirectUris: readonly string[]
}

/** Members that are left out stay unchanged, or have their default in a new app. */
export type OpenidUpdate = { readonly [M in keyof OpenidMembers]?: OpenidMembers[M] | undefined }

/** The members with their names in JSON, in the file of `apply`, and as columns. */
export const openidMembers = [
  ["idTokenAlgorithm", "id_token_signed_response_alg"],
  ["postLogoutRedirectUris", "post_logout_redirect_uris"],
] as const

export const defaultOpenid: OpenidMembers = { idTokenAlgorithm: "RS256", postLogoutRedirectUris: [] }

/** What the request of an owner changes. */
export const ownersOpenid: OpenidUpdate = { idTokenAlgorithm: undefined, postLogoutRedirectUris: undefined }

/** Returns the members after an update. The addresses have the form of a server's redirect URIs: https, or loopback. */
export function openidAfter(before: OpenidMembers, update: OpenidUpdate): Result<OpenidMembers, Problem> {
  const uris = [...new Set(update.postLogoutRedirectUris ?? before.postLogoutRedirectUris)]
  const problem = postLogoutProblem(uris)
  return problem === null
    ? ok({
        idTokenAlgorithm: update.idTokenAlgorithm ?? before.idTokenAlgorithm,
        postLogoutRedirectUris: uris,
      })
    : err(problem)
}

export function postLogoutProblem(uris: readonly string[]): Problem | null {
  if (uris.length > REDIRECT_URIS_AT_MOST)
    return `An app has at most ${REDIRECT_URIS_AT_MOST} addresses for after a sign-out.`
  for (const uri of uris) {
    const checked = registerableRedirectUri(uri, "confidential", [])
    if (!checked.ok)
      return `The post-logout redirect URI ${JSON.stringify(uri)} cannot be registered: ${checked.error}`
  }
  return null
}

/** The members of a JSON record, which has them only while they differ from their default. */
export type RecordedOpenid = {
  readonly id_token_signed_response_alg?: IdTokenAlgorithm
  readonly post_logout_redirect_uris?: readonly string[]
}

export function recordedOpenid(of: OpenidMembers): RecordedOpenid {
  return {
    ...(of.idTokenAlgorithm !== "RS256" && { id_token_signed_response_alg: of.idTokenAlgorithm }),
    ...(of.postLogoutRedirectUris.length > 0 && { post_logout_redirect_uris: of.postLogoutRedirectUris }),
  }
}

/** Reads the members of a request or a record. */
export function openidIn(of: { readonly [N in keyof RecordedOpenid]?: RecordedOpenid[N] | undefined }) {
  return {
    idTokenAlgorithm: of.id_token_signed_response_alg,
    postLogoutRedirectUris: of.post_logout_redirect_uris,
  }
}
