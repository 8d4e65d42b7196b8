import assert from "node:assert/strict"
import { test } from "node:test"
import { workloadShape } from "../../../src/admin/apps/workload-shape.rules.ts"
import { parseWorkload } from "../../../src/model/clients/workload.rules.ts"

const parse = (value: Readonly<Record<string, string | number>>) =>
  workloadShape.parse(new Map(Object.entries(value)), "body.workload")

test("WORK-1 a workload in JSON has its three texts, and its example can be set", () => {
  const { example } = workloadShape
  assert.deepEqual(parse(example), { ok: true, value: example })
  assert.ok(parseWorkload(example).ok)
  for (const member of ["issuer", "audience", "subject"]) {
    assert.match(
      JSON.stringify(parse({ ...example, [member]: 1 })),
      new RegExp(`body.workload.${member} is not`),
    )
    const { [member]: _, ...rest } = example as Readonly<Record<string, string>>
    assert.equal(parse(rest).ok, false)
  }
  assert.equal(parse({ ...example, more: "x" }).ok, false)
})
