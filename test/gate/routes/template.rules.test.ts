import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { folded } from "../../../src/gate/routes/fold.rules.ts"
import { bySpecificity, readTemplate } from "../../../src/gate/routes/template.rules.ts"
import { templateOf } from "./routes.ts"

test("GATE-3 templates are checked", () => {
  for (const text of [
    "users",
    "/users/{id}.json",
    "/{a*}/b",
    "/{a*}/",
    "/a//b",
    "/a/../b",
    "/a%2fb",
    "/a;b",
    "/a?b",
    "/{",
  ])
    assert.ok("problem" in readTemplate(text), text)
  for (const text of ["/", "/a/", "/{a}/{b*}", "/caf%C3%A9", "/.well-known/x"])
    assert.ok(!("problem" in readTemplate(text)), text)
})

test("GATE-3 a template has decoded texts, and null for each parameter", () => {
  assert.deepEqual(templateOf("/Caf%C3%A9/{id}/"), {
    text: "/Caf%C3%A9/{id}/",
    segments: ["Café", null],
    folded: ["café", null],
    takesRest: false,
    trailingSlash: true,
  })
  assert.deepEqual(templateOf("/"), {
    text: "/",
    segments: [],
    folded: [],
    takesRest: false,
    trailingSlash: false,
  })
  const { segments, takesRest } = templateOf("/files/{path.to-file_1*}")
  assert.deepEqual([segments, takesRest], [["files", null], true])
})

describe("GATE-5 the problem with a template is named", () => {
  const problems: Readonly<Record<string, RegExp>> = {
    users: /^expected a path that begins with \/$/,
    "/a?b": /^a path has no query$/,
    "/{a*}/b": /^\{a\*\} must be the end of the path$/,
    "/{a*}/": /^\{a\*\} must be the end of the path$/,
    "/{id}.json": /^\{id\}\.json: a parameter such as \{id\} must be a whole segment$/,
    "/{}": /^\{\}: a parameter/,
    "/{a b}": /^\{a b\}: a parameter/,
    "/a/..": /^the path contains a dot segment$/,
    "/a\\b": /^the path contains a backslash$/,
    "/a#b": /^the path contains a fragment$/,
    "/%zz": /^the path contains invalid percent-encoding$/,
    "/a//b": /^a path has no empty segment, encoded slash or semicolon$/,
    "/a%2fb": /^a path has no empty segment/,
    "/a;b": /^a path has no empty segment/,
  }
  for (const [text, problem] of Object.entries(problems))
    test(text, () => {
      const read = readTemplate(text)
      assert.match("problem" in read ? read.problem : "", problem)
    })
})

test("GATE-4 letters that a server takes for others are compared as those", () => {
  for (const text of ["ADMIN", "ａｄｍｉｎ", "adm\u0130n", "adm\u0131n"]) assert.equal(folded(text), "admin")
})

test("GATE-3 from the left, a text comes before a parameter, and that before one that takes the rest", () => {
  const ordered = ["/a/b", "/a/{x}", "/a", "/a/{x*}", "/{x}/b", "/{x}/{y}", "/{x}", "/{x*}"]
  const templates = ordered.map(templateOf)
  for (const [at, one] of templates.entries())
    for (const [other, next] of templates.entries()) {
      const compared = Math.sign(bySpecificity(one, next))
      assert.equal(compared, Math.sign(at - other), `${one.text} and ${next.text}`)
    }
})

test("GATE-3 neither the text of a segment nor the name of a parameter makes a template more specific", () => {
  assert.equal(bySpecificity(templateOf("/a/{x}"), templateOf("/b/{y}")), 0)
  assert.equal(bySpecificity(templateOf("/{x*}"), templateOf("/{y*}")), 0)
  assert.equal(bySpecificity(templateOf("/a"), templateOf("/a/")), 0)
})
