/** An explanation must agree with the reach and name everything that would have to change. */
import { test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import type { Permission } from "../../../src/kernel/ids.ts"
import { credentialRecord } from "../../../src/oauth/credential/credential-record.rules.ts"
import type { Credential, EndedBecause, Life, RevokedBecause } from "../../../src/model/credential.rules.ts"
import { explanation } from "../../../src/oauth/explain/explanation.rules.ts"
import { explanationRecord } from "../../../src/oauth/explain/explanation-record.ts"
import {
  accessTokenExplained,
  permissionExplained,
  wholeExplained,
} from "../../../src/oauth/explain/explanation-words.ts"
import { NEVER } from "../../../src/kernel/time.ts"
import { providerAt } from "../../support/oidc.ts"
import { reach } from "../../../src/model/permissions/reach.rules.ts"
import { CODE_SECONDS, CREDENTIAL_SECONDS, IDLE_SECONDS } from "../../../src/kernel/limits.ts"
import {
  account,
  catalog,
  consent,
  credential,
  firstFamily,
  lives,
  NOW,
  permissions,
  publicClient,
  sampleCatalog,
  bounds,
  standing,
} from "../../support/core-sample.ts"

const administrator = { ...account, admin: true }
const NONE = new Map()
const source = {
  catalog: sampleCatalog,
  settings: { latest: { defaultLanguage: "en" } },
  providers: NONE,
}
const time = (at: number) => `second ${at - NOW}`

function held(scope: string, life: Life = lives.active): Credential {
  return { ...credential(life), consent: { ...consent, scope: permissions(scope) } }
}

function allowing(ceiling: string) {
  return { ...publicClient, ceiling: permissions(ceiling) }
}

function line(name: string, scope: string, ceiling: string, of = account, table = sampleCatalog) {
  const explained = explanation(table, held(scope), allowing(ceiling), of, NOW, NONE)
  const found = explained.permissions.find(({ permission }) => permission === name)
  return permissionExplained(found ?? assert.fail(name))
}

const whole = (life: Life, client: Parameters<typeof explanation>[2] = publicClient, now = NOW) =>
  wholeExplained(explanation(sampleCatalog, credential(life), client, account, now, NONE), time)

test("PERM-5 what is reached: consented to and allowed, by itself or along with others", () => {
  assert.deepEqual(line("account:read", "account:read", "account:read"), {
    sentence: "Reached: the account holder consented to it, and the app's registration lists it.",
    remedy: null,
  })
  assert.equal(
    line("workers:read", "files:read files:write workers:read", "files:write").sentence,
    "Reached: the account holder consented to it, and to files:read and files:write, which imply it, " +
      "and the app's registration allows it through files:write.",
  )
})

test("PERM-5, PERM-6 what is not reached: everything that stands against it, and what each would take", () => {
  assert.deepEqual(line("files:read", "files:read workers:read", "workers:read"), {
    sentence: "Not reached: the app's registration does not allow it.",
    remedy: "Put it on the app's registration; no new authorization is needed.",
  })
  assert.deepEqual(line("files:read", "account:read", "files:read"), {
    sentence: "Not reached: the account holder has not consented to it.",
    remedy: "The app asks for it in a new authorization, and the account holder consents.",
  })
  assert.deepEqual(line("admin:events", "account:read", "account:read"), {
    sentence:
      "Not reached: the app's registration does not allow it; the account is not an administrator; " +
      "the account holder has not consented to it.",
    remedy:
      "Put it on the app's registration. Make the account an administrator. " +
      "The app asks for it in a new authorization, and the account holder consents.",
  })
  assert.equal(
    line("admin:events", "admin:events", "admin:events").remedy,
    "Make the account an administrator.",
  )
  assert.equal(line("admin:events", "admin:events", "admin:events", administrator).remedy, null)
})

test("GROUP-1, GROUP-2 a permission or an app that is for groups: which of them would help", () => {
  const forTeams = catalog({
    open: { title: "Open" },
    team: { title: "Team", for_groups: ["team"] },
    crew: { title: "Crew", for_groups: ["crew", "ops"] },
  })
  assert.deepEqual(line("team", "open team", "open team", account, forTeams), {
    sentence: "Not reached: it is for the group team, and the account is not in it.",
    remedy: "Put the account into the group team.",
  })
  assert.deepEqual(line("crew", "open", "crew", account, forTeams), {
    sentence:
      "Not reached: it is for the groups crew and ops, and the account is in none of them; " +
      "the account holder has not consented to it.",
    remedy:
      "Put the account into one of the groups crew and ops. " +
      "The app asks for it in a new authorization, and the account holder consents.",
  })
  const member = { ...account, groups: ["ops"] }
  assert.equal(line("crew", "crew", "crew", member, forTeams).remedy, null)
  const app = { ...publicClient, groups: ["team"] }
  const of = (holder: typeof account) =>
    explanation(sampleCatalog, held("files:read"), app, holder, NOW, NONE)
  assert.deepEqual(wholeExplained(of(member), time)[1], {
    sentence: "The app is for the group team, and the account is not in it.",
    remedy: "Put the account into the group team.",
  })
  const { blockers, for_groups } = explanationRecord(source, of(member), NOW, time)
  assert.deepEqual([blockers, for_groups], [["app-for-groups"], ["team"]])
  assert.deepEqual(of({ ...account, groups: ["team"] }).blockers, [])
})

test("PERM-5 a wider table of implications is explained, not followed", () => {
  const wider = catalog({ x: { title: "X", implies: ["y"] }, y: { title: "Y" } })
  assert.equal(
    line("y", "x", "x", account, wider).sentence,
    "Not reached: the account holder consented to x before that implied it.",
  )
})

test("PERM-5 what left the catalog is explained after all that is in it", () => {
  const explained = explanation(sampleCatalog, held("gone:read"), allowing("gone:read"), account, NOW, NONE)
  assert.deepEqual(
    explained.permissions.map(({ permission }) => permission),
    [...sampleCatalog.keys(), "gone:read"],
  )
  assert.deepEqual(permissionExplained(explained.permissions.at(-1) ?? assert.fail()), {
    sentence: "Not reached: it is not in the catalog any more.",
    remedy: "Define it in the configuration file again.",
  })
})

test("CRED-4, AUTH-6 the end that comes next, and its rule", () => {
  assert.deepEqual(whole(lives.active)[1], {
    sentence: `It ends on second ${IDLE_SECONDS}, 90 days after the last refresh; each refresh extends this.`,
    remedy: null,
  })
  const late = { ...firstFamily, rotatedAt: NOW + CREDENTIAL_SECONDS - 10 }
  assert.equal(
    whole({ ...lives.active, family: late })[1]?.sentence,
    `It ends on second ${CREDENTIAL_SECONDS}, 365 days after the consent, whatever the app does.`,
  )
  assert.deepEqual(
    whole(lives.issued).map(({ sentence }) => sentence),
    [
      "Issued: the account holder has consented, and the app has not exchanged its code for tokens yet.",
      `It ends on second ${CODE_SECONDS} unless the app exchanges its code before.`,
    ],
  )
})

test("CRED-4 a credential that time has ended is explained as ended, whatever is stored", () => {
  assert.equal(
    whole(lives.active, publicClient, NOW + IDLE_SECONDS + 1)[0]?.sentence,
    `It ended on second ${IDLE_SECONDS}: the app did not refresh it for 90 days.`,
  )
  assert.equal(
    whole(lives.issued, publicClient, NOW + CODE_SECONDS + 1)[0]?.sentence,
    `It ended on second ${CODE_SECONDS}: the app did not exchange its code within ten minutes.`,
  )
})

test("CRED-2, CRED-3, CRED-4 every way in which a credential is over has words of its own", () => {
  const revocations: Record<RevokedBecause, true> = {
    app: true,
    "account-holder": true,
    administrator: true,
    "code-replayed": true,
    "refresh-token-reused": true,
    "account-removed": true,
    "app-removed": true,
    "not-for-account": true,
    replaced: true,
    "link-removed": true,
    "session-ended": true,
  }
  const ends: Record<EndedBecause, true> = { "code-expired": true, idle: true, lifetime: true }
  const over: readonly Life[] = [
    ...(Object.keys(revocations) as RevokedBecause[]).map((because) => ({ ...lives.revoked, because })),
    ...(Object.keys(ends) as EndedBecause[]).map((because) => ({ ...lives.ended, because })),
  ]
  const explanations = over.map((life) => whole(life))
  assert.equal(new Set(explanations.map(([first]) => first?.sentence)).size, over.length)
  for (const lines of explanations) {
    assert.equal(lines.length, 1)
    assert.match(lines[0]?.sentence ?? "", /^It (was revoked|ended) on second 5: .+\.$/)
    assert.match(lines[0]?.remedy ?? "", /^Only a new authorization helps/)
  }
})

test("PERM-5 an app or an account that is disabled or gone stops the whole credential, and is the only reason shown", () => {
  const stops = (client: Parameters<typeof explanation>[2], of: Parameters<typeof explanation>[3]) => {
    const explained = explanation(sampleCatalog, held("files:read workers:read"), client, of, NOW, NONE)
    const row = explained.permissions.find(({ permission }) => permission === "files:read") ?? assert.fail()
    assert.deepEqual([row.isReached, row.blockers], [false, []])
    assert.match(permissionExplained(row).sentence, /the whole credential reaches nothing/)
    assert.deepEqual(explained.accessTokens[0]?.reach, [])
    return wholeExplained(explained, time)
      .slice(1)
      .filter(({ remedy }) => remedy !== null)
      .map(({ sentence }) => sentence)
      .filter((sentence) => !sentence.startsWith("It is not elevated"))
  }
  const disabled = { ...publicClient, enabled: false }
  assert.deepEqual(stops(disabled, { ...account, enabled: false }), [
    "The app is disabled.",
    "The account is disabled.",
  ])
  assert.deepEqual(stops(null, null), ["The app is not registered any more.", "The account was removed."])
})

test("STEP-2 elevation is shown while it lasts, and otherwise what it would take", () => {
  const elevated: Life = { ...lives.active, elevatedUntil: NOW + 900 }
  const last = (life: Life, client = publicClient, now = NOW) => whole(life, client, now).at(-1)
  assert.equal(last(elevated)?.sentence, "It is elevated until second 900.")
  assert.match(
    last(elevated, { ...publicClient, stepUp: true }, NOW + 901)?.remedy ?? "",
    /asks for a step-up/,
  )
  assert.equal(last(lives.active)?.remedy, "Allow the app step-up.")
})

test("TOKEN-3 each access token tells what it was narrowed to, and whether it still works", () => {
  const token = firstFamily.accessTokens[0] ?? assert.fail()
  const family = {
    ...firstFamily,
    accessTokens: [
      { ...token, narrowedTo: permissions("workers:read") },
      { ...token, narrowedTo: [] },
      token,
      { ...token, expiresAt: 0 },
    ],
  }
  const { accessTokens } = explanation(
    sampleCatalog,
    held("files:read workers:read", { ...lives.active, family }),
    publicClient,
    account,
    NOW,
    NONE,
  )
  assert.deepEqual(
    accessTokens.map((one) => accessTokenExplained(one, time)),
    [
      "Issued on second 0, good until second 3600, narrowed to workers:read.",
      "Issued on second 0, good until second 3600, narrowed to nothing.",
      "Issued on second 0, good until second 3600, reaches all that the credential does.",
      "Issued on second 0, expired.",
    ],
  )
  assert.deepEqual(
    accessTokens.map((one) => one.reach.join(" ")),
    ["workers:read", "", "files:read workers:read", ""],
  )
})

test("PERM-5, GROUP-2 every explanation agrees with reach and with the credential's record", () => {
  const table = catalog({
    "files:read": { title: "Read", for_groups: ["team"] },
    "files:write": { title: "Write", implies: ["files:read"], for_groups: ["crew", "ops"] },
    "admin:team": { title: "Team", for_groups: ["team"] },
  })
  const someNames = fc.subarray([...table.keys(), "gone:read" as Permission])
  const someGroups = fc.subarray(["team", "crew", "ops"])
  const someLife = fc.constantFrom(lives.issued, lives.active, lives.revoked, lives.ended)
  const facts = fc.record({
    scope: someNames,
    ceiling: someNames,
    life: someLife,
    admin: fc.boolean(),
    groups: someGroups,
    ofApp: someGroups,
    isAppEnabled: fc.boolean(),
    isAccountEnabled: fc.boolean(),
    isAppThere: fc.boolean(),
    isAccountThere: fc.boolean(),
    later: fc.constantFrom(0, CODE_SECONDS, IDLE_SECONDS),
  })
  fc.assert(
    fc.property(facts, (given) => {
      const client = given.isAppThere
        ? { ...publicClient, ceiling: given.ceiling, groups: given.ofApp, enabled: given.isAppEnabled }
        : null
      const owner = given.isAccountThere
        ? { ...account, admin: given.admin, groups: given.groups, enabled: given.isAccountEnabled }
        : null
      const one = { ...credential(given.life), consent: { ...consent, scope: given.scope } }
      const now = NOW + given.later
      const explained = explanation(table, one, client, owner, now, NONE)
      const record = credentialRecord(
        { catalog: table, providers: NONE },
        { credential: one, client, account: owner },
        now,
      )
      const reached = explained.permissions.filter(({ isReached }) => isReached)
      assert.equal(reached.map(({ permission }) => permission).join(" "), record.reach)
      assert.equal(explained.state, record.state)
      const allowed = reach(table, given.scope, bounds(given.ceiling), standing(given.admin, given.groups))
      for (const row of explained.permissions) {
        const isClear = row.blockers.length === 0
        assert.equal(row.isReached, isClear && explained.blockers.length === 0, row.permission)
        if (client !== null && owner !== null) assert.equal(isClear, allowed.includes(row.permission))
        const { sentence, remedy } = permissionExplained(row)
        assert.match(sentence, /^(Reached|Not reached)\b.*\.$/)
        assert.equal(remedy === null, isClear)
      }
      const again = explanationRecord({ ...source, catalog: table }, explained, now, time)
      assert.equal(again.reach, record.reach)
      assert.equal(again.over_at === null, explained.state === "issued" || explained.state === "active")
      assert.equal(again.next_end === null, again.over_at !== null)
    }),
    { numRuns: 500 },
  )
})

test("ORG-11 the word of an organization is explained in its own words, and so is what it may not give", () => {
  const { organization: _, ...own } = { ...consent, organization: "work" }
  const given = { ...own, scope: permissions("files:read workers:read"), organization: "work", endsAt: NEVER }
  const entry = (...names: readonly string[]) =>
    new Map([
      [
        "work",
        providerAt("https://id.example", {
          name: "work",
          assertions: { clients: [publicClient.clientId], permissions: permissions(names.join(" ")) },
        }),
      ],
    ])
  const explained = (life: Life, providers: ReturnType<typeof entry>) =>
    explanation(
      sampleCatalog,
      { ...credential(life), consent: given },
      allowing("files:read account:read"),
      account,
      NOW,
      providers,
    )
  const now = explained(lives.active, entry("files:read"))
  assert.match(wholeExplained(now, time)[0]?.sentence ?? "", /^Active: .* assertions of an organization/)
  const of = (name: string) => {
    const found = now.permissions.find(({ permission }) => permission === name)
    return permissionExplained(found ?? assert.fail(name))
  }
  assert.match(of("files:read").sentence, /^Reached: the organization may give it/)
  assert.match(of("account:read").sentence, /^Not reached: the organization may not give it/)
  assert.match(of("account:read").remedy ?? "", /assertions of the sign-in provider/)
  const {
    organization,
    ends_at,
    reach: reached,
  } = explanationRecord({ ...source, providers: entry("files:read") }, now, NOW, time)
  assert.deepEqual([organization, ends_at, reached], ["work", null, "files:read workers:read"])
  assert.deepEqual(
    explained(lives.active, new Map()).blockers.map(({ blocker }) => blocker),
    ["organization-withdrawn"],
  )
  const over = wholeExplained(explained(lives.revoked, entry("files:read")), time)
  assert.match(over[0]?.remedy ?? "", /^With its next assertion/)
})
