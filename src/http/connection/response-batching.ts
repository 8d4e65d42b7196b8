/**
 * Answers that are ready in one turn of the event loop leave together. Written at once, each would wake its client
 * (a proxy on the same machine, most of all), which sends the next request alone: soon every turn has one request, with a
 * wake-up, a wait for all sockets and a transaction for itself. This way requests come in company, as their answers went.
 * docs/decisions/0013-answers-leave-together.md has the figures.
 */
import type { ServerResponse } from "node:http"

/** More would keep the other side idle meanwhile. */
const ANSWERS_AT_MOST = 32
/** A few pages: what is held longer is copied by the garbage collector. Counted in letters. */
const LENGTH_AT_MOST = 65_536

type Ready = {
  readonly raw: ServerResponse
  readonly body: string | Buffer | undefined
  readonly encoding: BufferEncoding
}

let ready: Ready[] = []
let length = 0
/** How many came in one callback: those of one commit do, and are company enough. */
let ofThisCallback = 0

/** Ends `raw`, whose head is written, with `body`: at the end of this turn at the latest. */
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
