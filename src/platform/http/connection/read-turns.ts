/**
 * Connections whose bodies consist of many small pieces take turns. Every 30 ms, one of them may read once. Node cannot
 * parse a part of a read. Without turns, Node would read up to two megabytes from each connection at once.
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
