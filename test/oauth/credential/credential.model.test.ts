/**
 * Random lives of a credential. An ended credential stays ended. At most one refresh token is in force. Generations
 * only grow. A credential keeps its size.
 *
 * For any order of exchanges, refreshes, forgeries, revocations and clock jumps, the tables must decide as the model
 * does. The walks must reach every cell of both tables.
 */
import { test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import { RETIREMENTS_KEPT } from "../../../src/kernel/limits.ts"
import { codeTable } from "../../../src/oauth/token/grants/authorization-code.rules.ts"
import { type Credential, familyOf } from "../../../src/model/credential.rules.ts"
import { credentialTable } from "../../../src/oauth/credential/credential-table.rules.ts"
import { walk, Walker } from "./credential-walk.ts"

/** Checks what must hold between a credential and its state one step earlier. */
function holdsTo(before: Credential, walker: Walker): void {
  const { credential } = walker
  if (before.life.state === "revoked" || before.life.state === "ended") assert.equal(credential, before)
  assert.equal(credential.consent, before.consent)
  assert.ok((familyOf(credential)?.generation ?? 0) >= (familyOf(before)?.generation ?? 0))
  assert.equal(walker.tokensInForce(), familyOf(credential) === null ? 0 : 1)
  const family = familyOf(credential)
  assert.ok((family?.accessTokens.length ?? 0) <= 32)
  assert.ok((family?.retirements.length ?? 0) <= RETIREMENTS_KEPT)
  for (const token of family?.accessTokens ?? []) assert.ok(token.expiresAt <= credential.consent.endsAt)
}

function cellsOf(name: string, table: Readonly<Record<string, Readonly<Record<string, unknown>>>>): string[] {
  return Object.entries(table).flatMap(([state, cells]) =>
    Object.keys(cells).map((event) => `${name} ${state} ${event}`),
  )
}

test("CODE-1…CODE-3, CRED-1…CRED-4, AUTH-7 every life goes as the tables say, and every cell is reached", () => {
  const reached = new Set<string>()
  fc.assert(
    fc.property(walk, ({ lifetime, steps }) => {
      const walker = new Walker(lifetime, reached)
      for (const step of steps) {
        const before = walker.credential
        walker.take(step)
        holdsTo(before, walker)
      }
    }),
    { numRuns: 3000, seed: 8628 },
  )
  const cells = [...cellsOf("code", codeTable), ...cellsOf("credential", credentialTable)]
  assert.deepEqual([...reached].sort(), cells.sort(), "every cell is reached")
})
