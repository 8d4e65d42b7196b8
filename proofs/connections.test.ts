/** Runs a small part of `npm run prove -- --only connections`. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { connections } from "./connections/connections.ts"
import { slice } from "./slice.ts"

test("idle and slow connections, and no descriptor left, leave other clients served", async (t) => {
  const figures = await connections.prove(slice(t, "sqlite", 0.02))
  assert.ok(Number(figures["connections open at once"]) >= 100, JSON.stringify(figures))
  assert.ok(Number(figures["closed at the limit"]) > 0, JSON.stringify(figures))
})
