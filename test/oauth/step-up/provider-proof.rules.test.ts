import assert from "node:assert/strict"
import { test } from "node:test"
import type { Hash, TokenId, UserId } from "../../../src/kernel/ids.ts"
import type { Factor } from "../../../src/model/factor.rules.ts"
import { decideProvenStepUp } from "../../../src/oauth/step-up/provider-proof.rules.ts"
import {
  account,
  credential,
  deviceGrant,
  deviceStates,
  lives,
  NOW,
  publicClient,
  stepUpRequest,
  USER_ID,
} from "../../support/core-sample.ts"
import { providerAt } from "../../support/oidc.ts"

type Rows = Parameters<typeof decideProvenStepUp>[0]

const session = {
  sessionHash: "s" as Hash,
  userId: USER_ID,
  createdAt: NOW,
  seenAt: NOW,
  address: "",
  userAgent: "",
  proof: null,
  vouched: null,
}
const grant = deviceGrant(deviceStates.pending, stepUpRequest)
const at = grant.request.askedAt
const rows = {
  session,
  ownerOf: { ...account, userId: USER_ID },
  deviceGrant: grant,
  credential: credential(lives.active),
  appOf: { ...publicClient, stepUp: true },
  identity: { userId: USER_ID },
  factors: [],
  spentTicket: null,
} as unknown as Rows

function decide(changes: Partial<Rows>, claims: object = { auth_time: at }) {
  const provider = providerAt("https://id.example", { secondFactor: { acr: [], amr: ["mfa"] } })
  const ticketId = "t" as TokenId
  const proof = {
    provider,
    claims: { ...claims },
    ticketId,
    windowSeconds: 900,
    now: at,
    address: "192.0.2.9",
  }
  const { answer, changes: made } = decideProvenStepUp({ ...rows, ...changes }, proof)
  return [answer, ...made.map((one) => (one.change === "eventRecorded" ? one.event.detail : one.change))]
}

test("LOGIN-15 a new sign-in of the connected account elevates, once", () => {
  const elevated = ["ticketSpent", "credentialChanged", "deviceGrantChanged", "through corp"]
  assert.deepEqual(decide({}), ["approved", ...elevated])
  assert.deepEqual(decide({ spentTicket: { spentAt: NOW } }), ["stale"])
  assert.deepEqual(decide({ appOf: publicClient }), ["not-allowed", "ticketSpent"])
})

test("LOGIN-16 what proves too little is used up, and the audit trail says why", () => {
  const refused = (outcome: string, why: string) => [outcome, "ticketSpent", `corp: ${why}`]
  assert.deepEqual(decide({}, {}), refused("no-time", "no auth_time"))
  assert.deepEqual(decide({}, { auth_time: at - 61 }), refused("not-recent", "auth_time too early"))
  const others = [null, { userId: "another" as UserId }] as unknown as Rows["identity"][]
  for (const identity of others)
    assert.deepEqual(decide({ identity }), refused("not-yours", "not the connected account"))
})

test("LOGIN-17 it is for the session and the account of the step-up", () => {
  for (const changes of [
    { session: null },
    { session: { ...session, userId: "another" as UserId } },
    { ownerOf: null },
    { ownerOf: { ...account, enabled: false } },
    { deviceGrant: null },
    { deviceGrant: deviceGrant(deviceStates.pending) },
  ])
    assert.deepEqual(decide(changes), ["stale"])
})

test("LOGIN-18 a second factor here needs one there", () => {
  const factors = [{ kind: "passkey" } as Factor]
  assert.equal(decide({ factors }, { auth_time: at })[0], "too-weak")
  assert.equal(decide({ factors }, { auth_time: at, amr: ["mfa"] })[0], "approved")
})
