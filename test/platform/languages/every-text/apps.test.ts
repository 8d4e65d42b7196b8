/** Pages about apps have no text outside of the language's file. */
import { renderEndAccess } from "../../../../src/apps/installations/end-access.view.ts"
import { renderAccount } from "../../../../src/apps/installations/installations.view.ts"
import { renderApp } from "../../../../src/apps/pages/app.view.ts"
import { ownersLosses, renderAppForm, renderAppPreview } from "../../../../src/apps/pages/form.view.ts"
import { renderIcon } from "../../../../src/apps/pages/icon.view.ts"
import { renderOwnApps } from "../../../../src/apps/pages/list.view.ts"
import { ownerFrame } from "../../../../src/apps/pages/owner-frame.ts"
import { renderQuestion } from "../../../../src/apps/pages/question.view.ts"
import { renderSecret } from "../../../../src/apps/pages/secret.view.ts"
import { pseudoTexts as texts, testPages } from "../../../support/pseudo-language.ts"
import * as sample from "../../ui/sample.ts"

const person = { ...sample.person, texts }
const mine = { ...ownerFrame(person, "saved"), clientId: "01client", name: "Notebook Sync" }
const connection = sample.connection
const elsewhere = { at: 1_773_300_000, from: "192.0.2.7", firstFrom: "192.0.2.8" }
const access = { ...sample.access, elsewhere }
const group = {
  app: sample.knownApp,
  installations: 4,
  access: [
    access,
    { ...access, tokenId: "02token" },
    { ...sample.access, tokenId: "03token", installationName: null },
  ],
}
const account = { ...sample.account, ...person, groups: [group], installations: 4 }
const known = { app: sample.knownApp, installations: 2 } as const
const line = { app: sample.app, type: "public", enabled: false, registeredAt: 1_773_300_000 } as const
const keys = { address: "https://app.example/keys", fetchedAt: null, problem: "P", workload: null, keys: [] }

testPages(
  {
    account: renderAccount({ ...account, older: "?after=x", isLater: true, done: "ended" }),
    "account without apps": renderAccount({ ...account, groups: [], installations: 0 }),
    "the end of one access": renderEndAccess({
      ...person,
      now: sample.account.now,
      ended: { of: "installation", app: sample.knownApp, access },
    }),
    "the end of an app": renderEndAccess({ ...sample.endAccess, ...person, ended: { of: "app", ...known } }),
    "the end of everything": renderEndAccess({
      ...sample.endAccess,
      ...person,
      ended: { of: "everything", installations: 2, apps: 1 },
    }),
    "my apps": renderOwnApps({ ...mine, admin: true, apps: [line], older: "?after=x" }),
    "no apps": renderOwnApps({ ...mine, admin: false, apps: [], older: null }),
    app: renderApp({ ...sample.ownApp, ...mine, keys, findings: [], refusals: [] }),
    "an app with a workload": renderApp({
      ...sample.ownApp,
      ...mine,
      keys: { ...keys, workload: { issuer: "https://i", audience: "a", subject: "s" } },
      findings: [],
      refusals: [],
    }),
    "a disabled app without use": renderApp({
      ...sample.ownApp,
      ...mine,
      client: { ...sample.ownApp.client, enabled: false, redirectUris: [] },
      permissions: [],
      usedBy: { installations: 0, accounts: 0, isWhole: true },
      refusals: [],
    }),
    "a new app": renderAppForm({ ...sample.ownAppForm, ...mine }),
    "an app to change": renderAppForm({
      ...sample.ownAppForm,
      ...mine,
      of: mine,
      typed: { ...sample.typed, type: "confidential" },
      onlyTakesAway: true,
      problems: [{ field: "name", message: "P" }],
    }),
    "a preview": renderAppPreview({
      ...sample.ceilingPreview,
      ...mine,
      effects: ownersLosses(texts, [{ title: "See your files", accounts: 7 }], 3),
    }),
    "a new secret": renderSecret({ ...mine, secret: "lks_secret", isNewApp: true, connection }),
    "a replaced secret": renderSecret({ ...mine, secret: null, isNewApp: false, connection }),
    "an icon": renderIcon({ ...mine, verified: true, icon: "AAAA", problem: null }),
    ...Object.fromEntries(
      (["disable", "remove", "secret"] as const).map((action) => [
        `to ${action}`,
        renderQuestion({ ...mine, action, use: null, ticket: null }),
      ]),
    ),
  },
  [
    ...[sample.app.name, "Notebook", "Ada's laptop", "ada", "lks_secret", "01client"],
    ...["See your files", "Change the settings", "Files", "Something else", "files:read", "files:write"],
    ...["It sends tokens twice.", "Send them once.", "private_key_jwt", "app.example:/back"],
    ...["app.example:/a\napp.example:/b", "https://app.example/callback", keys.address],
    ...["iss = https://i", "aud = a", "sub = s"],
    ...[connection.issuer, connection.metadata, connection.openid ?? "", "NS", "P"],
    ...["files:read", "files:write"].flatMap((name) => [`Title of ${name}`, `Description of ${name}.`]),
  ],
)
