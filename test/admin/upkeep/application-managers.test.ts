import assert from "node:assert/strict"
import { test } from "node:test"
import { checkProvider } from "../../../src/admin/providers/check.ts"
import { appProblem, managerProblem, warnOfManagers } from "../../../src/admin/upkeep/application-managers.ts"
import { setAppEnabled } from "../../../src/apps/app.ts"
import type { ClientId } from "../../../src/kernel/ids.ts"
import { fixture } from "../../support/fixture.ts"
import { providerAt } from "../../support/oidc.ts"
import { Product } from "../../support/product.ts"
import { recordLog } from "../../support/record-log.ts"
import { OPERATOR } from "../../support/test-server.ts"

const { testServer } = await fixture()
const of = (manager: string | null) => new Product(() => 0).provider({ manager })

test("LOGIN-23 a manager that is no app with a service account is a finding and a warning", async () => {
  await testServer.addServiceAccount("robot")
  const bound = await testServer.addBoundApp("robot")
  const loose = await testServer.addApp({ type: "confidential" })
  const problem = (manager: string | null) => managerProblem(testServer, of(manager))
  assert.equal(await problem(null), null)
  assert.equal(await problem(bound.clientId), null)
  assert.equal(await managerProblem(testServer, providerAt("https://id.example")), null)
  assert.match((await problem("unknown")) ?? "", /There is no app unknown/)
  assert.match((await problem(loose.clientId)) ?? "", /acts as no service account/)
})

test("LOGIN-23 provider check and the log of a start name it", async () => {
  const providers = new Map([["shop", of("unknown")]])
  const findings = await checkProvider(testServer.latchkey, of("unknown"), null)
  assert.deepEqual(findings.at(-1), { check: "manager", state: "warning", seen: "There is no app unknown." })
  const { log, lines } = recordLog()
  await warnOfManagers({ store: testServer.store, providers, log })
  assert.deepEqual(
    lines.map(({ provider, problem }) => [provider, problem]),
    [["shop", "There is no app unknown."]],
  )
})

test("ORG-11 an app that an organization's word cannot connect is named", async () => {
  const { clientId: open } = await testServer.addApp({ type: "public" })
  const { clientId } = await testServer.addApp({ type: "confidential" })
  const problem = (id: string) => appProblem(testServer, id as ClientId, false)
  assert.equal(await problem(clientId), null)
  assert.equal(await problem("https://agent.example/client"), null)
  assert.match((await problem("unknown")) ?? "", /There is no app unknown/)
  assert.match((await problem(open)) ?? "", /is public/)
  assert.ok((await setAppEnabled(testServer.latchkey, clientId, false, OPERATOR)).ok)
  assert.match((await problem(clientId)) ?? "", /is disabled/)
})
