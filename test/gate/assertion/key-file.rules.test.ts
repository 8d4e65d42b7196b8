import { test } from "node:test"
import assert from "node:assert/strict"
import { keyFileProblem } from "../../../src/gate/assertion/key-file.rules.ts"

test("GATE-12 a key is used only if the user of the gate alone could write and read it", () => {
  assert.equal(keyFileProblem({ mode: 0o100600, uid: 1000 }, 1000), null)
  assert.equal(keyFileProblem({ mode: 0o100600, uid: 65_534 }, 0), "belongs to another user")
  assert.equal(keyFileProblem({ mode: 0o100640, uid: 1000 }, 1000), "can be read by other users")
  assert.equal(keyFileProblem({ mode: 0o100604, uid: 1000 }, 1000), "can be read by other users")
})
