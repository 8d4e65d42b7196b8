/** Tests nginx, HAProxy and Caddy with the configurations of `gate snippet`, before a real gate and a real app. */
import assert from "node:assert/strict"
import { before, test } from "node:test"
import { wholeFile } from "../../support/spawn.ts"
import { attacksByHttp2, tryAttack } from "./attacks.ts"
import { GuardedApp } from "./guarded-app.ts"
import { installedPrograms, type RunningProxy } from "./proxy.ts"
import {
  checkGateKilled,
  checkManyPermissions,
  checkPublic,
  checkServiceDown,
  checkServiceSlow,
  checkTokens,
} from "./states.ts"

const file = wholeFile()
const programs = installedPrograms().filter(({ path }) => path !== null)
const proxies = new Map<string, RunningProxy>()
let guarded: GuardedApp

before(async () => {
  guarded = await GuardedApp.open(file)
  const started = await Promise.all(programs.map((program) => guarded.guard(file, program)))
  for (const proxy of started) proxies.set(proxy.name, proxy)
})

const named = (name: string) => {
  const proxy = proxies.get(name)
  if (proxy === undefined) throw new Error(`${name} was not started`)
  return proxy
}

for (const { name } of programs) {
  test(`PROXY-1, PROXY-2, PROXY-5: ${name} passes what the gate allows and refuses the rest, with the challenge`, () =>
    checkTokens(guarded, named(name)))

  test(`PROXY-1: ${name} passes public routes without an identity, and metadata from the gate`, () =>
    checkPublic(guarded, named(name)))
}

test("PROXY-1, PROXY-4: all published attacks are harmless by HTTP/2 over TLS, as the configurations are printed", async () => {
  const secured = await Promise.all(programs.map((program) => guarded.guard(file, program, true)))
  for (const proxy of secured) await checkPublic(guarded, proxy)
  assert.ok((await tryAttack(guarded, secured, ...attacksByHttp2)) > 100)
})

test("PROXY-1: all identity headers arrive, however long they and the client's own are, or nothing does", () =>
  checkManyPermissions(guarded, [...proxies.values()]))

test("PROXY-4: no upgrade to HTTP/2 reaches the app", async () => {
  assert.ok((await tryAttack(guarded, [...proxies.values()], "upgrades")) > 0)
})

test("PROXY-3: nothing passes a proxy while the service is slow or down, or without the gate", async () => {
  const all = [...proxies.values()]
  await checkServiceSlow(guarded, all)
  await checkServiceDown(guarded, all)
  await checkGateKilled(guarded, all)
})
