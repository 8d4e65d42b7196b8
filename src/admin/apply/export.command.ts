/** The `export` command. It writes a file that `apply` reads, from what is there. APPLY-5. */
import { stringify } from "yaml"
import { allGroups } from "../../accounts/groups/groups.ts"
import { listApps } from "../../apps/app.ts"
import { readAppearance, textMemberNames, appearanceMembers } from "../../model/appearance.rules.ts"
import { appSwitches } from "../../model/clients/app-switches.rules.ts"
import { defaultOpenid, openidMembers } from "../../model/clients/openid-members.rules.ts"
import { settingOf } from "../../model/setting.rules.ts"
import { command, done } from "../../platform/cli/command.ts"
import { type Opened, withStore } from "../../platform/cli/open.ts"
import { all, rowKeys } from "../../store/list.ts"
import { accountViews } from "../accounts/account-record.ts"
import { membersOf } from "./app-plan.rules.ts"
import { appearanceWord } from "./set-up.rules.ts"

export const exportCommand = command({
  name: "export",
  summary: "Write the file of apply from what is there",
  notes: [
    "It has the apps of administrators and users, and no secret, icon or logo. Applied to the same service, it changes " +
      "nothing. Elsewhere, each confidential app with a secret needs its client_secret_file.",
  ],
  example: "latchkey export > set-up.yaml",
  run: ({ globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const setUp = await setUpNow(opened)
      return done(setUp, stringify(setUp, { aliasDuplicateObjects: false }).trimEnd())
    }),
})

async function setUpNow(opened: Opened) {
  const { store } = opened
  const services = await all((page) => store.accounts(page, { type: "service" }), rowKeys.accounts)
  const apps = (await listApps(opened)).filter(({ client }) => isRegistered.has(client.registeredBy))
  const stored = await store.settings()
  const appearance = readAppearance(stored)
  const looks = textMemberNames.filter((member) => stored.has(appearanceMembers[member].key))
  return {
    groups: Object.fromEntries((await allGroups(opened)).map(({ name, title }) => [name, { title }])),
    service_accounts: Object.fromEntries(
      (await accountViews(opened, services)).map(({ username, owner, groups }) => [
        username,
        { owner: owner?.username ?? null, groups },
      ]),
    ),
    apps: Object.fromEntries(
      apps.map(({ client, owner, serviceAccount }) => {
        const accounts = [owner, serviceAccount].filter((account) => account !== null)
        return [client.clientId, named(membersOf(client, accounts))]
      }),
    ),
    settings: Object.fromEntries([...stored].filter(([key]) => settingOf(key) !== undefined)),
    appearance: Object.fromEntries(looks.map((member) => [appearanceWord(member), appearance[member]])),
  }
}

const isRegistered: ReadonlySet<string> = new Set(["administrator", "user"])

/** Leaves out what an app has by default. */
function named(members: ReturnType<typeof membersOf>) {
  const byDefault = new Map<string, unknown>([
    ["enabled", true],
    ...appSwitches.map((row) => [row.name, row.byDefault] as const),
    ...openidMembers.map(([member, name]) => [name, defaultOpenid[member]] as const),
  ])
  const kept = [...members].filter(
    ([name, value]) => value !== null && value !== byDefault.get(name) && String(value) !== "",
  )
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      name === "jwks" || name === "workload" ? (JSON.parse(String(value)) as unknown) : value,
    ]),
  )
}
