/** Keys that an issuer or a client publishes, and the copies of them. `kept-keys.rules.ts` decides. Interface STATE-3. */
import { parseHttpsUrl } from "../../kernel/https-url.ts"
import { type Json, type JsonObject, parseJson } from "../../kernel/json.ts"
import { FETCHED_KEYS_PAUSE_SECONDS, ISSUER_KEY_SET_BYTES_AT_MOST } from "../../kernel/limits.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { parseIssuerKeySet, writeKeySet } from "../../model/clients/key-set.rules.ts"
import { discoveryOf } from "../../model/clients/workload.rules.ts"
import type { Services } from "../services/services.ts"
import { afterFetch, type KeptKeys, type KeysAnswer, usableCopy } from "./kept-keys.rules.ts"

type Needs = Pick<Services, "clock" | "outgoing" | "log">

/** Published keys, and the place of their copy. */
export type PublishedKeys = {
  /** The name of the copy. Concurrent requests for one name and URL share an answer. */
  readonly name: string
  readonly url: string
  readonly read: () => Promise<KeptKeys | null>
  /** Returns null if no request was sent. Nothing is kept then. */
  readonly request: () => Promise<KeysAnswer | null>
  /** Keeps the answer. `isForMissingKey` says whether only an unknown key caused the request. */
  readonly keep: (answer: KeysAnswer, isForMissingKey: boolean) => Promise<KeptKeys | null>
}

/**
 * Keys of an issuer that the operator named: at their URL, or by discovery (OpenID Connect Discovery §4). The host may
 * have an address in `allowedRanges`, which are those of a provider's entry. Null stands for the ranges of `outgoing`,
 * which are not for another host that the metadata name.
 */
export type IssuerKeys = ({ readonly jwksUri: string } | { readonly issuer: string }) & {
  readonly allowedRanges: readonly string[] | null
}

const underway = new Map<string, Promise<KeptKeys | null>>()

/** Requests and keeps keys. Concurrent calls share one request, until its result is kept. */
export function fetchKeys(keys: PublishedKeys, isForMissingKey: boolean): Promise<KeptKeys | null> {
  const name = `${keys.name} ${keys.url}`
  const kept = async () => {
    const answer = await keys.request()
    return answer === null ? null : keys.keep(answer, isForMissingKey)
  }
  const fetched = underway.get(name) ?? kept().finally(() => underway.delete(name))
  underway.set(name, fetched)
  return fetched
}

/** The copies of a node. There are as many as the configuration and administrators name issuers, at most this number. */
const KEPT_AT_MOST = 1000
/** While no copy is usable, no statement of the issuer counts, so that a failure is tried again soon. */
const RETRY_SECONDS = 5
const memories = new WeakMap<Needs["outgoing"], Map<string, KeptKeys>>()

/** An issuer's keys are kept in memory. After a restart they are requested again. */
export function keysOfIssuer(services: Needs, source: IssuerKeys): PublishedKeys {
  const { outgoing, clock, log } = services
  const memory = memories.get(outgoing) ?? new Map<string, KeptKeys>()
  memories.set(outgoing, memory)
  const name = JSON.stringify(source)
  const url = "jwksUri" in source ? source.jwksUri : discoveryOf(source.issuer)
  return {
    name,
    url,
    read: () => Promise.resolve(memory.get(name) ?? null),
    request: () => requestKeys(outgoing, source, url),
    keep: (answer, isForMissingKey) => {
      const stored = memory.get(name) ?? null
      const now = clock.now()
      if ("problem" in answer) log.warn({ url, ...answer }, "the keys of an issuer could not be fetched")
      const kept = afterFetch(stored, { jwksUri: url, triedAt: now }, answer)
      // A key that appears right after an ordinary request is found at once. Only then does the pause begin.
      const isPaused = isForMissingKey || "problem" in answer
      const retriedFrom = now - FETCHED_KEYS_PAUSE_SECONDS + RETRY_SECONDS
      const triedAt =
        usableCopy(kept, url, now) === null ? retriedFrom : isPaused ? now : (stored?.triedAt ?? 0)
      memory.delete(name)
      const [oldest] = memory.keys()
      if (memory.size >= KEPT_AT_MOST && oldest !== undefined) memory.delete(oldest)
      memory.set(name, { ...kept, triedAt })
      return Promise.resolve(kept)
    },
  }
}

type Answered = Result<Json | undefined, Problem> | null

async function requestKeys(
  outgoing: Needs["outgoing"],
  source: IssuerKeys,
  url: string,
): Promise<KeysAnswer | null> {
  let answer = await requestJson(outgoing, source, url)
  if (answer?.ok === true && "issuer" in source) {
    const place = placeIn(answer.value, source.issuer)
    answer = place.ok
      ? await requestJson(outgoing, source, place.value, hostOf(place.value) === hostOf(url))
      : place
  }
  if (answer === null) return null
  const keys = answer.ok ? parseIssuerKeySet(answer.value) : answer
  return keys.ok ? { jwks: writeKeySet(keys.value) } : { problem: keys.error }
}

/** Returns the `jwks_uri` of metadata. They must name the issuer byte for byte. */
function placeIn(metadata: Json | undefined, issuer: string): Result<string, Problem> {
  const members: JsonObject = metadata instanceof Map ? (metadata as JsonObject) : new Map()
  if (members.get("issuer") !== issuer) return err("The metadata do not name this issuer.")
  const place = members.get("jwks_uri")
  const url = parseHttpsUrl(typeof place === "string" ? place : "")
  return url.ok ? ok(String(place)) : err(`The metadata have no usable jwks_uri: ${url.error}`)
}

function hostOf(url: string): string | null {
  const parsed = parseHttpsUrl(url)
  return parsed.ok ? parsed.value.host : null
}

/** Returns null if too many requests are under way. */
async function requestJson(
  outgoing: Needs["outgoing"],
  { allowedRanges }: IssuerKeys,
  url: string,
  isHostNamed = true,
): Promise<Answered> {
  const bytesAtMost = ISSUER_KEY_SET_BYTES_AT_MOST
  const answer =
    allowedRanges === null
      ? await outgoing.getJson({ url, cause: "registered-keys", isHostNamed, bytesAtMost })
      : await outgoing.sendToProvider({ url, allowedRanges, bytesAtMost })
  if (!answer.ok) return answer.error.reason === "tooManyRequests" ? null : err(answer.error.description)
  if ("json" in answer.value) return ok(answer.value.json)
  const { status, text } = answer.value
  return status === 200 ? ok(parseJson(text)) : err(`The host answered with status ${status}.`)
}
