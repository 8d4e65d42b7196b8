import { test } from "node:test"
import assert from "node:assert/strict"
import type { Session } from "../../../src/model/account.rules.ts"
import {
  type ConsentFacts,
  type ConsentTicket,
  decideConsent,
  grantableBy,
  isAuthorized,
  ticketProblem,
} from "../../../src/oauth/authorize/consent.rules.ts"
import type { MatchedRedirectUri } from "../../../src/kernel/ids.ts"
import { TICKET_SECONDS } from "../../../src/kernel/limits.ts"
import {
  account,
  CLIENT_ID,
  hash,
  NOW,
  permissions,
  publicClient,
  TOKEN_ID,
  USER_ID,
  sampleCatalog,
  catalog,
} from "../../support/core-sample.ts"

const session: Session = {
  sessionHash: hash("session"),
  userId: USER_ID,
  createdAt: NOW,
  seenAt: NOW,
  address: "192.0.2.1",
  userAgent: "",
  proof: null,
  vouched: null,
}

const ticket: ConsentTicket = {
  id: TOKEN_ID,
  request: {
    clientId: CLIENT_ID,
    redirectUri: "http://127.0.0.1:5000/callback" as MatchedRedirectUri,
    state: "s",
    codeChallenge: "c",
    asked: permissions("files:read admin:events"),
    resources: [],
    installationName: null,
  },
  granted: permissions("files:read"),
  sessionHash: session.sessionHash,
  userId: USER_ID,
  shownAt: NOW,
  newClient: null,
}

const stored: ConsentFacts = { session, account, client: publicClient, spentTicket: null }

function decide(
  facts: Partial<ConsentFacts>,
  {
    authorizes = true,
    now = NOW,
    of = ticket,
  }: { authorizes?: boolean; now?: number; of?: ConsentTicket } = {},
) {
  const code = { text: "code", hash: hash("code"), sid: "sid" }
  const { answer, changes } = decideConsent(
    sampleCatalog,
    of,
    { ...stored, ...facts },
    authorizes,
    code,
    now,
    "192.0.2.1",
  )
  const outcome = answer.outcome === "not-decided" ? answer.because : answer.outcome
  return [outcome, ...changes.map(({ change }) => change)]
}

test("CONSENT-1, GRANT-1 one clear authorize spends the ticket and makes the credential", () => {
  assert.deepEqual(decide({}), ["granted", "ticketSpent", "credentialAdded", "eventRecorded"])
  assert.deepEqual(decide({}, { authorizes: false }), ["refused", "ticketSpent", "eventRecorded"])
  assert.equal(isAuthorized(["authorize"]), true)
  for (const decisions of [[], ["refuse"], ["authorize", "authorize"], ["Authorize"]])
    assert.equal(isAuthorized(decisions), false, decisions.join())
})

test("CONSENT-1 a second submission changes nothing", () => {
  assert.deepEqual(decide({ spentTicket: { spentAt: NOW } }), ["answered-before"])
  assert.deepEqual(decide({ spentTicket: { spentAt: NOW + TICKET_SECONDS + 1 } }), ["stale"])
})

test("CONSENT-1 a page shown more than ten minutes ago, or in the future, spends its ticket and grants nothing", () => {
  assert.deepEqual(decide({}, { now: NOW + TICKET_SECONDS + 1 }), ["stale", "ticketSpent"])
  assert.deepEqual(decide({}, { now: NOW - TICKET_SECONDS }), ["stale", "ticketSpent"])
})

test("CONSENT-1 a session, account, app or redirect URI that is gone decides nothing", () => {
  assert.deepEqual(decide({ session: null }), ["not-yours"])
  assert.deepEqual(decide({ account: null }), ["not-yours"])
  assert.deepEqual(decide({ client: null }), ["app-gone"])
  assert.deepEqual(decide({ client: { ...publicClient, enabled: false } }), ["app-gone"])
  assert.deepEqual(decide({ client: { ...publicClient, deleteAfter: NOW } }), ["app-gone"])
  assert.deepEqual(decide({ client: { ...publicClient, redirectUris: [] } }), ["return-address-gone"])
})

test("DG-8 a form that showed an admin permission grants nothing once administration is withdrawn", () => {
  const of = { ...ticket, granted: permissions("files:read admin:events") }
  assert.deepEqual(decide({}, { of }), ["administration-withdrawn", "ticketSpent"])
  const admin = { ...account, admin: true }
  assert.equal(decide({ account: admin }, { of })[0], "granted")
  const asked = permissions("files:read admin:events")
  const listed = { isForAccount: true, refusedByGroups: [] }
  assert.deepEqual(grantableBy(sampleCatalog, publicClient, account, asked), {
    ...listed,
    granted: permissions("files:read"),
    refusedToAccount: permissions("admin:events"),
  })
  assert.deepEqual(grantableBy(sampleCatalog, publicClient, admin, asked), {
    ...listed,
    granted: asked,
    refusedToAccount: [],
  })
})

test("CONSENT-1 a ticket is for one session and account, for ten minutes", () => {
  assert.equal(ticketProblem(ticket, session, NOW + TICKET_SECONDS - 1), null)
  assert.equal(ticketProblem(ticket, session, NOW + TICKET_SECONDS + 1), "stale")
  assert.equal(ticketProblem({ ...ticket, sessionHash: hash("other") }, session, NOW), "not-yours")
})

const forTeams = catalog({
  open: { title: "Open" },
  team: { title: "Team", for_groups: ["team"] },
  "admin:team": { title: "Administration of the team", for_groups: ["team"] },
})

test("GROUP-4 the page grants what the account's groups give, and names the rest", () => {
  const asked = permissions("open team admin:team")
  const none = { isForAccount: true, granted: [], refusedToAccount: [], refusedByGroups: [] }
  const of = (changes: Partial<typeof account>, groups: readonly string[] = []) =>
    grantableBy(forTeams, { ...publicClient, groups }, { ...account, ...changes }, asked)
  const [open, team, administration] = ["open", "team", "admin:team"].map(permissions)
  assert.deepEqual(of({}), {
    ...none,
    granted: open,
    refusedToAccount: administration,
    refusedByGroups: team,
  })
  assert.deepEqual(of({ admin: true }), {
    ...none,
    granted: open,
    refusedByGroups: permissions("team admin:team"),
  })
  assert.deepEqual(of({ groups: ["team"] }), {
    ...none,
    granted: permissions("open team"),
    refusedToAccount: administration,
  })
  assert.deepEqual(of({ groups: ["team"], admin: true }), { ...none, granted: asked })
  assert.deepEqual(of({ groups: ["team"], admin: true }, ["crew"]), { ...none, isForAccount: false })
})

test("GROUP-5 a click stores what the groups give at that moment, of what the page showed", () => {
  const scopeOf = (
    shown: string,
    groups: readonly string[],
    differing: Partial<typeof publicClient> = {},
  ) => {
    const facts = { ...stored, account: { ...account, groups }, client: { ...publicClient, ...differing } }
    const of = { ...ticket, granted: permissions(shown) }
    const code = { text: "code", hash: hash("code"), sid: "sid" }
    const { answer, changes } = decideConsent(forTeams, of, facts, true, code, NOW, "192.0.2.1")
    const added = changes.find((one) => one.change === "credentialAdded")
    if (answer.outcome === "not-decided")
      assert.deepEqual(
        changes.map(({ change }) => change),
        ["ticketSpent"],
      )
    return added?.credential.consent.scope.join(" ") ?? (answer.outcome === "not-decided" && answer.because)
  }
  assert.equal(scopeOf("open team", ["team"]), "open team")
  assert.equal(scopeOf("open team", []), "open")
  assert.equal(scopeOf("open", ["team"]), "open", "what was not on the page is never added")
  assert.equal(scopeOf("team", []), "groups-withdrawn")
  assert.equal(scopeOf("open", [], { groups: ["team"] }), "groups-withdrawn")
  assert.equal(scopeOf("open admin:team", []), "open", "administration is judged on what the groups leave")
  assert.equal(scopeOf("open admin:team", ["team"]), "administration-withdrawn")
})
