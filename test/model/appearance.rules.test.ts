import { test } from "node:test"
import assert from "node:assert/strict"
import { defaultAppearance, PRODUCT, readAppearance } from "../../src/model/appearance.rules.ts"

test("a service without settings of its own has the product's own look", () => {
  assert.deepEqual(readAppearance(new Map()), defaultAppearance)
  assert.equal(defaultAppearance.name, PRODUCT)
})
