/** A shape and its JSON Schema must accept the same values. */
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { Ajv2020 } from "ajv/dist/2020.js"
import fc from "fast-check"
import { parseJson } from "../../../src/kernel/json.ts"
import { description } from "../../../src/admin/api/description.ts"
import { operations } from "../../../src/admin/operations.ts"
import {
  flag,
  list,
  optional,
  orNull,
  record,
  schemaOf,
  type Shape,
  text,
  integer,
} from "../../../src/platform/json/shape.rules.ts"

const bodies = operations.flatMap(({ id, body }) =>
  body === null || "picture" in body ? [] : [{ id, shape: body as Shape<unknown> }],
)

/** This shape is deeper than any request body. */
const deep = record("Deep", {
  inner: list(
    "a",
    record(null, { number: integer("a", 1, { least: -5, most: 5 }), either: optional(orNull(flag("b"))) }),
    { most: 3 },
  ),
  word: orNull(text("c", "abc", { least: 2, most: 5 })),
})

/** The shapes with a name, to which others refer. */
const { components } = description("https://id.example", operations)

const ajv = new Ajv2020({ strict: false, validateFormats: false })

function readsLikeItsSchema(shape: Shape<unknown>): void {
  const validate = ajv.compile({ ...shape.schema, components })
  const properties = Object.keys(shape.schema["properties"] as object)
  const examples = Object.values(shape.example as object) as unknown[]
  const value = fc.oneof(fc.constantFrom(...examples), fc.boolean(), fc.jsonValue({ maxDepth: 3 }))
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...properties) },
    fc.constantFrom("", "__proto__", "other"),
  )
  const near = fc.dictionary(name, value, { maxKeys: properties.length + 1 })
  fc.assert(
    fc.property(fc.oneof(near, fc.jsonValue(), fc.constant(shape.example)), (sent) => {
      const written = JSON.stringify(sent)
      const json = parseJson(written)
      assert.ok(json !== undefined, written)
      const parsed = shape.parse(json, "body")
      assert.equal(parsed.ok, validate(JSON.parse(written)), `${written}: ${JSON.stringify(parsed)}`)
      if (!parsed.ok)
        assert.match(
          parsed.error,
          /^(?:body.*|".*" is not a member of (?:this body|body\..*); see \/api\/openapi\.json)\.$/s,
        )
      else assert.deepEqual(parsed.value, JSON.parse(written))
    }),
    { numRuns: 300 },
  )
}

describe("API-8, API-11: what is read is what the schema allows, and the other way round", () => {
  for (const { id, shape } of bodies) test(id, () => readsLikeItsSchema(shape))
  test("one that is deeper", () => readsLikeItsSchema(deep))
})

test("API-8: what has a name stands under it, and is referred to", () => {
  assert.deepEqual(schemaOf(deep), { $ref: "#/components/schemas/Deep" })
  const outer = record(null, { deep: optional(deep), none: orNull(deep) })
  assert.deepEqual(outer.schema["required"], ["none"])
  assert.deepEqual(outer.schema["properties"], {
    deep: { $ref: "#/components/schemas/Deep" },
    none: { anyOf: [{ $ref: "#/components/schemas/Deep" }, { type: "null" }] },
  })
})
