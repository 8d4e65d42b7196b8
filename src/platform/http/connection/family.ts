/**
 * The kind of caller that an endpoint serves. The kind decides the form of errors. A `page` serves browsers and sends
 * HTML. `oauth` serves apps and sends the JSON of RFC 6749 §5.2. `api` serves apps with an access token and sends the
 * JSON of the API.
 */
export type Family = "page" | "oauth" | "api"
