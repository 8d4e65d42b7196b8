/** Signs people in to real apps with OpenID Connect: default settings but for PKCE and `state`. */
import assert from "node:assert/strict"
import { before, describe, test } from "node:test"
import { needsNginx } from "../../deploy/nginx.ts"
import { wholeFile } from "../../support/spawn.ts"
import { goPrograms, needsGoModules } from "./go.ts"
import { needsPackages, nodePrograms } from "./node.ts"
import { needsPythonPackages, pythonPrograms } from "./python.ts"
import { type OpenidService, openService, PERSON } from "./service.ts"
import { Site, type SiteProgram } from "./site.ts"

const file = wholeFile()
let service: OpenidService

describe("apps that speak OpenID Connect", { ...needsNginx }, () => {
  before(async () => {
    service = await openService(file)
  })
  for (const program of nodePrograms) describe(program.name, needsPackages, () => signsIn(program))
  for (const program of goPrograms(file)) describe(program.name, needsGoModules, () => signsIn(program))
  for (const program of pythonPrograms) describe(program.name, needsPythonPackages, () => signsIn(program))
})

function signsIn(program: SiteProgram): void {
  let site: Site

  test("OIDC-1, OIDC-2, OIDC-3, SIGN-2: it signs its visitor in with its id_token and userinfo", async () => {
    site = await Site.open(service, program)
    assert.match(await site.visit("authorize"), new RegExp(PERSON.email))
  })

  test("AUTHZ-11: refused, it signs no visitor in", async () => {
    assert.doesNotMatch(await site.visit("refuse"), new RegExp(PERSON.email))
  })
}
