import { test } from "node:test"
import assert from "node:assert/strict"
import { appearanceWord } from "../../../src/admin/apply/set-up.rules.ts"
import { memberNames } from "../../../src/model/appearance.rules.ts"

test("APPLY-1 the members of the appearance have the names of the API", () => {
  assert.deepEqual(memberNames.map(appearanceWord), [
    ...["name", "color", "logo", "logo_dark"],
    ...["support", "terms", "privacy"],
  ])
})
