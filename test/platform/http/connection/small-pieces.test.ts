/** Small pieces of a body make a connection wait for its turn. Pieces of earlier requests are forgiven. */
import assert from "node:assert/strict"
import { Socket } from "node:net"
import { test } from "node:test"
import { connectionState } from "../../../../src/platform/http/connection/connection-state.ts"
import {
  SMALL_PIECES_A_REQUEST,
  SMALL_PIECES_A_TURN,
} from "../../../../src/platform/http/connection/limits.ts"

/** Whether a connection has to wait if each of its requests brings `pieces` small pieces. */
function waits(requests: number, pieces: number): boolean {
  const socket = new Socket()
  const state = connectionState(socket)
  for (let request = 0; request < requests; request++) {
    state.admits()
    for (let piece = 0; piece < pieces; piece++) state.countSmallPiece()
  }
  const isWaiting = socket.isPaused()
  socket.destroy()
  return isWaiting
}

test("LOAD-1: requests with few small pieces never wait, however many come on one connection", () => {
  assert.equal(waits(100, SMALL_PIECES_A_REQUEST), false)
})

test("LOAD-1: many small pieces wait, in one request or in several", () => {
  assert.equal(waits(1, SMALL_PIECES_A_TURN), true)
  assert.equal(waits(1, SMALL_PIECES_A_TURN - 1), false)
  assert.equal(waits(3, SMALL_PIECES_A_TURN - 1), true)
})
