/** The assertion with which an application says who the person is. Interface LOGIN-4, LOGIN-5. */
import {
  APPLICATION_ASSERTION_LENGTH_AT_MOST,
  APPLICATION_ASSERTION_SECONDS,
} from "../../../kernel/limits.ts"
import { type Result, err, ok } from "../../../kernel/result.ts"
import { SIGNING_ALGORITHMS } from "../../../model/clients/client.rules.ts"
import { isApplicationSubject } from "../../../model/sign-in/identity.rules.ts"
import type { ApplicationProvider } from "../../../model/sign-in/provider.rules.ts"
import { decoders } from "../../../platform/http/request.ts"
import type { Services } from "../../../platform/services/services.ts"
import { judgeClaims } from "../../../platform/statements/judge.rules.ts"
import { proveStatement } from "../../../platform/statements/prove.ts"
import { earlierUses, spendingOf } from "../../../platform/statements/spend.ts"
import { spendStatement } from "../../../platform/statements/spent.rules.ts"
import {
  parseStatement,
  type Statement,
  type StatementFault,
} from "../../../platform/statements/statement.rules.ts"
import { decided } from "../../../model/change.rules.ts"
import type { Arrived } from "../upstream/upstream.ts"
import type { UpstreamFailure } from "../upstream/upstream-failure.ts"
import type { Claims } from "../upstream/claims.rules.ts"

/** `subjectWrong` is of this kind of statement alone. */
type Fault = StatementFault | "subjectWrong"

const FORM = { types: ["jwt", null], lengthAtMost: APPLICATION_ASSERTION_LENGTH_AT_MOST }

export function parseAssertion(parameters: URLSearchParams): Result<Statement, UpstreamFailure> {
  const [assertion, ...more] = parameters.getAll("assertion")
  const statement = parseStatement(more.length > 0 ? undefined : assertion, decoders.base64Url, FORM)
  return statement.ok ? statement : err(failureOf(statement.error))
}

/** Returns the state of the sign-in that the assertion answers. The signature is not checked yet. */
export function challengeIn(statement: Statement): string {
  const challenge = statement.claims.get("challenge")
  return typeof challenge === "string" ? challenge : ""
}

/**
 * Checks an assertion whose challenge is that of this browser. It counts once, whatever comes of it. The key is looked
 * for only if the assertion names this application.
 */
export async function checkAssertion(
  services: Pick<Services, "store" | "clock" | "outgoing" | "log" | "issuer">,
  provider: ApplicationProvider,
  statement: Statement,
): Promise<Result<Arrived, UpstreamFailure>> {
  const { name, keys } = provider
  if (statement.claims.get("iss") !== name) return err(failureOf("issuerWrong"))
  const proven = await proveStatement(services, statement, keys, SIGNING_ALGORITHMS)
  const audiences = [services.issuer]
  const expected = { issuer: name, audiences, secondsAtMost: APPLICATION_ASSERTION_SECONDS }
  const now = services.clock.now()
  const judged = proven.ok ? judgeClaims(statement, expected, now) : proven
  if (!judged.ok) return err(failureOf(judged.error))
  const subject = statement.claims.get("sub")
  if (typeof subject !== "string" || !isApplicationSubject(subject)) return err(failureOf("subjectWrong"))
  const spending = spendingOf(["application", name], judged.value, statement.jwt, now)
  const spent = await services.store.change(earlierUses(spending), (found) =>
    spendStatement<null, Fault>(spending, found, decided(ok(null)), (fault) => fault),
  )
  if (!spent.ok) return err(failureOf(spent.error))
  return ok({ issuer: name, subject, claims: claimsOf(statement), moreClaims: () => Promise.resolve(ok({})) })
}

/** The claims as plain values. `parseStatement` has parsed the same text without a repeated name. */
function claimsOf({ jwt }: Statement): Claims {
  const [, claims = ""] = jwt.split(".")
  return JSON.parse(decoders.base64Url(claims) ?? "{}") as Claims
}

const KINDS: Partial<Record<Fault, UpstreamFailure["kind"]>> = {
  keysUnavailable: "unreachable",
  expired: "stale",
  replayed: "stale",
}

function failureOf(fault: Fault): UpstreamFailure {
  return { kind: KINDS[fault] ?? "invalid", detail: fault }
}
