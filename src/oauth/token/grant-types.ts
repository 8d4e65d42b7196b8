/**
 * The grant types, a row each: the parser of its request and the verb that redeems it. RFC 6749 §4.1.3 and §6,
 * RFC 8628 §3.4. The token endpoint, the metadata and the registration of apps read this table.
 */
import type { Form } from "../../kernel/form.ts"
import type { Result } from "../../kernel/result.ts"
import type { Services } from "../../services/services.ts"
import type { Caller } from "../clients/authenticate-client.ts"
import type { TokenResponse } from "../credential/token-response.rules.ts"
import { type Elevated, parseDeviceCodeRequest } from "../device/device-poll.rules.ts"
import { devicePoll } from "../device/poll-device.ts"
import type { Refusal } from "../refusal.rules.ts"
import { exchangeCode } from "./grants/exchange-code.ts"
import { refresh } from "./grants/refresh.ts"
import {
  parseCodeRequest,
  parseFlawedCodeRequest,
  parseFlawedRefreshRequest,
  parseRefreshRequest,
} from "./grants/token-request.rules.ts"

export type GrantType<R = unknown> = {
  /** Of a form without repeated parameters. */
  readonly parse: (form: Form) => Result<R, Refusal>
  /**
   * Reads a flawed request (malformed, or with a repeated parameter) as far as possible. The answer is the flaw, but a
   * replay or a reuse still ends its credential (CODE-4, AUTH-10). Left out if the grant type can end none.
   */
  readonly parseFlawed?: (form: Form, flaw: Result<never, Refusal>) => R | null
  readonly redeem: Redeem<R>
}

type Redeem<R> = (
  services: Services,
  caller: Caller,
  request: R,
  address: string,
) => Promise<Result<TokenResponse | Elevated, Refusal>>

/** A row calls `redeem` only with what its own `parse` and `parseFlawed` answered. */
const row = <R>(grantType: GrantType<R>) => grantType as unknown as GrantType

/** A client chooses the key, so this is a Map. */
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
])

export const grantTypeNames: readonly string[] = [...grantTypes.keys()]
