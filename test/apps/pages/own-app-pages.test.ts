/** Tests "My apps": the form, the secret, the effect of a change, and anonymized numbers. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { renderApp } from "../../../src/apps/pages/app.view.ts"
import { renderAppForm, renderAppPreview } from "../../../src/apps/pages/form.view.ts"
import { renderOwnApps } from "../../../src/apps/pages/list.view.ts"
import { ownerFrame } from "../../../src/apps/pages/owner-frame.ts"
import { renderSecret } from "../../../src/apps/pages/secret.view.ts"
import { formsOf, tagsOf, textOf, valueOf } from "../../platform/ui/markup.ts"
import {
  about,
  ceilingPreview,
  connection,
  ownApp,
  ownAppForm,
  person,
  typed,
} from "../../platform/ui/sample.ts"

test("SVC-8 a number of people is rounded, so that no account is recognized", () => {
  const page = textOf(renderApp({ ...ownApp, usedBy: { installations: 3, accounts: 1, isWhole: true } }))
  assert.ok(page.includes("Fewer than 5 accounts, fewer than 5 installations."))
})

test("SVC-8 the form of a new app has nothing ticked that was not typed, and a way in that works once", () => {
  const form = formsOf(renderAppForm(ownAppForm)).at(-1)
  assert.equal(form?.action, "/account/apps/new")
  assert.equal(valueOf(form, "ticket"), "01ticket")
  const checked = tagsOf(renderAppForm(ownAppForm)).filter(({ attributes }) => attributes.has("checked"))
  assert.deepEqual(
    checked.map(({ attributes }) => attributes.get("value")),
    ["files:read"],
  )
})

test("SVC-8 each problem stands at its field, and what was typed stays", () => {
  const page = renderAppForm({
    ...ownAppForm,
    of: about,
    problems: [{ field: "redirect_uris", message: "Line 2: The address is empty." }],
  })
  const area = tagsOf(page).find(({ name }) => name === "textarea")
  assert.equal(area?.attributes.get("aria-describedby"), "redirect_uris-problem redirect_uris-hint")
  assert.ok(area.attributes.has("aria-invalid"))
  assert.match(page, />\napp\.example:\/a\napp\.example:\/b<\/textarea/)
  assert.equal(valueOf(formsOf(page).at(-1), "name"), typed.name)
  assert.match(page, /role="alert"/)
  assert.ok(textOf(page).includes("Line 2: The address is empty."))
})

test("SVC-8, DISC-1 the page of a new app shows the address of the service and the next step, that of an app in use only the address", () => {
  const secret = textOf(renderSecret({ ...about, secret: "lks_secret", isNewApp: true, connection }))
  const unused = { installations: 0, accounts: 0, isWhole: true }
  const first = textOf(
    renderApp({
      ...ownApp,
      ...ownerFrame(person, "registered"),
      client: { ...ownApp.client, type: "public" },
      usedBy: unused,
    }),
  )
  for (const text of [secret, first]) {
    assert.ok(text.includes(`Issuer ${connection.issuer} Metadata ${connection.metadata}`))
    assert.ok(text.includes("What comes next"))
  }
  assert.ok(secret.includes("the secret and the issuer") && !first.includes("the secret and the issuer"))
  assert.ok(first.includes("The app was registered."))
  const used = textOf(renderApp(ownApp))
  assert.ok(used.includes(`${connection.metadata} ${connection.openid}`) && !used.includes("What comes next"))
})

test("SVC-7, SVC-8 an administrator sees where the other apps are listed", () => {
  const text = (admin: boolean) => textOf(renderOwnApps({ ...about, admin, apps: [], older: null }))
  assert.ok(text(true).includes("Apps registered by an administrator are in the console"))
  assert.ok(!text(false).includes("console"))
})

test("CLIENT-3 a secret is shown once, with a word to copy it now; sent again, the form shows none", () => {
  const first = textOf(renderSecret({ ...about, secret: "lks_secret", isNewApp: true, connection }))
  assert.ok(first.includes("Copy the secret now") && first.includes("lks_secret"))
  const second = textOf(renderSecret({ ...about, secret: null, isNewApp: true, connection }))
  assert.ok(second.includes("was shown once") && !second.includes("lks_"))
})

test("PERM-5 before permissions are taken away the page says from how many, and confirms exactly that", () => {
  const page = renderAppPreview(ceilingPreview)
  const text = textOf(page)
  for (const part of [
    "See your files Out of reach for about 35 accounts.",
    "Change your files No account uses this now.",
    "For fewer than 5 accounts, the app can do nothing at all afterwards.",
  ])
    assert.ok(text.includes(part), part)
  const form = formsOf(page).at(-1)
  assert.equal(valueOf(form, "confirmed"), "digest")
  assert.equal(valueOf(form, "name"), typed.name)
  assert.equal(valueOf(form, "permission"), "files:read")
})
