/** The preview must say what a change takes and gives. */
import { test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId, UserId } from "../../../src/kernel/ids.ts"
import { previewSentences, takenSentences } from "../../../src/apps/preview/preview-words.ts"
import {
  accountPreview,
  appEndPreview,
  ceilingPreview,
  type ReachPreview,
} from "../../../src/apps/preview/reach-preview.rules.ts"
import { CLIENT_ID, permissions, USER_ID, bounds } from "../../support/core-sample.ts"
import type { HeldConsent } from "../../../src/model/credential.rules.ts"
import { ada, bob, rules, standingAfter } from "./sample-consents.ts"

function held(userId: UserId, scope: string, credentials = 1, admin = false): HeldConsent {
  return { userId, clientId: CLIENT_ID, admin, groups: [], scope: permissions(scope), credentials }
}

function onCeiling(before: string, after: string, ...consents: readonly HeldConsent[]): ReachPreview {
  return ceilingPreview(rules, bounds(before), bounds(after), consents)
}

const rows = (touched: ReachPreview["taken"]) =>
  touched.map(({ permission, credentials, accounts }) => `${permission} ${credentials}/${accounts}`)

test("PERM-6, CONSOLE-5: the total comes first; a preview counts the live credentials that lose a permission, and their accounts", () => {
  const preview = onCeiling(
    "files:read account:read",
    "account:read",
    held(ada, "account:read files:read workers:read", 2),
    held(ada, "account:read", 3),
    held(bob, "files:read workers:read", 4),
  )
  assert.deepEqual(rows(preview.taken), ["files:read 6/2", "workers:read 6/2"])
  assert.deepEqual(preview.given, [])
  assert.deepEqual(preview.live, { credentials: 9, accounts: 2, apps: 1 })
  assert.deepEqual(preview.losing, { credentials: 6, accounts: 2, apps: 1 })
  assert.deepEqual(preview.emptied, { credentials: 4, accounts: 1, apps: 1 })
  assert.deepEqual(previewSentences(preview), [
    "In all, 6 live credentials of 2 accounts lose something.",
    "4 live credentials of 1 account keep nothing at all.",
    "Takes files:read from 6 live credentials of 2 accounts.",
    "Takes workers:read from 6 live credentials of 2 accounts.",
  ])
  assert.deepEqual(takenSentences(preview), [
    "Took files:read from 6 live credentials of 2 accounts.",
    "Took workers:read from 6 live credentials of 2 accounts.",
    "4 live credentials of 1 account keep nothing at all.",
  ])
})

test("PERM-3, PERM-6 a name that others imply already gives nothing when it is added", () => {
  const preview = onCeiling("files:write", "files:write files:read", held(ada, "files:read workers:read"))
  assert.deepEqual([preview.given, preview.gaining.credentials], [[], 0])
  assert.deepEqual(preview.impliedAnyway, [{ permission: "files:read", impliedBy: ["files:write"] }])
  assert.deepEqual(previewSentences(preview), [
    "No live credential loses or gains anything.",
    "files:read was in reach before: files:write implies it.",
  ])
})

test("PERM-3, PERM-6 a name that implies others takes them along, but for those that stand there themselves", () => {
  const consent = held(ada, "files:read files:write workers:read")
  assert.deepEqual(rows(onCeiling("files:write", "", consent).taken), [
    "files:read 1/1",
    "files:write 1/1",
    "workers:read 1/1",
  ])
  assert.deepEqual(rows(onCeiling("files:write workers:read", "workers:read", consent).taken), [
    "files:read 1/1",
    "files:write 1/1",
  ])
})

test("PERM-7 what comes back comes back only to those who consented", () => {
  const preview = onCeiling("", "files:read", held(ada, "workers:read", 5), held(bob, "account:read"))
  assert.deepEqual(rows(preview.given), ["files:read 0/0", "workers:read 5/1"])
  assert.deepEqual(preview.revived, { credentials: 5, accounts: 1, apps: 1 })
  assert.deepEqual(previewSentences(preview), [
    "In all, 5 live credentials of 1 account gain something.",
    "Lets the app ask for files:read. No live credential gains it: no account has consented to it yet.",
    "Gives workers:read back to 5 live credentials of 1 account; no new authorization is needed.",
  ])
})

test("PERM-5 an admin permission counts where the account is an administrator", () => {
  const preview = onCeiling(
    "admin:events",
    "",
    held(ada, "admin:events", 1, true),
    held(bob, "admin:events", 7, false),
  )
  assert.deepEqual(rows(preview.taken), ["admin:events 1/1"])
  assert.equal(preview.live.credentials, 8)
})

test("PERM-5 what left the catalog neither comes nor goes", () => {
  const preview = onCeiling("gone:read", "", held(ada, "gone:read"))
  assert.deepEqual([preview.taken, preview.given, preview.impliedAnyway], [[], [], []])
  assert.deepEqual(previewSentences(preview), ["No live credential loses or gains anything."])
})

test("PERM-6 a permission without a live credential is listed as taken from none", () => {
  const preview = onCeiling("apps:read", "", held(ada, "account:read"))
  assert.deepEqual(previewSentences(preview), [
    "No live credential loses or gains anything.",
    "Takes apps:read from no account: no live credential reaches it.",
  ])
  assert.deepEqual(takenSentences(preview), [])
})

test("PERM-3 a name that is added though others imply it brings nothing", () => {
  const preview = onCeiling("files:write", "files:write files:read", held(ada, "files:read workers:read"))
  assert.equal(previewSentences(preview)[1], "files:read was in reach before: files:write implies it.")
  assert.equal(preview.gaining.credentials, 0)
})

test("ORG-1, PERM-5 what an organization no longer gives is neither lost nor gained", () => {
  const by = (organization: string) => ({
    ...held(ada, "account:read files:read workers:read"),
    organization,
  })
  const consents = [by("work"), by("other"), by("gone"), held(bob, "account:read")]
  assert.deepEqual(rows(onCeiling("account:read files:read", "", ...consents).taken), [
    "account:read 1/1",
    "files:read 1/1",
    "workers:read 1/1",
  ])
  assert.deepEqual(onCeiling("", "account:read files:read", ...consents).revived.credentials, 2)
  assert.deepEqual(
    rows(appEndPreview(rules, bounds("account:read files:read"), "app-removed", consents).taken),
    ["account:read 1/1", "files:read 1/1", "workers:read 1/1"],
  )
})

test("CLIENT-7 disabling and removing an app take everything, for a while and for good", () => {
  const ceiling = bounds("files:read")
  const consents = [held(ada, "files:read workers:read", 2), held(bob, "account:read")]
  const disabled = appEndPreview(rules, ceiling, "app-disabled", consents)
  assert.deepEqual(rows(disabled.taken), ["files:read 2/1", "workers:read 2/1"])
  assert.equal(
    previewSentences(disabled)[0],
    "3 live credentials of 2 accounts stop working until the app is enabled again.",
  )
  const removed = appEndPreview(rules, ceiling, "app-removed", consents)
  assert.equal(previewSentences(removed)[0], "3 live credentials of 2 accounts are revoked for good.")
  const again = appEndPreview(rules, ceiling, "nothing", consents)
  assert.deepEqual(previewSentences(again), ["Nothing changes: this is already the case."])
  const unused = appEndPreview(rules, ceiling, "app-removed", [])
  assert.deepEqual(previewSentences(unused), ["There is no live credential."])
})

test("PERM-5 withdrawing administration takes the admin permissions, of how many apps", () => {
  const consents = ["admin:events files:read", "admin:events", "files:read"].map((scope, i) => ({
    ...held(USER_ID, scope),
    clientId: `app ${i % 2}` as ClientId,
  }))
  const preview = (change: Parameters<typeof accountPreview>[1], admin: boolean) =>
    previewSentences(
      accountPreview(
        rules,
        change,
        consents.map((consent) => ({ ...consent, admin })),
        () => bounds("admin:events files:read"),
        (one) => standingAfter(change, one),
      ),
    )
  assert.deepEqual(preview("administration-withdrawn", true), [
    "1 live credential of 1 app keeps nothing at all.",
    "The account regains this when it is an administrator again.",
    "Takes admin:events from 2 live credentials of 2 apps.",
  ])
  assert.deepEqual(preview("administration-granted", false), [
    "Gives admin:events back to 2 live credentials of 2 apps; no new authorization is needed.",
  ])
  assert.deepEqual(preview("administration-granted", true), ["No live credential gains anything."])
  assert.deepEqual(preview("administration-withdrawn", false), ["No live credential loses anything."])
  assert.equal(
    preview("account-disabled", true)[0],
    "3 live credentials of 2 apps stop working until the account is enabled again.",
  )
  assert.equal(preview("account-removed", true)[0], "3 live credentials of 2 apps are revoked for good.")
})
