/**
 * Tests the locks of a change while it decides. A transaction of another node has not committed yet. The change must
 * wait for it and then decide on the new rows. Without the lock, it would not wait.
 */
import assert from "node:assert/strict"
import { describe, it, type TestContext } from "node:test"
import type { GrantId, TokenId } from "../../../../src/kernel/ids.ts"
import { type Change, type Decided, decided } from "../../../../src/model/change.rules.ts"
import type { Connection } from "../../../../src/store/postgres/driver/connection.ts"
import { ADMINISTRATORS } from "../../../../src/store/postgres/locking/locks.ts"
import { openConnection } from "../../../support/open-connection.ts"
import { openPostgres } from "../../../../src/store/postgres/postgres-store.ts"
import type { Store } from "../../../../src/store/store.ts"
import { freshDatabase, needsPostgres, rowsOf, WAITING_FOR_LOCK } from "../../../support/postgres.ts"
import { anImport, importedToken } from "../../import-samples.ts"
import {
  account,
  active,
  approval,
  client,
  deviceGrant,
  factors,
  hash,
  id,
  invitation,
  issued,
  NOW,
  session,
} from "../../samples.ts"

const { userId } = account()
const { clientId } = client()
const other = account(1, { admin: true })

type Case = {
  readonly title: string
  /** The changes that are stored before. */
  readonly before?: readonly Change[]
  /** The statements that the other node has run but not committed. */
  readonly held: readonly string[]
  readonly change: (store: Store) => Promise<unknown>
  /** The result of the change after the other node has committed. */
  readonly answer: unknown
}

const cases: readonly Case[] = [
  {
    title: "CONSENT of an account that is being removed",
    held: [
      `SELECT 1 FROM account WHERE user_id = '${userId}' FOR UPDATE`,
      `DELETE FROM account WHERE user_id = '${userId}'`,
    ],
    change: (store) =>
      store.change({ account: userId }, ({ account: person }) =>
        person === null
          ? decided("gone")
          : decided("granted", { change: "credentialAdded", credential: issued() }),
      ),
    answer: "gone",
  },
  {
    title: "CONSENT, by a rule that did not ask for the account",
    held: [`UPDATE account SET enabled = 0 WHERE user_id = '${userId}'`],
    change: (store) =>
      store.change({ spentTicket: id<TokenId>("t") }, () =>
        decided("granted", { change: "credentialAdded", credential: issued() }),
      ),
    answer: "granted",
  },
  {
    title: "CONSENT to an app that is being removed",
    held: [`DELETE FROM client WHERE client_id = '${clientId}'`],
    change: (store) =>
      store.change({ client: clientId }, ({ client: app }) =>
        app === null
          ? decided("gone")
          : decided("granted", { change: "credentialAdded", credential: issued() }),
      ),
    answer: "gone",
  },
  {
    title: "DG-6 an approval by an account that is being disabled",
    before: [{ change: "deviceGrantAdded", grant: deviceGrant(0, { state: "pending" }) }],
    held: [`UPDATE account SET enabled = 0 WHERE user_id = '${userId}'`],
    change: (store) =>
      store.change(
        { deviceGrant: id<GrantId>("g"), account: userId },
        ({ deviceGrant: grant, account: person }) =>
          grant === null || person?.enabled !== true
            ? decided("disabled")
            : decided("approved", { change: "deviceGrantChanged", grant: { ...grant, answer: approval() } }),
      ),
    answer: "disabled",
  },
  {
    title: "DG-6 an approval for an app that is being disabled",
    before: [{ change: "deviceGrantAdded", grant: deviceGrant(0, { state: "pending" }) }],
    held: [`UPDATE client SET enabled = 0 WHERE client_id = '${clientId}'`],
    change: (store) =>
      store.change(
        { deviceGrant: id<GrantId>("g"), client: clientId },
        ({ deviceGrant: grant, client: app }) =>
          grant === null || app?.enabled !== true
            ? decided("disabled")
            : decided("approved", { change: "deviceGrantChanged", grant: { ...grant, answer: approval() } }),
      ),
    answer: "disabled",
  },
  {
    title: "DG-3 a device code that is being fetched",
    before: [{ change: "deviceGrantAdded", grant: deviceGrant(0, approval()) }],
    held: ["UPDATE device_grant SET state = 'redeemed', granted = NULL"],
    change: (store) =>
      store.change({ deviceGrant: id<GrantId>("g") }, ({ deviceGrant: grant }) =>
        grant?.answer.state !== "approved"
          ? decided("fetched before")
          : decided("fetched", {
              change: "deviceGrantChanged",
              grant: { ...grant, answer: { state: "redeemed", redeemedAt: NOW, userId: account().userId } },
            }),
      ),
    answer: "fetched before",
  },
  {
    title: "the last administrator but one, while the other is being disabled",
    before: [
      { change: "accountChanged", account: account(0, { admin: true }) },
      { change: "accountAdded", account: other },
    ],
    held: [ADMINISTRATORS, `UPDATE account SET enabled = 0 WHERE user_id = '${userId}'`],
    change: (store) =>
      store.change({ account: other.userId, otherAdministrator: other.userId }, (found) =>
        found.account === null || found.otherAdministrator === null
          ? decided("the last")
          : decided("disabled", { change: "accountChanged", account: { ...found.account, enabled: false } }),
      ),
    answer: "the last",
  },
  {
    title: "an app of an account that is registering another",
    held: [
      `SELECT 1 FROM account WHERE user_id = '${userId}' FOR UPDATE`,
      `UPDATE client SET owner_id = '${userId}' WHERE client_id = '${clientId}'`,
    ],
    change: (store) =>
      store.change({ account: userId, ownedApps: userId }, ({ ownedApps }) =>
        ownedApps?.count === 0
          ? decided("first", { change: "clientAdded", client: client(1, { ownerId: userId }) })
          : decided("one too many"),
      ),
    answer: "one too many",
  },
  {
    title: "FACTOR a one-time password's step that is being used",
    before: [{ change: "factorAdded", factor: factors()[0] }],
    held: [
      `SELECT 1 FROM account WHERE user_id = '${userId}' FOR UPDATE`,
      "UPDATE factor SET used_step = 99",
    ],
    change: (store) =>
      store.change({ factors: userId }, ({ factors: all }): Decided<string> => {
        const [factor] = all ?? []
        return factor?.kind !== "totp" || factor.usedStep >= 99
          ? decided("used before")
          : decided("used", { change: "factorChanged", factor: { ...factor, usedStep: 99 } })
      }),
    answer: "used before",
  },
  {
    title: "a session that begins with a password that is being changed",
    held: [
      `UPDATE account SET password_hash = 'new' WHERE user_id = '${userId}'`,
      `DELETE FROM session WHERE user_id = '${userId}'`,
    ],
    change: (store) =>
      store.change({ account: userId }, ({ account: person }) =>
        person?.passwordHash !== account().passwordHash
          ? decided("wrong password")
          : decided("signed in", { change: "sessionAdded", session: session() }),
      ),
    answer: "wrong password",
  },
  {
    title: "the first administrator, who is being made",
    before: [
      { change: "accountRemoved", userId },
      { change: "setupLinkSet", hash: hash("link"), at: NOW },
    ],
    held: [
      "LOCK TABLE setup_link IN SHARE ROW EXCLUSIVE MODE",
      "DELETE FROM setup_link",
      "INSERT INTO account VALUES ('x', 'x', 'x', 'x', 1, 1, 0)",
    ],
    change: (store) =>
      store.change({ anyAccount: true, setupLink: true }, ({ anyAccount, setupLink }) =>
        anyAccount !== null || setupLink === null
          ? decided("gone")
          : decided("made", { change: "accountAdded", account: account(5, { admin: true }) }),
      ),
    answer: "gone",
  },
  {
    title: "INVITE-2 an invitation that is being used or withdrawn",
    before: [{ change: "invitationAdded", invitation: invitation() }],
    held: ["DELETE FROM invitation"],
    change: (store) =>
      store.change({ invitation: invitation().linkHash }, ({ invitation: found }) =>
        found === null
          ? decided("gone")
          : decided("used", { change: "invitationEnded", invitationId: found.invitationId }),
      ),
    answer: "gone",
  },
  {
    title: "INVITE-5 an invitation of an administrator who is being demoted",
    before: [{ change: "invitationAdded", invitation: invitation(0, { invitedBy: userId }) }],
    held: [`UPDATE account SET admin = 0, enabled = 0 WHERE user_id = '${userId}'`],
    change: (store) =>
      store.change(
        { invitation: invitation().linkHash, account: userId },
        ({ invitation: found, account: inviter }) =>
          found === null || inviter?.enabled !== true
            ? decided("gone")
            : decided("used", { change: "invitationEnded", invitationId: found.invitationId }),
      ),
    answer: "gone",
  },
  {
    title: "AUTHZ a ticket that is being spent",
    held: [`INSERT INTO spent_ticket VALUES ('${id<TokenId>("t")}', 1)`],
    change: (store) =>
      store.change({ spentTicket: id<TokenId>("t") }, ({ spentTicket }) =>
        spentTicket === null
          ? decided("spent", { change: "ticketSpent", ticketId: id<TokenId>("t"), at: NOW })
          : decided("spent before"),
      ),
    answer: "spent before",
  },
  {
    title: "a first start with another service secret, while one is being stored",
    held: ["INSERT INTO meta VALUES ('service_secret_check', 'theirs')"],
    change: (store) =>
      store.change({ meta: "service_secret_check" }, ({ meta }) =>
        meta === null
          ? decided("mine", { change: "metaSet", key: "service_secret_check", value: "mine" })
          : decided(meta.value),
      ),
    answer: "theirs",
  },
  {
    title: "CRED-3 a revocation of all, of a credential that is being refreshed",
    before: [{ change: "credentialAdded", credential: active() }],
    held: ["UPDATE credential SET version = version + 1, generation = generation + 1"],
    change: async (store) => {
      await store.change({ account: userId }, () =>
        decided(null, { change: "credentialsRevoked", of: { userId }, at: NOW, because: "account-removed" }),
      )
      return (await store.read({ credential: id<TokenId>("t") })).credential?.life.state
    },
    answer: "revoked",
  },
  {
    title: "CRED-1 a refresh of a credential that is being revoked",
    before: [{ change: "credentialAdded", credential: active() }],
    held: ["UPDATE credential SET version = version + 1, state = 'revoked', over_at = 1, because = 'app'"],
    change: (store) =>
      store.change({ credential: id<TokenId>("t") }, ({ credential }) =>
        credential?.life.state === "active"
          ? decided("refreshed", { change: "credentialChanged", credential })
          : decided(credential?.life.state),
      ),
    answer: "revoked",
  },
  {
    title: "MOVE-7 a revocation of an imported token that is being exchanged",
    before: [
      { change: "importSet", import: anImport({ state: "finished" }) },
      { change: "importedTokenAdded", token: importedToken() },
    ],
    held: ["UPDATE imported_token SET used_at = 1"],
    change: (store) =>
      store.change({ importedToken: importedToken().hash }, ({ importedToken: token }) =>
        token?.usedAt === null
          ? decided("ended", { change: "importedTokenUsed", hash: token.hash, at: NOW })
          : decided("exchanged before"),
      ),
    answer: "exchanged before",
  },
]

describe("a change waits for", needsPostgres, () => {
  for (const { title, before = [], held, change, answer } of cases) {
    it(title, async (t) => {
      const { store, url } = await openFresh(t)
      await store.change({}, () =>
        decided(
          null,
          { change: "accountAdded", account: account() },
          { change: "clientAdded", client: client() },
          ...before,
        ),
      )
      const [node, watch] = [await openConnection(url), await openConnection(url)]
      t.after(() => Promise.all([node.end(), watch.end()]))
      await node.script("BEGIN")
      for (const sql of held) await node.script(sql)
      const changing = change(store)
      assert.ok(await waits(watch, changing), "it did not wait")
      await node.script("COMMIT")
      assert.equal(await changing, answer)
    })
  }

  it("nothing, where a guard tells: every write of a credential raises its version", async (t) => {
    const { store, url } = await openFresh(t)
    const tokenId = id<TokenId>("t")
    const writes: (() => Promise<unknown>)[] = [
      () =>
        store.change({ credential: tokenId }, ({ credential }) =>
          decided(null, { change: "credentialChanged", credential: credential ?? active() }),
        ),
      () => store.change({}, () => decided(null, { change: "credentialChanged", credential: active() })),
      () =>
        store.change({}, () =>
          decided(null, {
            change: "credentialsRevoked",
            of: { userId },
            at: NOW,
            because: "account-removed",
          }),
        ),
    ]
    await store.change({}, () => decided(null, { change: "credentialAdded", credential: active() }))
    for (const [number, write] of writes.entries()) {
      await write()
      assert.deepEqual(await rowsOf(url, "SELECT version FROM credential"), [{ version: number + 1 }])
    }
  })

  it("no other request, for a refresh beside one that is held", async (t) => {
    const { store, url } = await openFresh(t)
    await store.change({}, () =>
      decided(
        null,
        { change: "credentialAdded", credential: active() },
        { change: "credentialAdded", credential: active(1) },
      ),
    )
    const [node, watch] = [await openConnection(url), await openConnection(url)]
    t.after(() => Promise.all([node.end(), watch.end()]))
    await node.script("BEGIN")
    await node.script(`UPDATE credential SET version = version + 1 WHERE token_id = '${id<TokenId>("t")}'`)
    const refresh = (number: number) =>
      store.change({ credential: id<TokenId>("t", number) }, ({ credential }) => {
        if (credential === null) throw new Error("there is no such credential")
        return decided(number, { change: "credentialChanged", credential })
      })
    const first = refresh(0)
    assert.equal(await refresh(1), 1)
    assert.ok(await waits(watch, first))
    await node.script("COMMIT")
    assert.equal(await first, 0)
  })
})

async function openFresh(t: TestContext): Promise<{ readonly store: Store; readonly url: string }> {
  const { url, drop } = await freshDatabase({ migrated: true })
  const store = await openPostgres(url)
  t.after(async () => {
    await store.close()
    await drop()
  })
  return { store, url }
}

/** Whether a session waits for a lock before `changing` is done. A session waits at most three seconds. */
async function waits(watch: Connection, changing: Promise<unknown>): Promise<boolean> {
  const state = { isOver: false }
  const over = () => void (state.isOver = true)
  changing.then(over, over)
  while (!state.isOver) if ((await watch.query(WAITING_FOR_LOCK, [])).rows.length > 0) return true
  return false
}
