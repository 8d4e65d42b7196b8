/**
 * Connections with bodies in many small pieces take turns: one read of one connection every 30 ms. Node cannot parse a
 * part of a read, and would read up to two megabytes of each connection at once.
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
