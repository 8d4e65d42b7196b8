import { test } from "node:test"
import assert from "node:assert/strict"
import { isServedBy, served, servedMethods, templateKey } from "../../../src/gate/openapi/served.rules.ts"
import { explicit } from "./openapi.ts"

const template = (path: string) => explicit("GET", path, "").template

test("GATE-15 a route for GET also serves HEAD, once", () => {
  assert.deepEqual(servedMethods({ methods: ["PUT", "GET"] }), ["PUT", "GET", "HEAD"])
  assert.deepEqual(servedMethods({ methods: ["HEAD", "GET"] }), ["HEAD", "GET"])
  assert.deepEqual(servedMethods({ methods: ["HEAD"] }), ["HEAD"])
  assert.deepEqual(servedMethods({ methods: [] }), [])
})

test("GATE-15 two templates have one key if they differ in the names of parameters alone", () => {
  const key = (path: string, method = "GET") => templateKey(template(path), method)
  assert.equal(key("/a/{x}/b"), key("/a/{y}/b"))
  assert.equal(key("/a/{x*}"), key("/a/{rest*}"))
  const paths = ["/", "/a", "/a/", "/A", "/a/{x}", "/a/{x}/", "/a/{x*}", "/{x}/{y}", "/{x}", "/a/x", "/ax"]
  assert.equal(new Set(paths.map((path) => key(path))).size, paths.length)
  assert.notEqual(key("/a"), key("/a", "HEAD"))
})

test("GATE-15 what a list of routes serves is found by template and method", () => {
  const keys = served([explicit("GET", "/a/{id}", "a"), explicit("PUT", "/b", "b")])
  assert.equal(isServedBy(keys, template("/a/{name}"), "GET"), true)
  assert.equal(isServedBy(keys, template("/a/{name}"), "HEAD"), true)
  assert.equal(isServedBy(keys, template("/a/{name}"), "PUT"), false)
  assert.equal(isServedBy(keys, template("/b"), "HEAD"), false)
  assert.equal(isServedBy(keys, template("/a/me"), "GET"), false, "a more specific path is another one")
  assert.equal(isServedBy(served([]), template("/b"), "PUT"), false)
})
