/** Shared code of `login` and `elevate`: the app, the service's metadata, and readable errors. */
import { withPeriod } from "../../kernel/words.ts"
import * as oauth from "oauth4webapi"
import { isLoopback } from "../../platform/config/base-url.ts"
import { type Answer, refused } from "../../platform/cli/command.ts"
import { visible } from "../../platform/cli/print.ts"

/** An app at a service. `clientSecret` is null for a public app. */
export type SampleApp = {
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: string | null
}

export type Discovered = {
  readonly service: oauth.AuthorizationServer
  /** Plain http is allowed only for a loopback service. */
  readonly http: { readonly [oauth.allowInsecureRequests]: boolean }
}

/** Reads the metadata of the service. The metadata must name this issuer (RFC 8414 §3.3). */
export async function discover(issuer: URL): Promise<Discovered> {
  const http = { [oauth.allowInsecureRequests]: isLoopback(issuer) && issuer.protocol === "http:" }
  const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...http })
  if (response.status !== 200)
    throw new AppRefused(
      `${issuer.href} is not an authorization service: its metadata address answers ${response.status}.`,
    )
  return { service: await oauth.processDiscoveryResponse(issuer, response), http }
}

export type OAuthClient = { readonly client: oauth.Client; readonly authentication: oauth.ClientAuth }

export function clientOf({ clientId, clientSecret }: SampleApp): OAuthClient {
  const authentication = clientSecret === null ? oauth.None() : oauth.ClientSecretBasic(clientSecret)
  return { client: { client_id: clientId }, authentication }
}

/** Whether an endpoint uses https. Plain http is enough for an endpoint on this machine. */
export function isSecureAddress(address: URL, issuer: URL): boolean {
  if (address.protocol === "https:") return true
  return address.protocol === "http:" && isLoopback(issuer) && isLoopback(address)
}

/** Reads the body from a copy of the response, because the library also reads the body and rewrites some members. */
export async function bodyOf(response: Response): Promise<unknown> {
  return await response
    .clone()
    .json()
    .catch(() => null)
}

/** Means that the service or a proxy refused the request. This error ends the command. */
export class AppRefused extends Error {}

export type ErrorBody = { readonly error: string; readonly error_description?: string | undefined }

export function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === "object" && body !== null && "error" in body && typeof body.error === "string"
}

export function errorText({ error, error_description: description }: ErrorBody): string {
  return visible(description === undefined ? error : `${error}: ${description}`)
}

/** Runs `flow`. A refusal of the service or a network failure becomes a refused result with a message. */
export async function withReadableErrors(flow: () => Promise<Answer>): Promise<Answer> {
  try {
    return await flow()
  } catch (error) {
    return refused(messageOf(error))
  }
}

/** Returns the message of the service or the network. Throws other errors again, because they are bugs. */
export function messageOf(error: unknown): string {
  if (error instanceof AppRefused) return error.message
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError)
    return errorText(error)
  if (error instanceof oauth.OperationProcessingError)
    return withPeriod(`The response of the service is not valid: ${visible(error.message)}`)
  if (error instanceof DOMException && error.name === "TimeoutError")
    return "The browser did not return within ten minutes. Run the command again."
  if (isUnreachable(error))
    return `The service cannot be reached: ${error.cause.message === "" ? String((error.cause as NodeJS.ErrnoException).code) : error.cause.message}`
  throw error
}

/** Whether `fetch` failed because of the network. */
export function isUnreachable(error: unknown): error is TypeError & { readonly cause: Error } {
  return error instanceof TypeError && error.cause instanceof Error
}
