/**
 * Sends all responses of one turn of the event loop together. A response that is sent alone wakes its client or proxy,
 * and the next request then also comes alone. Each turn would serve one request with its own wake-up and transaction.
 * Batched responses lead to batched requests. docs/decisions/0013-answers-leave-together.md has the measurements.
 */
import type { ServerResponse } from "node:http"

/** The maximum number of responses in a batch. Clients would wait for a larger batch. */
const ANSWERS_AT_MOST = 32
/** The maximum length of a batch in characters. The garbage collector would copy buffers that stay longer. */
const LENGTH_AT_MOST = 65_536

type Ready = {
  readonly raw: ServerResponse
  readonly body: string | Buffer | undefined
  readonly encoding: BufferEncoding
}

let ready: Ready[] = []
let length = 0
/** Some callbacks, such as after a commit, send several responses. They leave at the end of the callback. */
let ofThisCallback = 0

/** Queues the body of a response whose head is written. The response is sent at the end of this turn, or earlier. */
export function queueResponse(
  raw: ServerResponse,
  body: string | Buffer | undefined,
  encoding: BufferEncoding,
): void {
  if (ready.length === 0) setImmediate(endAll)
  ready.push({ raw, body, encoding })
  length += body?.length ?? 0
  if (ofThisCallback++ === 0) process.nextTick(callbackOver)
  if (ready.length >= ANSWERS_AT_MOST || length >= LENGTH_AT_MOST) endAll()
}

function callbackOver(): void {
  const count = ofThisCallback
  ofThisCallback = 0
  if (count > 1) endAll()
}

function endAll(): void {
  const all = ready
  ready = []
  length = 0
  for (const { raw, body, encoding } of all) {
    if (body === undefined) raw.end()
    else raw.end(body, encoding)
  }
}
