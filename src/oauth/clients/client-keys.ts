/** Finds the key of an assertion, and fetches the keys that a client publishes. Interface KEY-8. */
import { hostOf } from "../../kernel/https-url.ts"
import { KEY_SET_BYTES_AT_MOST } from "../../kernel/limits.ts"
import { type Result, err } from "../../kernel/result.ts"
import { decided } from "../../records/change.rules.ts"
import type { Client, ClientKeys } from "../../records/client.rules.ts"
import type { FetchedKeys } from "../../records/key.rules.ts"
import { judgeHost } from "../../records/document-domains.rules.ts"
import { parseKeySet, readKeySet, writeKeySet } from "../../records/key-set.rules.ts"
import type { Services } from "../../services/services.ts"
import type { Refusal } from "../refusal.rules.ts"
import { type Assertion, type ChosenKey, chooseKey } from "./client-assertion.rules.ts"
import { afterFetch, isFetchDue, usableCopy } from "./fetched-keys.rules.ts"

type Needs = Pick<Services, "store" | "clock" | "outgoing" | "log" | "settings">

/** Refuses: clientKeysUnavailable; every reason of `chooseKey`. */
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

/** Concurrent fetches of one client's keys share one request, until its result is stored. */
function fetchKeys(services: Needs, client: Client, jwksUri: string): Promise<FetchedKeys | null> {
  const name = `${client.clientId} ${jwksUri}`
  const shared = underway.get(name)
  if (shared !== undefined) return shared
  const fetched = fetchAndStore(services, client, jwksUri).finally(() => underway.delete(name))
  underway.set(name, fetched)
  return fetched
}

/** Returns null if no request was sent, or if the app has changed since. */
async function fetchAndStore(services: Needs, client: Client, jwksUri: string): Promise<FetchedKeys | null> {
  const { store, clock, log } = services
  const { clientId } = client
  const result = await requestKeys(services, client, jwksUri)
  if (result === null) return null
  if ("problem" in result) log.warn({ clientId, ...result }, "the keys of an app could not be fetched")
  return store.change({ client: clientId, fetchedKeys: clientId }, (found) => {
    const fetched = afterFetch(found.fetchedKeys, { clientId, jwksUri, triedAt: clock.now() }, result)
    // The app may have been removed, or may publish its keys elsewhere by now.
    return found.client?.keys?.jwksUri === jwksUri
      ? decided(fetched, { change: "keysFetched", fetched })
      : decided(null)
  })
}

/** Returns null if the service may not request the keys, or sends too many requests. Then nothing is stored. */
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
    // Strangers publish documents, so they must not spend what apps of an administrator need.
    cause: registeredBy === "administrator" ? "registered-keys" : "client-keys",
    isHostNamed: registeredBy === "administrator" || (registeredBy === "document" && policy === "named"),
    bytesAtMost: KEY_SET_BYTES_AT_MOST,
  })
  if (!answer.ok && answer.error.reason === "tooManyRequests") return null
  if (!answer.ok) return { problem: answer.error.description }
  const keys = parseKeySet(answer.value.json)
  return keys.ok ? { jwks: writeKeySet(keys.value) } : { problem: keys.error }
}
