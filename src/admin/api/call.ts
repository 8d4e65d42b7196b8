/** The input and the result of an API operation. */
import type { Actor } from "../../model/event.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import type { Bearer } from "../../oauth/credential/bearer.rules.ts"

/** The type of the parameter names in a path such as `/api/apps/{client_id}`. */
export type NamesOf<P extends string> = P extends `${string}{${infer N}}${infer Rest}`
  ? N | NamesOf<Rest>
  : never

/** A request that passed all checks before its operation runs. */
export type Call<N extends string = never, Q = null, B = null> = {
  readonly context: HttpContext
  readonly services: Services
  readonly bearer: Bearer
  /** Whether the token counts as that of a manager, which reaches no administrator. LOGIN-20. */
  readonly isManager: boolean
  /** The IP address of the client. */
  readonly address: string
  readonly path: Readonly<Record<N, string>>
  readonly query: Q
  readonly body: B
}

/** Builds the actor for the audit trail: the administrator who owns the credential. */
export function byAdministrator({ bearer, address }: Pick<Call, "bearer" | "address">): Actor {
  return { address, actorId: bearer.account.userId }
}

/** The body of a successful response. Null stands for 204 without a body. */
export type Success<A> = { readonly success: A }

export function success<const A>(value: A): Success<A> {
  return { success: value }
}
