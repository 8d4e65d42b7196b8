/** Runs a small part of `npm run prove -- --only postgres`: one fail-over of each kind. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { needsPostgres } from "../test/support/postgres.ts"
import { failOver } from "./postgres/postgres.ts"
import { slice } from "./slice.ts"

test(
  "CRED-1, CRED-3, CODE-1, CODE-3, SVC-2: a synchronous standby that takes over has everything that was answered",
  needsPostgres,
  async (t) => {
    const figures = await failOver(slice(t, "postgres", 0.1))
    assert.ok(Number(figures["fail-over to a synchronous standby: acknowledged answers"]) > 0)
  },
)
