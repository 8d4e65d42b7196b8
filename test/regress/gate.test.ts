/** Published flaws of servers that decide for a proxy, tried from outside through nginx, HAProxy and Caddy. */
import assert from "node:assert/strict"
import { before, test } from "node:test"
import { type AttackName, tryAttack } from "../gate/proxies/attacks.ts"
import { GuardedApp } from "../gate/proxies/guarded-app.ts"
import { installedPrograms, type RunningProxy } from "../gate/proxies/proxy.ts"
import { wholeFile } from "../support/spawn.ts"

const file = wholeFile()
let guarded: GuardedApp
let proxies: readonly RunningProxy[]

before(async () => {
  guarded = await GuardedApp.open(file)
  const programs = installedPrograms().filter(({ path }) => path !== null)
  proxies = await Promise.all(programs.map((program) => guarded.guard(file, program)))
})

async function harmless(...names: readonly AttackName[]): Promise<void> {
  assert.ok((await tryAttack(guarded, proxies, ...names)) >= proxies.length)
}

test("CVE-2026-40575, GHSA-7x63-xv5r-3p2x, oauth2-proxy #3506: a client's header names another path", () =>
  harmless("claimsAnotherPath", "claimsBesideAToken"))

test("GHSA-5hvv-m4w4-gf6v, oauth2-proxy #3478: a user agent or an address is trusted", () =>
  harmless("claimsToBeTrusted"))

test("GHSA-pxq7-h93f-9jrg: a fragment hides the path", () => harmless("fragments"))

test("CVE-2026-35051: a prefix in a header changes the path", () =>
  harmless("claimsAnotherPath", "ownAddresses"))

test("CVE-2026-39858, CVE-2026-33433, CVE-2026-54763: an identity header in another spelling reaches the app", () =>
  harmless("identityHeaders"))

test("GHSA-7r4p-vjf4-gxv4, GHSA-f59h-q822-g45g: the client's identity header stays where the gate sets none", () =>
  harmless("identityHeaders", "hopByHop"))

test("CVE-2026-25748, authentik #18063: a malformed credential is answered with 200", () =>
  harmless("malformedTokens"))

test("CVE-2026-48794: the case of the host decides", () => harmless("hosts", "hostBesideAuthority"))

test("GHSA-68wm-pfjf-wqp6: a malformed path is answered with 200", () => harmless("malformedPaths"))

test("CVE-2026-15573, CVE-2026-42274, GHSA-x732-6j76-qmhm: a slash or a matrix parameter passes the matcher", () =>
  harmless("matchers"))

test("CVE-2019-9901, envoy #44397: dot segments lead the app elsewhere", () => harmless("dotSegments"))

test("envoy #8355, CVE-2026-63177: a request without a route is not checked", () =>
  harmless("hosts", "methods", "ownAddresses"))
