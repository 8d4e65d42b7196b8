/**
 * The table of grant types. Each row has a parser for the request and a function that redeems the grant. RFC 6749
 * §4.1.3, §4.4 and §6, RFC 8628 §3.4. The token endpoint, the metadata and the registration of apps read this table.
 */
import type { Form } from "../../kernel/form.ts"
import type { ClientId } from "../../kernel/ids.ts"
import type { Result } from "../../kernel/result.ts"
import type { Services } from "../../platform/services/services.ts"
import type { MayUse } from "../clients/authenticate-client.ts"
import type { Caller } from "../clients/client-authentication.rules.ts"
import type { ServiceTokenResponse, TokenResponse } from "../credential/token-response.rules.ts"
import { type Elevated, parseDeviceCodeRequest } from "../device/device-poll.rules.ts"
import { devicePoll } from "../device/poll-device.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { issueServiceToken } from "./grants/client-credentials.ts"
import { parseClientCredentialsRequest } from "./grants/client-credentials.rules.ts"
import { exchangeCode } from "./grants/exchange-code.ts"
import { JWT_BEARER, mayAssert } from "./grants/identity-assertion.rules.ts"
import { findListedClient, redeemAssertion } from "./grants/jwt-bearer.ts"
import { parseJwtBearerRequest } from "./grants/jwt-bearer.rules.ts"
import { refresh } from "./grants/refresh.ts"
import {
  parseCodeRequest,
  parseFlawedCodeRequest,
  parseFlawedRefreshRequest,
  parseRefreshRequest,
} from "./grants/token-request.rules.ts"

type GrantType<R = unknown> = {
  /** Parses a form that has no repeated parameters. */
  readonly parse: (form: Form) => Result<R, Refusal>
  /**
   * Reads as much as possible from a malformed request. The response is `flaw`, but a replay or reuse in the request
   * still ends its credential (CODE-4, AUTH-10). A grant type that cannot end a credential has no such parser.
   */
  readonly parseFlawed?: (form: Form, flaw: Result<never, Refusal>) => R | null
  /** Finds a client that no consent stored yet, before the client is authenticated. */
  readonly findClient?: (
    services: Services,
    clientId: ClientId,
    address: string,
  ) => Promise<Result<null, Refusal>>
  /** Refuses an authenticated client that may not use the grant type, whatever else is wrong. `redeem` does too. */
  readonly mayUse?: (services: Services) => MayUse
  readonly redeem: Redeem<R>
}

type Redeem<R> = (
  services: Services,
  caller: Caller,
  request: R,
  address: string,
) => Promise<Result<TokenResponse | ServiceTokenResponse | Elevated, Refusal>>

/** Removes the type parameter. The cast is safe, because `redeem` only receives values from parsers of the same row. */
const row = <R>(grantType: GrantType<R>) => grantType as unknown as GrantType

/** This grant type is only for apps that an administrator bound to a service account. */
export const CLIENT_CREDENTIALS = "client_credentials"

/** This is a Map, because a client chooses the key. An object would find a value for `__proto__`. */
export const grantTypes: ReadonlyMap<string, GrantType> = new Map([
  [
    "authorization_code",
    row({ parse: parseCodeRequest, parseFlawed: parseFlawedCodeRequest, redeem: exchangeCode }),
  ],
  [
    "refresh_token",
    row({ parse: parseRefreshRequest, parseFlawed: parseFlawedRefreshRequest, redeem: refresh }),
  ],
  [
    "urn:ietf:params:oauth:grant-type:device_code",
    row({ parse: parseDeviceCodeRequest, redeem: devicePoll }),
  ],
  [CLIENT_CREDENTIALS, row({ parse: parseClientCredentialsRequest, redeem: issueServiceToken })],
  [
    JWT_BEARER,
    row({
      parse: parseJwtBearerRequest,
      findClient: findListedClient,
      mayUse:
        ({ providers }) =>
        (known) =>
          mayAssert(providers, known),
      redeem: redeemAssertion,
    }),
  ],
])

/** The grant types that every app may register and use. */
export const grantTypeNames: readonly string[] = [...grantTypes.keys()].filter(
  (name) => name !== CLIENT_CREDENTIALS && name !== JWT_BEARER,
)
