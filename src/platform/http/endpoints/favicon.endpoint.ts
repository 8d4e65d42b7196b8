/** GET /favicon.svg: the logo. */
import { faviconSvg } from "../../ui/mark.ts"
import type { Endpoint } from "../endpoint.ts"

export const favicon: Endpoint = (_, __, reply) =>
  reply
    .code(200)
    .header("content-type", "image/svg+xml")
    .header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    .header("x-content-type-options", "nosniff")
    .header("cache-control", "public, max-age=86400")
    .send(faviconSvg)
