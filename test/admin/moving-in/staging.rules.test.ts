/** What an import writes at each of its steps. */
import { test } from "node:test"
import assert from "node:assert/strict"
import {
  ALREADY_RUNNING,
  decideAbandoning,
  decideBegin,
  decideFinish,
  decideStaging,
  LOST,
} from "../../../src/admin/moving-in/staging.rules.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import {
  type Import,
  IMPORT_SILENT_SECONDS,
  type ImportedToken,
} from "../../../src/model/moved/import.rules.ts"
import { account } from "../../store/samples.ts"
import { hash, NOW } from "../../support/core-sample.ts"

const begun = { importId: 7, source: "csv", sealedSecret: null }
const staging: Import = { ...begun, state: "staging", begunAt: NOW, seenAt: NOW }
const ended: readonly (Import | null)[] = [
  null,
  { ...staging, state: "abandoned" },
  { ...staging, state: "finished" },
]
const staged = { account: account(1), factors: [] }
const token = { hash: hash("token"), importId: 7 } as ImportedToken

test("MOVE-5 an import begins only while none is open", () => {
  assert.deepEqual(decideBegin(null, begun, NOW), {
    answer: { ok: true, value: staging },
    changes: [{ change: "importSet", import: staging }],
  })
  assert.deepEqual(decideBegin(staging, begun, NOW), {
    answer: { ok: false, error: ALREADY_RUNNING },
    changes: [],
  })
})

test("MOVE-5 each part is staged under the import, and shows that it still runs", () => {
  const now = NOW + 10
  assert.deepEqual(decideStaging(staging, { accounts: [staged], tokens: [token] }, now), {
    answer: { ok: true, value: null },
    changes: [
      { change: "importSet", import: { ...staging, seenAt: now } },
      { change: "accountStaged", staged, importId: 7 },
      { change: "importedTokenAdded", token },
    ],
  })
})

test("MOVE-5 the last change switches everything on, and is in the audit trail", () => {
  const more: Change = { change: "metaSet", key: "k", value: "v" }
  const { answer, changes } = decideFinish(staging, [more], "csv: 2 accounts", NOW + 20)
  assert.equal(answer.ok, true)
  const [finished, second, recorded, ...others] = changes
  assert.deepEqual(finished, {
    change: "importSet",
    import: { ...staging, state: "finished", seenAt: NOW + 20 },
  })
  assert.deepEqual([second, others], [more, []])
  assert.ok(recorded?.change === "eventRecorded")
  assert.deepEqual(
    [recorded.event.kind, recorded.event.at, recorded.event.detail],
    ["imported", NOW + 20, "csv: 2 accounts"],
  )
})

test("MOVE-5 an import that has ended stages and finishes nothing", () => {
  const lost = { answer: { ok: false, error: LOST }, changes: [] }
  for (const found of ended) {
    assert.deepEqual(decideStaging(found, { accounts: [staged], tokens: [token] }, NOW), lost)
    assert.deepEqual(decideFinish(found, [], "", NOW), lost)
  }
})

test("MOVE-5 another process ends an import that has shown nothing since it was judged, its own at once", () => {
  assert.equal(IMPORT_SILENT_SECONDS, 15)
  const abandoned: Import = { ...staging, state: "abandoned" }
  const nothing = { answer: null, changes: [] }
  const done = { answer: abandoned, changes: [{ change: "importSet", import: abandoned }] }
  assert.deepEqual(decideAbandoning(staging, null), done)
  assert.deepEqual(decideAbandoning(staging, staging), done)
  for (const seenAt of [NOW + 1, NOW - 1])
    assert.deepEqual(decideAbandoning({ ...staging, seenAt }, staging), nothing, "it runs")
  assert.deepEqual(decideAbandoning(abandoned, { ...staging, seenAt: NOW - 9 }), done, "its rows may be left")
})

test("MOVE-5 a finished import stays, and so does one that is gone", () => {
  for (const silent of [null, staging])
    for (const found of [null, { ...staging, state: "finished" } as const])
      assert.deepEqual(decideAbandoning(found, silent), { answer: null, changes: [] })
})
