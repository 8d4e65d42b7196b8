/** The keys of a client, as the source of its statements. Fetches those that it publishes. Interface KEY-8. */
import { hostOf } from "../../kernel/https-url.ts"
import { KEY_SET_BYTES_AT_MOST } from "../../kernel/limits.ts"
import { decided } from "../../model/change.rules.ts"
import type { Client, ClientKeys } from "../../model/clients/client.rules.ts"
import { judgeHost } from "../../model/clients/document-domains.rules.ts"
import { parseKeySet, readKeySet, writeKeySet } from "../../model/clients/key-set.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import { afterFetch, type KeysAnswer } from "../../platform/statements/kept-keys.rules.ts"
import { keysOfIssuer } from "../../platform/statements/published-keys.ts"
import type { KeySource } from "../../platform/statements/prove.ts"

type Needs = Pick<Services, "store" | "clock" | "outgoing" | "log" | "settings">

/** The copy of published keys is a row, so that all nodes together send the requests of one. */
export function clientKeySource(
  services: Needs,
  client: Client,
  { jwks, jwksUri, workload }: ClientKeys,
): KeySource {
  const { clientId } = client
  if (jwksUri === null) return { keys: jwks === null ? [] : readKeySet(jwks) }
  const read = async () => (await services.store.read({ fetchedKeys: clientId })).fetchedKeys
  const request =
    workload === null
      ? () => requestKeys(services, client, jwksUri)
      : keysOfIssuer(services, { issuer: workload.issuer, allowedRanges: null }).request
  const keep = (answer: KeysAnswer) => keepKeys(services, clientId, jwksUri, answer)
  return { published: { name: clientId, url: jwksUri, read, request, keep } }
}

/** Stores keys. Returns null if the app was removed, or publishes its keys at another URL by now. */
function keepKeys(
  { store, clock, log }: Needs,
  clientId: Client["clientId"],
  jwksUri: string,
  answer: KeysAnswer,
) {
  if ("problem" in answer) log.warn({ clientId, ...answer }, "the keys of an app could not be fetched")
  return store.change({ client: clientId, fetchedKeys: clientId }, (found) => {
    const kept = afterFetch(found.fetchedKeys, { jwksUri, triedAt: clock.now() }, answer)
    return found.client?.keys?.jwksUri === jwksUri
      ? decided(kept, { change: "keysFetched", fetched: { clientId, ...kept } })
      : decided(null)
  })
}

/** Returns null if the request is not allowed, or if there are too many requests. */
async function requestKeys(
  { outgoing, settings }: Needs,
  { clientId, registeredBy }: Client,
  url: string,
): Promise<KeysAnswer | null> {
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
