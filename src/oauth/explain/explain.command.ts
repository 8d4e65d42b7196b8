/** The command `explain`, which shows why a credential reaches some permissions and not others. */
import { type ExplanationRecord, explanationRecord } from "./explanation-record.ts"
import { explain as explainCredential } from "./explain.ts"
import { readSettings } from "../../model/setting.rules.ts"
import { command, done, refused } from "../../platform/cli/command.ts"
import { catalogRemarks } from "../../platform/cli/catalog-remark.ts"
import { withStore } from "../../platform/cli/open.ts"
import { appText, facts, instant, visible } from "../../platform/cli/print.ts"

const time = (at: number) => instant(at) ?? ""

export const explain = command({
  name: "explain",
  summary: "Explain which permissions a credential reaches, and why",
  operands: ["TOKEN_ID"],
  notes: [
    "A permission is reached if the account holder consented to it and the registration of the app allows it. An admin: " +
      "permission also needs an account that is an administrator, and what is for groups needs an account in one of them. For each missing permission, the output says what would change that.",
  ],
  example: "latchkey explain 01k3v7m2q8xj5c9d4e6f7g8h9j",
  run: ({ operands: [id], globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const explained = await explainCredential(opened, id)
      if (!explained.ok) return refused(explained.error)
      const latest = readSettings(await opened.store.settings(), opened.catalog)
      const from = { ...opened, settings: { latest } }
      const record = explanationRecord(from, explained.value, opened.clock.now(), time)
      const names = record.permissions.map(({ permission }) => permission)
      return done(record, shown(record), ...catalogRemarks(opened.catalog, names))
    }),
})

function shown(record: ExplanationRecord): string {
  const heading = facts({
    credential: record.token_id,
    app: appText(record.client_name, record.client_id),
    label: record.installation_name,
    ...(record.organization !== undefined && { organization: record.organization }),
    account: record.username ?? record.user_id,
    consented: instant(record.consented_at),
    reach: record.reach,
  })
  const whole = record.explained.map(withRemedy).join("\n")
  const tokens = record.access_tokens.map(({ sentence }) => visible(sentence)).join("\n")
  return [
    heading,
    whole,
    ...(tokens === "" ? [] : [`Access tokens, newest first:\n${tokens}`]),
    ...alike(record.permissions).map(
      (rows) => `${rows.map(({ permission }) => visible(permission)).join(" ")}\n${reason(rows[0])}`,
    ),
  ].join("\n\n")
}

type Row = ExplanationRecord["permissions"][number]

/** Groups permissions with the same explanation. The groups are in the order of their first permissions. */
function alike(rows: readonly Row[]): readonly (readonly [Row, ...Row[]])[] {
  const groups = new Map<string, [Row, ...Row[]]>()
  for (const row of rows) {
    const group = groups.get(withRemedy(row))
    if (group === undefined) groups.set(withRemedy(row), [row])
    else group.push(row)
  }
  return [...groups.values()]
}

function reason({ sentence, remedy }: Row): string {
  return [sentence, ...(remedy === null ? [] : [remedy])].map((line) => `  ${visible(line)}`).join("\n")
}

function withRemedy({ sentence, remedy }: { readonly sentence: string; readonly remedy: string | null }) {
  return visible(remedy === null ? sentence : `${sentence} ${remedy}`)
}
