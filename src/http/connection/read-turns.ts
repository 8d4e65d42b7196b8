/**
 * Connections whose bytes are costly to parse take turns: one read of one of them, then a pause in which everything else
 * is served. A read cannot be parsed in part, and Node would read up to two megabytes from each before it looks elsewhere.
 */
import type { Socket } from "node:net"
import { TURN_MS } from "./limits.ts"

const waiting: { readonly socket: Socket; readonly proceed: () => void }[] = []
let timer: NodeJS.Timeout | null = null

export function awaitTurn(socket: Socket, proceed: () => void): void {
  waiting.push({ socket, proceed })
  timer ??= setTimeout(nextTurn, TURN_MS)
}

function nextTurn(): void {
  timer = null
  let next = waiting.shift()
  while (next?.socket.destroyed === true) next = waiting.shift()
  next?.proceed()
  if (waiting.length > 0) timer ??= setTimeout(nextTurn, TURN_MS)
}
