/** Finds the key of an assertion. Fetches the keys that a client publishes. Interface KEY-8. */
import { hostOf } from "../../kernel/https-url.ts"
import { KEY_SET_BYTES_AT_MOST } from "../../kernel/limits.ts"
import { type Result, err } from "../../kernel/result.ts"
import { decided } from "../../model/change.rules.ts"
import type { Client, ClientKeys, FetchedKeys } from "../../model/clients/client.rules.ts"
import { judgeHost } from "../../model/clients/document-domains.rules.ts"
import { parseKeySet, readKeySet, writeKeySet } from "../../model/clients/key-set.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { type Assertion, type ChosenKey, chooseKey } from "./client-assertion.rules.ts"
import { afterFetch, isFetchDue, usableCopy } from "./fetched-keys.rules.ts"

type Needs = Pick<Services, "store" | "clock" | "outgoing" | "log" | "settings">

/** Finds the key for an assertion. Refuses: clientKeysUnavailable; every reason of `chooseKey`. */
export async function findKey(
  services: Needs,
  client: Client,
  { jwks, jwksUri, algorithm }: ClientKeys,
  assertion: Assertion,
): Promise<Result<ChosenKey, Refusal>> {
  const chosenFrom = (copy: string | null): Result<ChosenKey, Refusal> =>
    copy === null
      ? err({ reason: "clientKeysUnavailable" })
      : chooseKey(assertion, readKeySet(copy), algorithm)
  if (jwksUri === null) return chosenFrom(jwks)
  const { store, clock } = services
  const { fetchedKeys: stored } = await store.read({ fetchedKeys: client.clientId })
  const chosen = chosenFrom(usableCopy(stored, jwksUri, clock.now()))
  const lacksKey = !chosen.ok && LACKING.has(chosen.error.reason)
  if (!isFetchDue(stored, jwksUri, lacksKey, clock.now())) return chosen
  const fetched = (await fetchKeys(services, client, jwksUri)) ?? stored
  return chosenFrom(usableCopy(fetched, jwksUri, clock.now()))
}

const LACKING: ReadonlySet<Refusal["reason"]> = new Set(["clientKeysUnavailable", "assertionKeyUnknown"])

const underway = new Map<string, Promise<FetchedKeys | null>>()

/** Fetches the keys of a client. Concurrent calls for one client share one request, until its result is stored. */
function fetchKeys(services: Needs, client: Client, jwksUri: string): Promise<FetchedKeys | null> {
  const name = `${client.clientId} ${jwksUri}`
  const shared = underway.get(name)
  if (shared !== undefined) return shared
  const fetched = fetchAndStore(services, client, jwksUri).finally(() => underway.delete(name))
  underway.set(name, fetched)
  return fetched
}

/** Fetches and stores keys. Returns null if no request was sent, or if the app has changed meanwhile. */
async function fetchAndStore(services: Needs, client: Client, jwksUri: string): Promise<FetchedKeys | null> {
  const { store, clock, log } = services
  const { clientId } = client
  const result = await requestKeys(services, client, jwksUri)
  if (result === null) return null
  if ("problem" in result) log.warn({ clientId, ...result }, "the keys of an app could not be fetched")
  return store.change({ client: clientId, fetchedKeys: clientId }, (found) => {
    const fetched = afterFetch(found.fetchedKeys, { clientId, jwksUri, triedAt: clock.now() }, result)
    // The app may have been removed or may publish its keys at another URL by now.
    return found.client?.keys?.jwksUri === jwksUri
      ? decided(fetched, { change: "keysFetched", fetched })
      : decided(null)
  })
}

/** Returns null and stores nothing if the request is not allowed, or if there are too many requests. */
async function requestKeys(
  { outgoing, settings }: Needs,
  { clientId, registeredBy }: Client,
  url: string,
): Promise<{ readonly jwks: string } | { readonly problem: string } | null> {
  const current = await settings.current()
  const policy = judgeHost(hostOf(url), current)
  if (registeredBy === "document") {
    const isDenied = policy === "denied" || judgeHost(hostOf(clientId), current) === "denied"
    if (!current.documents || isDenied) return null
  }
  const answer = await outgoing.getJson({
    url,
    // Anyone can publish a document. Such clients must not use up the requests that apps of an administrator need.
    cause: registeredBy === "administrator" ? "registered-keys" : "client-keys",
    isHostNamed: registeredBy === "administrator" || (registeredBy === "document" && policy === "named"),
    bytesAtMost: KEY_SET_BYTES_AT_MOST,
  })
  if (!answer.ok && answer.error.reason === "tooManyRequests") return null
  if (!answer.ok) return { problem: answer.error.description }
  const keys = parseKeySet(answer.value.json)
  return keys.ok ? { jwks: writeKeySet(keys.value) } : { problem: keys.error }
}
