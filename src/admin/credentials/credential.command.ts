/** The `credential` commands. */
import { findAccount } from "../../accounts/find-account.ts"
import { findApp } from "../../apps/app.ts"
import { type Problem, type Result, ok } from "../../kernel/result.ts"
import { credentialsAsOfNow } from "../../platform/services/observed-expiry.ts"
import { all, rowKeys } from "../../store/list.ts"
import { credentialRecord } from "../../oauth/credential/credential-record.rules.ts"
import { endCredential } from "../../oauth/credential/credential.ts"
import type { HeldCredential } from "../../store/list-shapes.ts"
import { command, done, refused } from "../../platform/cli/command.ts"
import { catalogRemarks, withRemarks } from "../../platform/cli/catalog-remark.ts"
import { isRegistered } from "../../model/permissions/reach.rules.ts"
import { fromCommandLine, type Opened, withStore } from "../../platform/cli/open.ts"
import { appText, facts, instant, printedList } from "../../platform/cli/print.ts"

const list = command({
  name: "credential list",
  summary: "List the credentials, oldest first",
  flags: {
    account: { value: "NAME", summary: "only credentials of this account" },
    app: { value: "ID", summary: "only credentials of this app" },
  },
  notes: ["scope is what the account holder consented to; reach is the part of it that is allowed now."],
  example: "latchkey credential list --account alice",
  run: ({ flags, globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const listed = await listCredentials(opened, { accountName: flags.account, clientId: flags.app })
      if (!listed.ok) return refused(listed.error)
      const records = listed.value.map((held) => credentialRecord(opened, held, opened.clock.now()))
      const remarks = catalogRemarks(
        opened.catalog,
        listed.value.flatMap(({ credential: { consent } }) =>
          isRegistered(consent.scope) ? [] : consent.scope,
        ),
      )
      const answer = printedList(records, "There are no credentials.", (row, i) => ({
        "token id": row.token_id,
        account: row.username,
        app: appText(listed.value[i]?.client?.name ?? null, row.client_id),
        label: row.installation_name,
        ...(row.organization !== undefined && { organization: row.organization }),
        state: row.state,
        consented: instant(row.consented_at),
        reach: row.reach,
      }))
      return withRemarks(answer, remarks)
    }),
})

const revoke = command({
  name: "credential revoke",
  summary: "Revoke a credential permanently",
  operands: ["TOKEN_ID"],
  example: "latchkey credential revoke 01k3v7m2q8xj5c9d4e6f7g8h9j",
  run: ({ operands: [id], globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const revoked = await endCredential(opened, id, fromCommandLine)
      if (!revoked.ok) return refused(revoked.error)
      const json = credentialRecord(opened, revoked.value.held, opened.clock.now())
      const remarks = revoked.value.wasOver ? [`The credential had already ended: ${json.state}.`] : []
      const times = {
        consented_at: instant(json.consented_at),
        rotated_at: instant(json.rotated_at),
        ends_at: instant(json.ends_at),
        elevated_until: instant(json.elevated_until),
      }
      return done(json, facts({ ...json, ...times }), ...remarks)
    }),
})

export const credentialCommands = [list, revoke]

/** Null stands for all accounts or all apps. */
export async function listCredentials(
  services: Pick<Opened, "store" | "clock">,
  of: { readonly accountName: string | null; readonly clientId: string | null },
): Promise<Result<readonly HeldCredential[], Problem>> {
  const account = of.accountName === null ? null : await findAccount(services, of.accountName)
  if (account?.ok === false) return account
  const app = of.clientId === null ? null : await findApp(services, of.clientId)
  if (app?.ok === false) return app
  const filter = { userId: account?.value.userId, clientId: app?.value.client.clientId }
  const held = await all((page) => credentialsAsOfNow(services, filter, page), rowKeys.credentials)
  return ok(held)
}
