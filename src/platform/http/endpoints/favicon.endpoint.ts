/** GET /favicon.svg: the mark in the color of the service. Pages name the color, so a browser keeps it for that color only. */
import { faviconSvg } from "../../ui/mark.ts"
import type { Endpoint } from "../endpoint.ts"

export const favicon: Endpoint = ({ services: { settings } }, _, reply) =>
  reply
    .code(200)
    .header("content-type", "image/svg+xml")
    .header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    .header("x-content-type-options", "nosniff")
    .header("cache-control", "public, max-age=86400")
    .send(faviconSvg(settings.latest.appearance.color))
