import { test } from "node:test"
import assert from "node:assert/strict"
import { appOf, leftBehind } from "../../../src/admin/moving-in/moved.rules.ts"
import { movedApp } from "./objects.ts"

test("MOVE-6 an app without a name is called by its client_id", () => {
  assert.deepEqual(appOf(movedApp()), { kind: "app", app: movedApp(), skipped: [] })
  assert.deepEqual(appOf(movedApp({ name: "" })), {
    kind: "app",
    app: movedApp({ name: "old-app.1" }),
    skipped: [],
  })
})

test("MOVE-3 what stays behind is reported, or passed over", () => {
  assert.deepEqual(leftBehind(), { kind: "skipped", skipped: [] })
  assert.deepEqual(leftBehind({ what: "app", name: "a", reason: "SAML." }), {
    kind: "skipped",
    skipped: [{ what: "app", name: "a", reason: "SAML." }],
  })
})
