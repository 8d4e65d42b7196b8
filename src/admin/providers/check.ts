/** Checks that a sign-in provider fits its configuration. Names the usual mistakes. It signs in no one. */
import { randomSecret } from "../../kernel/random.ts"
import type { FetchFailure } from "../../platform/outgoing/fetch-failure.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import { parseKeySet } from "../../model/clients/key-set.rules.ts"
import type {
  ApplicationProvider,
  OpenIdProvider,
  SignInProvider,
} from "../../model/sign-in/provider.rules.ts"
import type { AuthorizationServer } from "oauth4webapi"
import { callbackUrl } from "../../accounts/providers/leave.ts"
import { readMetadata } from "../../accounts/providers/upstream/metadata.ts"
import { fetchFrom, jsonOf } from "../../accounts/providers/upstream/provider-request.ts"
import { authorizationUrl, exchange, type Flow } from "../../accounts/providers/upstream/upstream.ts"
import { UpstreamError } from "../../accounts/providers/upstream/upstream-failure.ts"
import { appProblem, managerProblem } from "../upkeep/application-managers.ts"
import { fine, problem, type ProviderFinding, ruleFindings, warning } from "./rule-findings.rules.ts"

/** A page of a provider is not read to its end. */
const PAGE_BYTES = 16 * 1024

type Needs = Pick<Services, "outgoing" | "clock" | "log" | "store">

/** `baseUrl` is null if it is not known. The redirect URI is then not checked. */
export async function checkProvider(
  services: Needs,
  provider: SignInProvider,
  baseUrl: string | null,
): Promise<readonly ProviderFinding[]> {
  if (provider.preset === "application") {
    const seen = await managerProblem(services, provider)
    const manager = seen === null ? [] : [warning("manager", seen)]
    const place = fine("url", `Browsers are sent to ${provider.url}. Open it to see that it answers.`)
    return [place, await applicationKeysFinding(services, provider), ...manager]
  }
  if (provider.preset === "github")
    return [await clientFinding(services, provider, baseUrl), ...ruleFindings(provider, null)]
  const { clients = [] } = provider.assertions ?? {}
  const seen = await Promise.all(clients.map((id) => appProblem(services, id, false)))
  const apps = seen.flatMap((one) => (one === null ? [] : warning("assertions", one)))
  const metadata = await readMetadata(services, provider)
  if (!metadata.ok)
    return [...ruleFindings(provider, null), ...apps, problem("metadata", metadata.error.detail)]
  return [
    fine("metadata", `The issuer is ${provider.issuer}.`),
    await keysFinding(services, provider, metadata.value),
    await userinfoFinding(services, provider, metadata.value),
    await redirectFinding(services, provider, baseUrl),
    await clientFinding(services, provider, baseUrl),
    ...ruleFindings(provider, metadata.value),
    ...apps,
  ]
}

async function applicationKeysFinding(
  { outgoing }: Needs,
  { keys }: ApplicationProvider,
): Promise<ProviderFinding> {
  if (keys.kind === "secret") return fine("keys", "Assertions have a shared secret.")
  if (keys.kind === "file") return keysIn(keys.keys, "in the file")
  const { jwksUri: url } = keys
  const found = await outgoing.getJson({ url, cause: "sign-in", isHostNamed: true, bytesAtMost: PAGE_BYTES })
  if (!found.ok) return problem("keys", `${url}: ${found.error.description}`)
  const set = parseKeySet(found.value.json)
  return set.ok ? keysIn(set.value, `at ${url}`) : problem("keys", `${url}: ${set.error}`)
}

function keysIn({ length }: readonly unknown[], place: string): ProviderFinding {
  return fine("keys", `${length === 1 ? "One key" : `${length} keys`} ${place}.`)
}

async function keysFinding(
  services: Needs,
  provider: OpenIdProvider,
  { jwks_uri: url = "" }: AuthorizationServer,
): Promise<ProviderFinding> {
  try {
    const response = await fetchFrom(services, provider)(url, { method: "GET", headers: {} })
    const json = (await jsonOf(response)) as { readonly keys?: unknown } | undefined
    const keys: readonly unknown[] = Array.isArray(json?.keys) ? json.keys : []
    return keys.length > 0
      ? keysIn(keys, `at ${url}`)
      : problem("keys", `There are no keys at ${url}. ID tokens cannot be checked.`)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return problem("keys", error.failure.detail)
  }
}

/**
 * Asks userinfo with a token that does not exist. A good endpoint refuses it with status 400, 401 or 403. Whether its
 * answers are signed is a setting of the client there, which only a sign-in shows.
 */
async function userinfoFinding(
  services: Needs,
  { allowedRanges }: OpenIdProvider,
  { userinfo_endpoint: url }: AuthorizationServer,
): Promise<ProviderFinding> {
  if (url === undefined)
    return fine("userinfo", "The metadata name none. Every claim must be in the ID token.")
  const headers = { authorization: `Bearer check-${randomSecret()}`, accept: "application/json" }
  const bytesAtMost = PAGE_BYTES
  const answer = await services.outgoing.sendToProvider({ url, allowedRanges, bytesAtMost, headers })
  const status = answer.ok ? answer.value.status : (answer.error.status ?? 0)
  if (status === 400 || status === 401 || status === 403)
    return fine("userinfo", `${url} asks for a token. Its answers must be plain JSON, not signed.`)
  const seen = answer.ok ? `The host answered with status ${status}.` : answer.error.description
  return problem("userinfo", `${url} does not refuse a token that does not exist: ${seen}`)
}

/**
 * Opens the sign-in page of the provider without a browser. Most providers answer with an error there if the redirect
 * URI is not registered. GitHub says so only after the sign-in.
 */
async function redirectFinding(
  services: Needs,
  provider: OpenIdProvider,
  baseUrl: string | null,
): Promise<ProviderFinding> {
  const check = "redirect URI"
  if (baseUrl === null) return warning(check, "Not checked. Name the base URL with --base-url.")
  const flow = flowAt(provider, baseUrl)
  const url = await authorizationUrl(services, provider, flow)
  if (!url.ok) return problem(check, url.error.detail)
  const { allowedRanges } = provider
  const asked = { url: url.value, allowedRanges, bytesAtMost: PAGE_BYTES }
  const page = await services.outgoing.sendToProvider(asked)
  const status = page.ok && page.value.status >= 400 ? `status ${page.value.status}.` : null
  const cause = page.ok ? status : problemOf(page.error)
  const register = `Register exactly ${flow.redirectUri} there.`
  return cause === null
    ? fine(check, `The sign-in page opens. ${register}`)
    : problem(
        check,
        `The sign-in page does not open: ${cause} The usual cause is the redirect URI. ${register}`,
      )
}

/** A page for people is a redirect, or is HTML. */
function problemOf({ reason, description }: FetchFailure): string | null {
  return reason === "redirected" || reason === "notJson" || reason === "tooLong" || reason === "encoded"
    ? null
    : description
}

function flowAt(provider: OpenIdProvider, baseUrl: string): Flow {
  const redirectUri = callbackUrl(baseUrl, provider.name)
  const secrets = { state: randomSecret(), nonce: randomSecret(), verifier: randomSecret() }
  return { redirectUri, ...secrets, isFresh: false }
}

/** Sends a code that does not exist. A provider that refuses only the code has accepted the client. */
async function clientFinding(
  services: Needs,
  provider: OpenIdProvider,
  baseUrl: string | null,
): Promise<ProviderFinding> {
  const flow = flowAt(provider, baseUrl ?? "https://unknown.invalid")
  const code = `check-${randomSecret()}`
  const parameters = new URLSearchParams({ state: flow.state, code, iss: provider.issuer })
  const answer = await exchange(services, provider, parameters, flow)
  if (answer.ok) return problem("client", "The provider accepts codes that it never issued.")
  const { kind, detail } = answer.error
  if (kind === "refused") return fine("client", "The provider accepts client id and secret.")
  const advice = kind === "misconfigured" ? " Compare client_id and the secret's file with the provider." : ""
  return (kind === "busy" ? warning : problem)("client", detail + advice)
}
