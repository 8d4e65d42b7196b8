/** The `credential` commands. */
import { credentialRecord } from "../../oauth/credential/credential-record.rules.ts"
import { endCredential } from "../../oauth/credential/credential.ts"
import { listCredentials } from "./list-credentials.ts"
import type { HeldCredential } from "../../store/store.ts"
import { command, done, refused } from "../../platform/cli/command.ts"
import { catalogRemarks } from "../../platform/cli/catalog-remark.ts"
import { isRegistered } from "../../model/permissions/reach.rules.ts"
import { fromCommandLine, type Opened, withStore } from "../../platform/cli/open.ts"
import { appText, facts, instant, table } from "../../platform/cli/print.ts"

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
      const records = listed.value.map((held) => record(opened, held))
      const head = ["token id", "account", "app", "label", "state", "consented", "reach"]
      const rows = records.map((row, i) => [
        row.token_id,
        row.username,
        appText(listed.value[i]?.client?.name ?? null, row.client_id),
        row.installation_name,
        row.state,
        instant(row.consented_at),
        row.reach,
      ])
      const remarks = catalogRemarks(
        opened.catalog,
        listed.value.flatMap(({ credential: { consent } }) =>
          isRegistered(consent.scope) ? [] : consent.scope,
        ),
      )
      return done(records, table(head, rows, "There are no credentials."), ...remarks)
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
      const json = record(opened, revoked.value.held)
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

function record({ catalog, clock }: Opened, { credential, client, account }: HeldCredential) {
  return credentialRecord(catalog, credential, client, account, clock.now())
}
