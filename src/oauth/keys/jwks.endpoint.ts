/** `GET /oauth/jwks`: the public keys that verify what this service signs. RFC 7517 §5; interface SIGN-2. */
import type { Endpoint } from "../../platform/http/endpoint.ts"
import { jsonText } from "../../platform/http/respond.ts"
import { signingKeysOf } from "./signing-keys.ts"

export const jwks: Endpoint = async ({ services }, _, reply) =>
  reply
    .code(200)
    .header("content-type", "application/json")
    .header("cache-control", "public, max-age=3600")
    .header("x-content-type-options", "nosniff")
    .send(jsonText(await signingKeysOf(services).published()))
