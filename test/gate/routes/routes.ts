import assert from "node:assert/strict"
import type { Matched } from "../../../src/gate/routes/match.rules.ts"
import type { PathFeature } from "../../../src/gate/routes/path.rules.ts"
import { readTemplate, type Template } from "../../../src/gate/routes/template.rules.ts"

export function templateOf(text: string): Template {
  const read = readTemplate(text)
  return "problem" in read ? assert.fail(`${text}: ${read.problem}`) : read
}

export type Route = Matched & { readonly text: string }

export function route(
  text: string,
  methods: readonly string[] = ["GET"],
  allow: readonly PathFeature[] = [],
): Route {
  return { text, methods, template: templateOf(text), allow }
}
