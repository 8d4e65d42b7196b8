/**
 * `urn:ietf:params:oauth:grant-type:jwt-bearer` with an ID-JAG. The client is authenticated and listed before anything of
 * the assertion is looked at. One change marks its `jti` as used and issues the token. ORG-2.
 */
import { isDocumentUrl } from "../../../kernel/identifier.ts"
import type { ClientId, TokenId } from "../../../kernel/ids.ts"
import { type Decided, decided } from "../../../model/change.rules.ts"
import { type Client, SIGNING_ALGORITHMS } from "../../../model/clients/client.rules.ts"
import type { Refusal } from "../../../model/refusals/refusal.rules.ts"
import { identityText } from "../../../model/sign-in/identity.rules.ts"
import type { OpenIdProvider } from "../../../model/sign-in/provider.rules.ts"
import { digest } from "../../../kernel/hash.ts"
import { ASSERTION_LENGTH_AT_MOST, ASSERTION_SECONDS_AT_MOST } from "../../../kernel/limits.ts"
import { newId, randomKey, randomSecret } from "../../../kernel/random.ts"
import { type Result, err, ok } from "../../../kernel/result.ts"
import { decoders } from "../../../platform/http/request.ts"
import type { Services } from "../../../platform/services/services.ts"
import { judgeClaims } from "../../../platform/statements/judge.rules.ts"
import { proveStatement } from "../../../platform/statements/prove.ts"
import { spendingOf } from "../../../platform/statements/spend.ts"
import { type Spending, spendStatement } from "../../../platform/statements/spent.rules.ts"
import { parseStatement } from "../../../platform/statements/statement.rules.ts"
import { metaKeys } from "../../../store/loadable.ts"
import { authenticateCaller, authenticated, withAssertion } from "../../clients/authenticate-client.ts"
import type { Caller } from "../../clients/client-authentication.rules.ts"
import { storedDocument } from "../../clients/resolve-document.ts"
import { spendAssertion } from "../../clients/spent-assertion.rules.ts"
import type { ServiceTokenResponse } from "../../credential/token-response.rules.ts"
import { accessToken } from "../../credential/token.ts"
import {
  type AssertionFault,
  assertingProvider,
  faulty,
  ID_JAG_TYPE,
  type IdentityAssertion,
  judgeIdentity,
  listing,
  mayAssert,
} from "./identity-assertion.rules.ts"
import { type AssertionInput, decideJwtBearer, type JwtBearerRequest } from "./jwt-bearer.rules.ts"

type Answer = Result<ServiceTokenResponse, Refusal>

/** Only for an entry that lists the URL, so that no stranger causes a request to another host. ORG-2, CD-6. */
export async function findListedClient(
  services: Services,
  clientId: ClientId,
  address: string,
): Promise<Result<null, Refusal>> {
  const isListed = isDocumentUrl(clientId) && listing(services.providers, clientId).length > 0
  return isListed ? storedDocument(services, clientId, { cause: "visitor" }, address) : ok(null)
}

/** Refuses: every reason of client authentication, `mayAssert` and `decideJwtBearer`; identityAssertionRefused. */
export async function redeemAssertion(
  services: Services,
  caller: Caller,
  request: JwtBearerRequest,
  address: string,
): Promise<Answer> {
  const { store, clock, providers } = services
  const { clientId } = caller.presented
  const known = mayAssert(
    providers,
    authenticated((await store.read({ client: clientId })).client, caller, clock.now()),
  )
  if (!known.ok) return known
  const proven = await proveIdentity(services, known.value, request.assertion)
  if (proven.ok) return issueFor(services, caller, request, proven.value, address)
  // Also marks the assertion that authenticated the client as used.
  const asked = await authenticateCaller(services, caller)
  return asked.ok ? err(faulty(proven.error)) : asked
}

type Proven = {
  readonly provider: OpenIdProvider
  readonly assertion: IdentityAssertion
  readonly spending: Spending
}

async function proveIdentity(
  services: Services,
  { clientId }: Client,
  jwt: string,
): Promise<Result<Proven, AssertionFault>> {
  const { providers, issuer, resources, clock } = services
  const form = { types: [ID_JAG_TYPE], lengthAtMost: ASSERTION_LENGTH_AT_MOST }
  const statement = parseStatement(jwt, decoders.base64Url, form)
  if (!statement.ok) return statement
  const { claims } = statement.value
  const provider = assertingProvider(providers, claims.get("iss"), clientId)
  if (provider === null) return err("issuerWrong")
  const source = { issuer: provider.issuer, allowedRanges: provider.allowedRanges }
  const proven = await proveStatement(services, statement.value, source, SIGNING_ALGORITHMS)
  if (!proven.ok) return proven
  const now = clock.now()
  const expected = { issuer: provider.issuer, audiences: [issuer], secondsAtMost: ASSERTION_SECONDS_AT_MOST }
  const judged = judgeClaims(proven.value, expected, now)
  if (!judged.ok) return judged
  const assertion = judgeIdentity(claims, clientId, resources.spellingOf)
  if (!assertion.ok) return assertion
  const spending = spendingOf(["id-jag", provider.issuer], judged.value, "", now)
  return ok({ provider, assertion: assertion.value, spending })
}

async function issueFor(
  services: Services,
  caller: Caller,
  request: JwtBearerRequest,
  { provider, assertion, spending }: Proven,
  address: string,
): Promise<Answer> {
  const { store, clock, catalog, settings, tallies, resources } = services
  const { clientId } = caller.presented
  const { accessSeconds } = await settings.current()
  const identityHash = digest(identityText({ issuer: provider.issuer, subject: assertion.subject }))
  const linked = (await store.read({ identity: identityHash })).identity
  const userId = linked?.userId ?? null
  const now = clock.now()
  const [secret, familyKey, noRefreshHash] = [randomSecret(), randomKey(), digest(randomSecret())]
  const input: AssertionInput = {
    provider,
    providers: services.providers,
    now,
    address,
    accessSeconds,
    jwtOf: resources.jwtOf,
    tokenId: newId<TokenId>(now),
    familyKey,
    noRefreshHash,
    accessToken: (tokenId, key) => accessToken(tokenId, secret, key),
  }
  const load = {
    client: clientId,
    identity: identityHash,
    account: userId,
    organizationCredentials: userId,
    organizationBlocks: userId,
    spentGrant: spending.spent.assertionHash,
  }
  const answer = await store.change(
    { ...withAssertion(caller, load), meta: metaKeys.assertionsSwept },
    (found): Decided<Answer> => {
      const known = mayAssert(services.providers, authenticated(found.client, caller, now))
      if (!known.ok) return decided(known)
      const judged = decideJwtBearer(catalog, known.value, found, assertion, request, input)
      const uses = { spentAssertion: found.spentGrant, meta: found.meta }
      // A refused assertion may be sent again, once the reason is gone.
      const isSpent = judged.answer.ok || found.spentGrant !== null
      return spendAssertion(caller, found, isSpent ? spendStatement(spending, uses, judged, faulty) : judged)
    },
  )
  if (answer.ok) tallies.count("organization-token.issued", clientId)
  return answer
}
